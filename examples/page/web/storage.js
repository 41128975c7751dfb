// Keeps the theme and the board over a reload, in the browser's storage.  A browser may refuse
// that, as some do for pages that are opened from files: then the page works without it.

const storage = {
  key: (name) => `csmo-toy-${name}`,

  // Null if nothing can be read.
  read(name) {
    try {
      return JSON.parse(localStorage.getItem(this.key(name)));
    } catch {
      return null;
    }
  },

  // A null removes the old value, and so does a value that does not fit.
  write(name, value) {
    try {
      localStorage.removeItem(this.key(name));
      if (value !== null) localStorage.setItem(this.key(name), JSON.stringify(value));
    } catch {
      // The browser stores nothing for this page, or not that much.
    }
  },
};

const theme = {
  system: matchMedia('(prefers-color-scheme: dark)'),
  chosen: storage.read('theme'),  // 'dark' or 'light', or anything else: the system's

  systemName() { return this.system.matches ? 'dark' : 'light'; },
  name() { return ['dark', 'light'].includes(this.chosen) ? this.chosen : this.systemName(); },

  // Choosing the system's own theme makes the page follow the system again.
  choose(name) {
    this.chosen = name === this.systemName() ? null : name;
    storage.write('theme', this.chosen);
  },
};

const kChoices = ['type', 'kernel', 'solver'];

function saveBoard() {
  const {points, labels, view, chosenType} = state;
  const numbers = Object.fromEntries(Object.keys(fields).map((id) => [id, numberIn(id)]));
  const choices = Object.fromEntries(kChoices.map((id) => [id, byId(id).value]));
  storage.write('board', points.length === 0 ? null :
    {points: points.map(({x, y, c}) => [x, y, c]), labels, view, chosenType, numbers, choices});
}

let savingTimer = null;

// Delayed, because a stroke changes the points often.
function saveBoardSoon() {
  clearTimeout(savingTimer);
  savingTimer = setTimeout(saveBoardNow, 300);
}

function saveBoardNow() {
  if (savingTimer === null) return;
  clearTimeout(savingTimer);
  savingTimer = null;
  saveBoard();
}

// True if saveBoard() wrote it.  Other versions of the page, and other pages, use the same storage
// if they are opened from files.
function isBoard(kept) {
  const hasOption = (id, value) => [...byId(id).options].some((option) => option.value === value);
  const isPoint = ([x, y, c]) => Number.isFinite(x) && Number.isFinite(y) &&
    Number.isInteger(c) && c >= 0 && c < kClasses;
  try {
    const {points, labels, view: {x0, x1, y0, y1}, chosenType, choices} = kept;
    return points.length > 0 && points.every(isPoint) && labels.length === kClasses &&
      new Set(labels).size === kClasses && labels.every(Number.isInteger) &&
      [x0, x1, y0, y1].every(Number.isFinite) && x0 < x1 && y0 < y1 &&
      hasOption('type', String(chosenType)) && kChoices.every((id) => hasOption(id, choices[id]));
  } catch {
    return false;
  }
}

// Returns false if no board was stored.
function restoreBoard() {
  const kept = storage.read('board');
  if (!isBoard(kept)) return false;
  const {points, labels, view, chosenType, numbers, choices} = kept;
  Object.assign(state, {points: points.map(([x, y, c]) => ({x, y, c})), labels, view, chosenType});
  for (const id of kChoices) byId(id).value = choices[id];
  for (const [id, field] of Object.entries(fields)) {
    if (Number.isFinite((numbers || {})[id])) field.set(numbers[id]);
  }
  return true;
}
