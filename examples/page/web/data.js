// Points in the forms of the worker, of files and of command lines.

// A row has x and y and a class as its label; for regressions x, and y as its label.
function rowsOf(points, type) {
  const columns = isRegression(type) ? 1 : 2;
  const values = new Float64Array(columns * points.length);
  const labels = new Float64Array(points.length);
  points.forEach((point, i) => {
    values[columns * i] = point.x;
    if (columns === 2) values[2 * i + 1] = point.y;
    labels[i] = columns === 1 ? point.y : state.labels[point.c];
  });
  return {columns, values, labels};
}

// svmlight text with all digits; zeros are left out, as they are in the models of the page.
function dataText(points, type) {
  const {columns, values, labels} = rowsOf(points, type);
  let text = '';
  for (let i = 0; i < labels.length; ++i) {
    text += labels[i];
    for (let k = 0; k < columns; ++k) {
      const value = values[columns * i + k];
      if (value !== 0) text += ` ${k + 1}:${value}`;
    }
    text += '\n';
  }
  return text;
}

// The svm-train command that makes the page's model from the saved data.
function commandText(machine) {
  const [type, kernel, degree, gamma, coef0, cost, nu, tube, tolerance] = machine.numbers;
  const words = ['svm-train', '-s', type, '-t', kernel];
  if (kernel === 1) words.push('-d', degree);
  if (kernel > 0) words.push('-g', gamma);
  if (kernel === 1 || kernel === 3) words.push('-r', coef0);
  if (type === kTypes.C_SVC || isRegression(type)) words.push('-c', cost);
  if (type === kTypes.NU_SVC || type === kTypes.ONE_CLASS || type === kTypes.NU_SVR) {
    words.push('-n', nu);
  }
  if (type === kTypes.EPSILON_SVR) words.push('-p', tube);
  words.push('-e', tolerance);
  if (machine.solver !== 'smo') {
    // Their arithmetic is not fused here: see docs/toy.md.
    words.unshift('SVM_INSTRUCTION_SET=plain');
    words.push('-a', machine.solver);
    if (!machine.freeSet) words.push('--free-set', 'off');
  }
  words.push('toy.data', 'toy.model');
  return words.join(' ');
}

// The points that the rows of a file put on the board.  Throws if there are more than the board
// shows.
function pointsOf({columns, labels, values}) {
  const rows = labels.length;
  const kinds = [...new Set(labels)].sort((a, b) => a - b);
  const regression = columns < 2 && kinds.length > 2;
  if (columns < 2 && !regression) throw new Error('no row has feature 2; data with one feature ' +
    'are a regression, which needs more than two different targets');
  if (!regression && kinds.length > kClasses) {
    throw new Error(`${kinds.length} different labels; the page has ${kClasses} classes`);
  }
  if (!regression && kinds.some((kind) => !Number.isInteger(kind))) {
    throw new Error(`label ${kinds.find((kind) => !Number.isInteger(kind))} is not a class number`);
  }
  const points = [];
  for (let i = 0; i < rows; ++i) {
    points.push(regression ? {x: values[2 * i], y: labels[i], c: 0} :
      {x: values[2 * i], y: values[2 * i + 1], c: kinds.indexOf(labels[i])});
  }
  const spare = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12].filter((label) => !kinds.includes(label));
  const names = regression ? [] : kinds;
  return {points, regression, labels: [...names, ...spare].slice(0, kClasses),
    view: viewOf(points)};
}

// The unit square if it shows all points, else a square that does, with a margin.
function viewOf(points) {
  const range = (get) => {
    let low = Infinity, high = -Infinity;
    for (const point of points) {
      low = Math.min(low, get(point));
      high = Math.max(high, get(point));
    }
    if (low >= 0 && high <= 1) return [0, 1];
    const margin = (high - low) * 0.06 || 1;
    return [low - margin, high + margin];
  };
  const [x0, x1] = range((point) => point.x), [y0, y1] = range((point) => point.y);
  return {x0, x1, y0, y1};
}

function download(name, text) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], {type: 'text/plain'}));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
