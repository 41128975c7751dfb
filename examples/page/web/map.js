// Cross validation over C and gamma.

const map = {
  c: [], gamma: [],    // powers of two
  cells: [],           // figures by row of gamma, the highest first; null if not yet known
  regression: false,
  at: null,            // [column, row] of the chosen cell
  of: null,            // the points and the machine that the map belongs to
};

const mapEngine = new Engine({
  cell({cell, accuracy, error}) {
    map.cells[cell] = map.regression ? error : accuracy;
    drawMap();
    say('map-status', `${map.cells.filter((value) => value !== null).length} of ` +
      `${map.cells.length} cells`);
  },
  mapped() {
    endMap();
    say('map-status', `Best: ${describeCell(bestCell())}. Click a cell to use its C and gamma.`);
  },
  failed({error}) {
    endMap();
    say('map-status', error);
  },
});

const figure = (value) => `${brief(value, 6)}${map.regression ? '' : '%'}`;

function describeCell(k) {
  const columns = map.c.length;
  const value = map.cells[k];
  return `C ${brief(2 ** map.c[k % columns])}, gamma ` +
    `${brief(2 ** map.gamma[Math.floor(k / columns)])}: ` + (value === null ? 'not computed' :
    map.regression ? `mean squared error ${figure(value)}` : `accuracy ${figure(value)}`);
}

const isBetter = (a, b) => map.regression ? a < b : a > b;

// The first of the best cells.
function bestCell() {
  let best = -1;
  map.cells.forEach((value, k) => {
    if (value !== null && (best < 0 || isBetter(value, map.cells[best]))) best = k;
  });
  return best;
}

// The points, and the machine without C and gamma.
const mapSubject = () =>
  ({points: state.points, machine: JSON.stringify(currentMachine(undefined, {c: 1, gamma: 1}))});

// Call after changes of either.
function checkMap() {
  const now = mapSubject();
  if (!map.of || (map.of.points === now.points && map.of.machine === now.machine)) return;
  map.of = null;
  mapEngine.stop();
  endMap();
  say('map-status', 'The points or the parameters have changed: compute again.');
}

function endMap() {
  byId('map-stop').hidden = true;
}

const kMapFields = {
  folds: {name: 'the number of folds', integer: true, least: 2},
  'c-from': {name: 'the first log2 C'}, 'c-to': {name: 'the last log2 C'},
  'g-from': {name: 'the first log2 gamma'}, 'g-to': {name: 'the last log2 gamma'},
  by: {name: 'the step', above: 0},
};

function powers(from, to) {
  const [low, high, step] = [from, to, 'by'].map(numberIn);
  if (high < low) throw new Error(`${kMapFields[from].name} is above ${kMapFields[to].name}`);
  const count = Math.floor((high - low) / step + 1e-9) + 1;
  if (count > 40) throw new Error('at most 40 steps of C and of gamma');
  return Array.from({length: count}, (_, i) => low + i * step);
}

function computeMap() {
  const folds = numberIn('folds');
  try {
    for (const [id, field] of Object.entries(kMapFields)) {
      const fault = faultOfField(id, field);
      if (fault) throw new Error(fault);
    }
    if (currentType() === kTypes.ONE_CLASS) {
      throw new Error('One-class SVMs have no map: with one label, accuracies tell nothing.');
    }
    map.c = powers('c-from', 'c-to');
    map.gamma = powers('g-from', 'g-to').reverse();
  } catch (error) {
    say('map-status', error.message);
    return;
  }
  map.regression = isRegression(currentType());
  map.at = null;
  map.of = mapSubject();
  map.cells = Array(map.c.length * map.gamma.length).fill(null);
  const machines = map.gamma.flatMap((g) => map.c.map((c) =>
    currentMachine(undefined, {c: 2 ** c, gamma: 2 ** g})));
  byId('map').hidden = byId('map-stop').hidden = false;
  drawMap();
  mapEngine.send({kind: 'map', data: rowsOf(state.points, currentType()), machines, folds});
}

// Positions of the cells in the canvas.
function mapLayout() {
  const canvas = byId('map'), scale = canvas.width / Math.max(canvas.clientWidth, 1);
  const left = 54 * scale, top = 6 * scale, bottom = canvas.height - 38 * scale;
  return {scale, left, top, bottom, wide: (canvas.width - left - 6 * scale) / map.c.length,
    high: (bottom - top) / map.gamma.length};
}

