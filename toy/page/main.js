// What goes on when something changes, and how the page starts.

const live = new Engine({
  ready({version}) {
    say('version', `csmo ${version}, compiled to WebAssembly.`);
  },
  progress({iterations, violation}) {
    if (byId('busy').hidden) return;
    const text = `${iterations} iterations, violation ${brief(violation, 2)}`;
    byId('progress-text').textContent = text;  // not for the status, which is read aloud
  },
  trained({result}) {
    endTraining();
    state.result = result;
    board.support = new Set(Array.from(result.supportRows, (row) => row - 1));
    showFacts(result);
    byId('model').disabled = false;
    const warnings = result.log.split('\n').filter((line) => /warning/i.test(line));
    say('status', [`${result.vectors} support vectors after ${result.iterations} iterations`,
      ...warnings].join('. '));
    redraw();
  },
  surface({size, labels, values, last}) {
    showSurface({size, labels, values, type: currentType(), last});
  },
  curve({x, y}) {
    board.curve = {x, y, tube: tubeOf(state.result)};
    redraw();
  },
  parsed: takeFile,
  failed({error}) {
    endTraining();
    clearResult();
    if (reading) {
      reading = false;
      say('file-status', error);
      return train();
    }
    say('fault', error);
    say('status', 'not trained');
  },
});
let reading = false;  // the live engine parses a file
let trainingTimer = null;

// Half the width of the tube: chosen, or found by nu-SVR, which prints it.
function tubeOf(result) {
  if (currentType() === kTypes.EPSILON_SVR) return byId('p').valueAsNumber;
  const found = /epsilon = (\S+)/.exec(result.log);
  return found ? Number(found[1]) : 0;
}

function endTraining() {
  clearTimeout(trainingTimer);
  byId('busy').hidden = byId('stop').hidden = true;
  byId('progress-text').textContent = '';
}

// What belongs to a machine that is no longer the one on the page.
function clearResult() {
  state.result = null;
  board.surface = board.curve = null;
  board.support = new Set();
  byId('facts').replaceChildren();
  byId('model').disabled = true;
  redraw();
}

function train() {
  const fault = faultOfFields();
  say('fault', fault || '');
  endTraining();
  state.result = null;
  byId('model').disabled = true;
  byId('command').textContent = fault ? '' : commandText(currentMachine());
  if (fault || state.points.length === 0) {
    clearResult();
    say('status', fault ? 'not trained' : 'Put some points on the board.');
    return;
  }
  trainingTimer = setTimeout(() => {
    byId('busy').hidden = byId('stop').hidden = false;
    say('status', 'Training…');
  }, 300);
  live.send({kind: 'train', data: rowsOf(state.points, currentType()), machine: currentMachine(),
    view: state.view});
}

// What other parts made of the points, or of the machine, is out of date.
function pointsChanged() {
  board.support = new Set();
  clearTraces();
  checkMap();
  redraw();
  train();
}

function machineChanged() {
  showFields();
  clearTraces();
  checkMap();
  const curved = isRegression(currentType());
  if (curved) board.surface = null;
  else board.curve = null;
  redraw();
  train();
}

function showExample(name) {
  const example = examples[name]();
  remember();
  state.view = {x0: 0, x1: 1, y0: 0, y1: 1};
  state.labels = [1, 2, 3, 4, 5, 6];
  state.points = example.points;
  byId('type').value = example.type;
  byId('kernel').value = example.kernel;
  for (const [id, value] of Object.entries(example.numbers)) fields[id].set(value);
  board.support = new Set();
  board.surface = board.curve = null;
  machineChanged();
}

async function readFile(file) {
  say('file-status', `reading ${file.name}`);
  const text = await file.text();
  reading = true;
  live.send({kind: 'parse', text});
}

function takeFile(parsed) {
  reading = false;
  try {
    const {regression, ...taken} = pointsOf(parsed);
    remember();
    Object.assign(state, taken);
    if (regression !== isRegression(currentType())) {
      byId('type').value = regression ? kTypes.EPSILON_SVR : kTypes.C_SVC;
    }
    board.surface = board.curve = null;
    board.support = new Set();
    say('file-status', `${state.points.length} points`);
    machineChanged();
  } catch (error) {
    say('file-status', error.message);
    train();  // what reading interrupted
  }
}

function setTheme(dark) {
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
  byId('theme').setAttribute('aria-pressed', String(dark));
  redraw();
  if (traces.runs) showStep();
  drawMap();
}

function listen() {
  byId('type').onchange = byId('kernel').onchange = byId('solver').onchange = machineChanged;
  byId('example').onchange = () => {
    if (byId('example').value) showExample(byId('example').value);
    byId('example').value = '';
  };
  byId('undo').onclick = () => undo() && pointsChanged();
  byId('clear').onclick = () => {
    remember();
    state.points = [];
    pointsChanged();
  };
  byId('stop').onclick = () => {
    live.stop();
    endTraining();
    clearResult();
    say('status', 'Stopped. Any change trains again.');
  };
  addEventListener('keydown', (event) => {
    const typing = /^(INPUT|TEXTAREA)$/.test(document.activeElement.tagName);
    if ((event.ctrlKey || event.metaKey) && event.key === 'z' && !typing) {
      event.preventDefault();
      if (undo()) pointsChanged();
    }
  });
  byId('load').onchange = () => {
    if (byId('load').files.length > 0) readFile(byId('load').files[0]);
    byId('load').value = '';
  };
  byId('save').onclick = () => download('toy.data', dataText(state.points, currentType()));
  byId('model').onclick = () => state.result && download('toy.model', state.result.model);
  byId('copy').onclick = async () => {
    try {
      await navigator.clipboard.writeText(byId('command').textContent);
      say('file-status', 'copied');
    } catch {
      getSelection().selectAllChildren(byId('command'));
      say('file-status', 'selected: copy it with Ctrl+C');
    }
  };
  byId('theme').onclick = () => setTheme(!isDark());
  const scheme = matchMedia('(prefers-color-scheme: dark)');
  scheme.addEventListener('change', () => setTheme(scheme.matches));
  addEventListener('resize', () => {
    redraw();
    drawMap();
    if (traces.runs) showStep();
  });
}

document.documentElement.dataset.theme =
  matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
byId('theme').setAttribute('aria-pressed', String(isDark()));
makeColours();
makeFields();
showFields();
listen();
listenToPointer();
listenToKeys();
listenToTraces();
listenToMap();
// The page is painted before the library, which follows this script, is taken up.
addEventListener('DOMContentLoaded', () => requestAnimationFrame(() => setTimeout(() => {
  if (state.points.length === 0) showExample('moons');
})));

// For tests, and for the console.
window.toy = {state, board, map, traces, live, dataText, currentMachine, showExample, pointsChanged,
  examples, drawBoard, currentType};
