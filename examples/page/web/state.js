// The state of the board, and earlier states for Undo.

const kClasses = 6;
const kTypes = {C_SVC: 0, NU_SVC: 1, ONE_CLASS: 2, EPSILON_SVR: 3, NU_SVR: 4};
const isRegression = (type) => type >= kTypes.EPSILON_SVR;
const isClassification = (type) => type <= kTypes.NU_SVC;

// Directions (across, down) of the keys.
const kMoves = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]};

// An empty board.
const emptyBoard = () => ({
  points: [],                      // {x, y, c}: c is a class, from 0
  labels: [1, 2, 3, 4, 5, 6],      // label of each class in files
  view: {x0: 0, x1: 1, y0: 0, y1: 1},
});

const state = {
  ...emptyBoard(),
  colour: 0,                       // class of new points
  chosenType: kTypes.C_SVC,        // chosen by the user; examples and files set another one until
                                   // Clear
  result: null,                    // of the last training, for the points as they are now
};

const byId = (id) => document.getElementById(id);
const say = (id, text) => {
  if (byId(id).textContent !== text) byId(id).textContent = text;
};

const undoing = {past: [], most: 100};

// Call before a change of the points.  `type` is the SVM type if the change may replace that, too.
function remember(type) {
  undoing.past.push({points: state.points.slice(), labels: state.labels, view: state.view, type});
  if (undoing.past.length > undoing.most) undoing.past.shift();
}

// Restores the last remembered points.  Returns null if there are none, else the remembered type.
function undo() {
  const before = undoing.past.pop();
  if (!before) return null;
  const {type, ...points} = before;
  Object.assign(state, points);
  return {type};
}

// Coordinates have four digits within the width of the view, so that a file of them is short.
function rounded(value, width) {
  const unit = 10 ** (Math.floor(Math.log10(width)) - 4);
  return Number((Math.round(value / unit) * unit).toPrecision(12));
}

function placeOf(u, v) {  // u, v: fractions of the board, from its upper left corner
  const {x0, x1, y0, y1} = state.view;
  return {x: rounded(x0 + u * (x1 - x0), x1 - x0), y: rounded(y1 - v * (y1 - y0), y1 - y0)};
}

function fractionsOf(point) {
  const {x0, x1, y0, y1} = state.view;
  return [(point.x - x0) / (x1 - x0), (y1 - point.y) / (y1 - y0)];
}