function drawMap() {
  const canvas = byId('map');
  if (map.cells.length === 0) return;
  fitCanvas(canvas, canvas.clientWidth < 500 ? 1 : 0.5);
  const context = canvas.getContext('2d'), {scale, left, top, bottom, wide, high} = mapLayout();
  const known = map.cells.filter((value) => value !== null);
  const low = Math.min(...known), high_ = Math.max(...known), columns = map.c.length;
  const ground = themeColour('--board').match(/[0-9a-f]{2}/g).map((byte) => parseInt(byte, 16));
  context.clearRect(0, 0, canvas.width, canvas.height);
  context.font = `${11 * scale}px system-ui, sans-serif`;
  context.textBaseline = 'middle';
  context.textAlign = 'center';
  map.cells.forEach((value, k) => {
    const x = left + (k % columns) * wide, y = top + Math.floor(k / columns) * high;
    const span = high_ - low || 1;
    const good = value === null ? null : map.regression ? (high_ - value) / span :
      (value - low) / span;
    const part = 0.06 + 0.9 * good ** 2;
    const colour = kColours[0].map((byte, i) => Math.round(part * byte + (1 - part) * ground[i]));
    context.fillStyle = value === null ? themeColour('--line') : `rgb(${colour.join(',')})`;
    context.fillRect(x + 1, y + 1, wide - 2, high - 2);
    if (value === null || wide < 44 * scale || high < 16 * scale) return;
    context.fillStyle = inkOn(colour);
    context.fillText(brief(value, map.regression ? 2 : 3), x + wide / 2, y + high / 2);
  });
  context.fillStyle = themeColour('--soft');
  const every = Math.ceil(28 * scale / wide);
  map.c.forEach((c, i) => {
    if (i % every === 0) context.fillText(c, left + (i + 0.5) * wide, bottom + 10 * scale);
  });
  context.fillText('log2 C', left + columns * wide / 2, bottom + 27 * scale);
  context.textAlign = 'right';
  map.gamma.forEach((g, j) => context.fillText(g, left - 6 * scale, top + (j + 0.5) * high));
  context.save();
  context.translate(10 * scale, (top + bottom) / 2);
  context.rotate(-Math.PI / 2);
  context.textAlign = 'center';
  context.fillText('log2 gamma', 0, 0);
  context.restore();
  const frame = (k, colour, width) => {
    context.strokeStyle = colour;
    context.lineWidth = width * scale;
    context.strokeRect(left + (k % columns) * wide + 2, top + Math.floor(k / columns) * high + 2,
      wide - 4, high - 4);
  };
  if (known.length > 0) frame(bestCell(), themeColour('--ink'), 1.5);
  if (map.at) frame(map.at[1] * columns + map.at[0], cssColour(1), 3);
}

function chooseCell(column, row) {
  map.at = [Math.min(Math.max(column, 0), map.c.length - 1),
    Math.min(Math.max(row, 0), map.gamma.length - 1)];
  drawMap();
  say('map-status', describeCell(map.at[1] * map.c.length + map.at[0]));
}

function takeCell() {
  const [column, row] = map.at;
  fields.c.set(2 ** map.c[column]);
  fields.gamma.set(2 ** map.gamma[row]);
  machineChanged();
}

function listenToMap() {
  byId('map-start').onclick = computeMap;
  byId('map-stop').onclick = () => {
    mapEngine.stop();
    endMap();
    say('map-status', 'Stopped.');
  };
  const canvas = byId('map');
  canvas.onclick = (event) => {
    const box = canvas.getBoundingClientRect(), {scale, left, top, wide, high} = mapLayout();
    chooseCell(Math.floor(((event.clientX - box.left) * scale - left) / wide),
      Math.floor(((event.clientY - box.top) * scale - top) / high));
    takeCell();
  };
  canvas.onkeydown = (event) => {
    const move = kMoves[event.key];
    const best = bestCell(), columns = map.c.length;
    const at = map.at || (best < 0 ? [0, 0] : [best % columns, Math.floor(best / columns)]);
    if (move) chooseCell(at[0] + move[0], at[1] + move[1]);
    else if (event.key === 'Enter' || event.key === ' ') {
      chooseCell(...at);
      takeCell();
    } else return;
    event.preventDefault();
  };
}
