// Reactions to changes, and the start of the page.

const live = new Engine({
  ready({version}) {
    say('version', `csmo ${version}, compiled to WebAssembly.`);
  },
  progress({iterations, violation}) {
    if (byId('busy').hidden) return;
    const text = `${iterations} iterations, violation ${brief(violation, 2)}`;
    byId('progress-text').textContent = text;  // not in the status, which screen readers read aloud
  },
  trained({result}) {
    endTraining();
    state.result = result;
    board.support = new Set(Array.from(result.supportRows, (row) => row - 1));
    showFacts(result);
    byId('model').disabled = false;
    say('status', [`${result.vectors} support vectors after ${result.iterations} iterations`,
      ...warningsIn(result.log)].join('; '));
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
    say('fault', faultInWords(error));
    say('status', 'not trained');
  },
});
let reading = false;  // the live engine parses a file
let trainingTimer = null;

// Half the width of the tube: chosen by the user, or found by nu-SVR, which prints it.
function tubeOf(result) {
  if (currentType() === kTypes.EPSILON_SVR) return numberIn('p');
  const found = /epsilon = (\S+)/.exec(result.log);
  return found ? Number(found[1]) : 0;
}

function endTraining() {
  clearTimeout(trainingTimer);
  byId('busy').hidden = byId('stop').hidden = true;
  byId('progress-text').textContent = '';
}

// Clears what belongs to a machine that is no longer on the page.
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
  saveBoardSoon();
  state.result = null;
  if (reading) {
    reading = false;
    say('file-status', 'not read, because something changed meanwhile');
  }
  byId('model').disabled = true;
  byId('command').textContent = fault ? '' : commandText(currentMachine());
  if (fault || state.points.length === 0) {
    live.cancel();
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

// Marks what other parts computed from the points or the machine as out of date.
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

// Points, view and machine were replaced: nothing that is shown belongs to them.
function boardChanged() {
  board.support = new Set();
  board.surface = board.curve = null;
  machineChanged();
}

function showExample(name) {
  const example = examples[name]();
  remember(currentType());
  Object.assign(state, emptyBoard(), {points: example.points});
  byId('type').value = example.type;
  byId('kernel').value = example.kernel;
  for (const [id, value] of Object.entries(example.numbers)) fields[id].set(value);
  boardChanged();
}

// Restores the board of the start.  A type that came with an example or a file goes as well.
function clearBoard() {
  remember(currentType());
  Object.assign(state, emptyBoard());
  byId('type').value = state.chosenType;
  boardChanged();
}

function goBack() {
  const before = undo();
  if (!before) return;
  if (before.type === undefined) return pointsChanged();
  byId('type').value = before.type;
  boardChanged();
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
    remember(currentType());
    Object.assign(state, taken);
    if (regression !== isRegression(currentType())) {
      byId('type').value = regression ? kTypes.EPSILON_SVR : kTypes.C_SVC;
    }
    say('file-status', `${state.points.length} points`);
    boardChanged();
  } catch (error) {
    say('file-status', error.message);
    train();  // reading interrupted it
  }
}

function showTheme() {
  const name = theme.name();
  document.documentElement.dataset.theme = name;
  say('theme', name === 'dark' ? 'Light colours' : 'Dark colours');
  redraw();
  if (traces.runs) showStep();
  drawMap();
}

function listen() {
  byId('type').onchange = () => {
    state.chosenType = currentType();
    machineChanged();
  };
  byId('kernel').onchange = byId('solver').onchange = machineChanged;
  byId('example').onchange = () => {
    if (byId('example').value) showExample(byId('example').value);
    byId('example').value = '';
  };
  byId('undo').onclick = goBack;
  byId('clear').onclick = clearBoard;
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
      goBack();
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
  byId('theme').onclick = () => {
    theme.choose(isDark() ? 'light' : 'dark');
    showTheme();
  };
  theme.system.addEventListener('change', showTheme);
  addEventListener('pagehide', saveBoardNow);
  addEventListener('resize', () => {
    redraw();
    drawMap();
    if (traces.runs) showStep();
  });
}

showTheme();
makeColours();
makeFields();
showFields();
listen();
listenToPointer();
listenToKeys();
listenToTraces();
listenToMap();
// The page is painted before the library, which follows this script, is loaded.
addEventListener('DOMContentLoaded', () => requestAnimationFrame(() => setTimeout(() => {
  if (state.points.length > 0) return;
  if (restoreBoard()) boardChanged();
  else showExample('moons');
})));

// For tests, and for the console.
window.toy = {state, board, map, traces, live, study: studyOfTraces, dataText, currentMachine,
  showExample, pointsChanged, examples, drawBoard, currentType, warningsIn};
