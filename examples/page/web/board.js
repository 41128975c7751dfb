// The board: what it shows, and how points are added and removed.

const board = {
  canvas: byId('board'),
  surface: null,     // with its image and lines
  curve: null,       // regression: x, y, tube
  support: new Set(),
  cursor: null,      // fractions of the board, while the keyboard is in use
  pending: false,
};

// Keeps the backing store at the resolution of the screen.
function fitCanvas(canvas, ratio = 1) {
  const width = Math.round(canvas.clientWidth * Math.min(window.devicePixelRatio || 1, 2));
  if (width > 0 && canvas.width !== width) {
    canvas.width = width;
    canvas.height = Math.round(width * ratio);
  }
  return canvas.width / Math.max(canvas.clientWidth, 1);
}

function redraw() {
  if (board.pending) return;
  board.pending = true;
  requestAnimationFrame(() => {
    board.pending = false;
    drawBoard();
  });
}

function showSurface(surface) {
  board.surface = surface;
  surface.image = surfaceImage(surface);
  surface.lines = {};
  if (surface.values.length > surface.labels.length) {
    surface.lines[0] = borders(surface.values, surface.size);
  } else if (surface.values.length > 0) {  // points of one class make a classifier without values
    const levels = surface.type === kTypes.ONE_CLASS ? [0] : [-1, 0, 1];
    for (const level of levels) {
      surface.lines[level] = contour(surface.values, surface.size, level);
    }
  }
  redraw();
}

function drawPoints(context, side, scale) {
  const many = state.points.length > 2000;
  const radius = (many ? 2 : 4.5) * scale;
  const ground = getComputedStyle(document.documentElement).getPropertyValue('--board');
  const regression = isRegression(currentType());
  for (const [i, point] of state.points.entries()) {
    const [u, v] = fractionsOf(point);
    const x = u * side, y = v * side;
    context.fillStyle = cssColour(regression ? 0 : point.c);
    if (many) {
      context.fillRect(x - radius / 2, y - radius / 2, radius, radius);
      continue;
    }
    context.beginPath();
    context.arc(x, y, radius, 0, 2 * Math.PI);
    context.fill();
    context.lineWidth = 1.2 * scale;
    context.strokeStyle = ground;
    context.stroke();
    if (!board.support.has(i)) continue;
    context.beginPath();
    context.arc(x, y, radius + 2.5 * scale, 0, 2 * Math.PI);
    context.lineWidth = 1.6 * scale;
    context.strokeStyle = isDark() ? '#e8ebf0' : '#1b1f26';
    context.stroke();
  }
}

function drawCurve(context, side, scale) {
  const {x, y, tube} = board.curve;
  const line = (offset) => {
    context.beginPath();
    for (let i = 0; i < x.length; ++i) {
      const [u, v] = fractionsOf({x: x[i], y: y[i] + offset});
      context[i ? 'lineTo' : 'moveTo'](u * side, v * side);
    }
  };
  if (tube > 0) {
    line(tube);
    for (let i = x.length - 1; i >= 0; --i) {
      const [u, v] = fractionsOf({x: x[i], y: y[i] - tube});
      context.lineTo(u * side, v * side);
    }
    context.fillStyle = cssColour(0, 0.16);
    context.fill();
    context.setLineDash([5 * scale, 4 * scale]);
    context.lineWidth = 1.2 * scale;
    for (const offset of [tube, -tube]) {
      line(offset);
      context.stroke();
    }
    context.setLineDash([]);
  }
  line(0);
  context.lineWidth = 2.2 * scale;
  context.stroke();
}

function drawBoard() {
  const scale = fitCanvas(board.canvas);
  const side = board.canvas.width;
  const context = board.canvas.getContext('2d');
  context.clearRect(0, 0, side, side);
  context.strokeStyle = isDark() ? '#e8ebf0' : '#1b1f26';
  if (board.surface) {
    context.drawImage(board.surface.image, 0, 0, side, side);
    for (const [level, segments] of Object.entries(board.surface.lines)) {
      context.lineWidth = (Number(level) === 0 ? 2 : 1) * scale;
      context.globalAlpha = Number(level) === 0 ? 0.9 : 0.55;
      strokeSegments(context, segments, side);
    }
    context.globalAlpha = 1;
  }
  if (board.curve) drawCurve(context, side, scale);
  drawPoints(context, side, scale);
  if (!board.cursor) return;
  const x = board.cursor[0] * side, y = board.cursor[1] * side, arm = 11 * scale;
  context.strokeStyle = cssColour(state.colour);
  context.lineWidth = 2 * scale;
  context.beginPath();
  for (const [dx, dy] of [[1, 0], [0, 1]]) {
    context.moveTo(x - arm * dx, y - arm * dy);
    context.lineTo(x + arm * dx, y + arm * dy);
  }
  context.stroke();
}

function addPoint(u, v) {
  state.points = [...state.points, {...placeOf(u, v), c: state.colour}];
  pointsChanged();
}

// Returns false if no point is near.  `change` tells whether Undo counts this as a change of its
// own.
function removeNearest(u, v, change = true) {
  let nearest = -1, least = 0.05;
  state.points.forEach((point, i) => {
    const [a, b] = fractionsOf(point);
    const distance = Math.hypot(a - u, b - v);
    if (distance < least) [nearest, least] = [i, distance];
  });
  if (nearest < 0) return false;
  if (change) remember();
  state.points = state.points.filter((_, i) => i !== nearest);
  pointsChanged();
  return true;
}

function chooseColour(c) {
  state.colour = c;
  byId('draw').checked = true;
  for (const [k, button] of [...byId('colours').children].entries()) {
    button.setAttribute('aria-checked', String(k === c));
    button.tabIndex = k === c ? 0 : -1;
  }
  redraw();
}

function makeColours() {
  for (let c = 0; c < kClasses; ++c) {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = c + 1;
    button.setAttribute('role', 'radio');
    button.setAttribute('aria-label', `class ${c + 1}`);
    button.style.setProperty('--colour', cssColour(c));
    button.style.color = inkOn(kColours[c]);
    button.onclick = () => chooseColour(c);
    byId('colours').append(button);
  }
  byId('colours').onkeydown = (event) => {
    const turn = {ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1}[event.key];
    if (!turn) return;
    event.preventDefault();
    chooseColour((state.colour + turn + kClasses) % kClasses);
    byId('colours').children[state.colour].focus();
  };
  chooseColour(0);
}

function listenToPointer() {
  const canvas = board.canvas;
  const kLongPress = 600;  // milliseconds
  let last = null;         // last position of the pressed pointer
  let moved = false;       // since it was pressed
  let erased = false;      // the pointer has removed a point
  let byMouse = true;
  let pressing = null;     // the timer of a long press
  const place = (event) => {
    const box = canvas.getBoundingClientRect();
    const clamp = (value) => Math.min(1, Math.max(0, value));
    return [clamp((event.clientX - box.left) / box.width),
      clamp((event.clientY - box.top) / box.height)];
  };
  // A stroke is one change, which Undo takes back as a whole.
  const erase = (at) => { erased = removeNearest(...at, !erased) || erased; };
  const endPress = () => clearTimeout(pressing);
  canvas.onpointerdown = (event) => {
    byMouse = event.pointerType === 'mouse';
    endPress();
    if (event.button !== 0) return;
    board.cursor = null;
    last = place(event);
    moved = erased = false;
    canvas.setPointerCapture(event.pointerId);
    if (byId('erase').checked) return erase(last);
    remember();
    addPoint(...last);
    if (byMouse) return;
    pressing = setTimeout((at) => {
      last = null;
      goBack();  // the press has added a point
      removeNearest(...at);
    }, kLongPress, last);
  };
  canvas.onpointermove = (event) => {
    if (!last || event.buttons === 0) return;
    const next = place(event), kTremble = 0.04, kSpacing = 0.018;
    const far = moved ? kSpacing : kTremble;
    if (Math.hypot(next[0] - last[0], next[1] - last[1]) < far) return;
    endPress();
    moved = true;
    last = next;
    if (byId('erase').checked) erase(next);
    else addPoint(...next);
  };
  canvas.onpointerup = canvas.onpointercancel = () => {
    last = null;
    endPress();
  };
  // Some browsers also open menus on a long press, earlier or later; the timer here is our own.
  canvas.oncontextmenu = (event) => {
    event.preventDefault();
    if (byMouse) removeNearest(...place(event));
  };
}

function listenToKeys() {
  board.canvas.onkeydown = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const at = board.cursor || [0.5, 0.5];
    if (kMoves[event.key]) {
      const step = event.shiftKey ? 0.1 : 0.02;
      const [dx, dy] = kMoves[event.key];
      board.cursor = [at[0] + step * dx, at[1] + step * dy]
        .map((value) => Math.round(1000 * Math.min(1, Math.max(0, value))) / 1000);
      const {x, y} = placeOf(...board.cursor);
      say('status', `cursor at ${x}, ${y}`);
      redraw();
    } else if (event.key === 'Enter' || event.key === ' ') {
      board.cursor = at;
      remember();
      addPoint(...at);
    } else if (event.key === 'Delete' || event.key === 'Backspace') {
      removeNearest(...at);
    } else if (/^[1-6]$/.test(event.key)) {
      chooseColour(Number(event.key) - 1);
    } else {
      return;
    }
    event.preventDefault();
  };
}
