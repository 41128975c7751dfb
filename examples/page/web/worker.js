// The worker: holds the library and answers messages.  Messages are numbered; work for any but the
// latest one is abandoned.
'use strict';

let library = null;
let current = 0;

const pause = () => new Promise((resolve) => setTimeout(resolve, 0));
const textAt = (pointer) => library.UTF8ToString(pointer);

// Copies the library's arrays, because its memory may move.
const doublesAt = (pointer, count) => library.HEAPF64.slice(pointer / 8, pointer / 8 + count);
const intsAt = (pointer, count) => library.HEAP32.slice(pointer / 4, pointer / 4 + count);

// Calls use() with the address of a block of memory.
function withMemory(bytes, use) {
  const pointer = library._malloc(Math.max(bytes, 8));
  if (pointer === 0) throw new Error('out of memory');
  try {
    return use(pointer);
  } finally {
    library._free(pointer);
  }
}

function withDoubles(numbers, use) {
  return withMemory(8 * numbers.length, (pointer) => {
    library.HEAPF64.set(numbers, pointer / 8);
    return use(pointer);
  });
}

function withText(text, use) {
  const bytes = new TextEncoder().encode(text);
  return withMemory(bytes.length + 1, (pointer) => {
    library.HEAPU8.set(bytes, pointer);
    library.HEAPU8[pointer + bytes.length] = 0;
    return use(pointer, bytes.length);
  });
}

function check(status) {
  if (status !== 0) throw new Error(textAt(library._page_error()));
}

// data: columns, values (row by row), labels.
function setRows({columns, values, labels}) {
  withDoubles(values, (v) => withDoubles(labels, (l) => {
    check(library._page_set_rows(labels.length, columns, v, l));
  }));
}

// machine: numbers in the order of page.h, solver, freeSet.
function train({numbers, solver, freeSet}) {
  withDoubles(numbers, (n) => withText(solver, (s) => {
    check(library._page_train(n, s, freeSet ? 1 : 0));
  }));
}

function outcome(machine) {
  const r = doublesAt(library._page_result(), 13);
  const names = ['status', 'problems', 'iterations', 'conjugateSteps', 'clippedSteps', 'phases',
    'kernelRows', 'objective', 'violation', 'seconds', 'vectors', 'classes', 'valuesPerRow'];
  const result = Object.fromEntries(names.map((name, i) => [name, r[i]]));
  result.log = textAt(library._page_log());
  const text = library._page_model_text();
  const bytes = library.HEAPU8.slice(text, text + library._page_model_text_size());
  result.model = new TextDecoder().decode(bytes);
  result.supportRows = intsAt(library._page_support_rows(), result.vectors);
  result.coefficients = [];
  const machines = machine.numbers[0] < 2 ? result.classes - 1 : 1;
  for (let m = 0; m < machines; ++m) {
    result.coefficients.push(doublesAt(library._page_coefficients(m), result.vectors));
  }
  if (machine.numbers[0] < 2) {
    result.classLabels = intsAt(library._page_class_labels(), result.classes);
  }
  return result;
}

// Predictions of rows, with their decision values row by row.
function predict(values, rows, valuesPerRow) {
  return withDoubles(values, (v) => withMemory(8 * rows, (p) =>
    withMemory(8 * rows * valuesPerRow, (d) => {
      check(library._page_predict(rows, v, p, d));
      return {predictions: doublesAt(p, rows),
        decisions: doublesAt(d, rows * valuesPerRow)};
    })));
}

const kCurvePoints = 512;

function sendCurve(number, view) {
  const x = new Float64Array(kCurvePoints);
  for (let i = 0; i < x.length; ++i) x[i] = view.x0 + (view.x1 - view.x0) * i / (x.length - 1);
  postMessage({kind: 'curve', number, x, y: predict(x, x.length, 1).predictions});
}

// The surface over the view, in ever finer levels, some rows of cells at a time.
async function sendSurface(number, view, valuesPerRow) {
  const kCellsAtOnce = 2048;
  for (const size of [32, 64, 128, 256]) {
    const labels = new Int32Array(size * size);
    const values = new Float32Array(size * size * valuesPerRow);
    const rowsAtOnce = Math.max(1, Math.floor(kCellsAtOnce / size));
    for (let first = 0; first < size; first += rowsAtOnce) {
      await pause();
      if (number !== current) return;
      const rows = Math.min(rowsAtOnce, size - first);
      const places = new Float64Array(2 * rows * size);
      for (let k = 0; k < rows * size; ++k) {
        places[2 * k] = view.x0 + (view.x1 - view.x0) * (k % size + 0.5) / size;
        places[2 * k + 1] =
          view.y1 - (view.y1 - view.y0) * (first + Math.floor(k / size) + 0.5) / size;
      }
      const {predictions, decisions} = predict(places, rows * size, valuesPerRow);
      labels.set(predictions, first * size);
      values.set(decisions, first * size * valuesPerRow);
    }
    postMessage({kind: 'surface', number, size, labels, values, last: size === 256},
      [labels.buffer, values.buffer]);
  }
}

// The row numbers of each binary problem, in its order.
function rowsOfProblems(type, count) {
  if (type > 1) return [{rows: Int32Array.from({length: count}, (_, i) => i), classes: null}];
  return withMemory(4 * count, (r) => withMemory(4 * count, (c) => {
    const classes = library._page_class_order(r, c);
    const order = intsAt(r, count), counts = intsAt(c, classes);
    const groups = [];
    for (let k = 0, at = 0; k < classes; at += counts[k++]) {
      groups.push(order.slice(at, at + counts[k]));
    }
    const problems = [];
    for (let a = 0; a < classes; ++a) {
      for (let b = a + 1; b < classes; ++b) {
        problems.push({rows: Int32Array.from([...groups[a], ...groups[b]]),
          classes: [groups[a][0], groups[b][0]], positives: groups[a].length});
      }
    }
    return problems;
  }));
}

function takeTraces(type, count) {
  const problems = rowsOfProblems(type, count);
  const traces = [];
  for (let p = 0; p < library._page_traces(); ++p) {
    const [steps, changes, complete] = withMemory(12, (sizes) => {
      library._page_trace_sizes(p, sizes);
      return intsAt(sizes, 3);
    });
    const reals = doublesAt(library._page_trace_reals(p), 3 * (steps + 1));
    const integers = intsAt(library._page_trace_integers(p), 4 * steps);
    const part = (array, k, length) => array.subarray(k * length, (k + 1) * length);
    traces.push({...problems[p], steps, complete: complete !== 0,
      objective: part(reals, 0, steps + 1), violation: part(reals, 1, steps + 1),
      threshold: part(reals, 2, steps + 1), stepKind: part(integers, 0, steps),
      up: part(integers, 1, steps), down: part(integers, 2, steps),
      firstChange: part(integers, 3, steps),
      changedRow: intsAt(library._page_trace_changed(p), changes),
      change: doublesAt(library._page_trace_changes(p), changes)});
  }
  return traces;
}

const tasks = {
  async train({number, data, machine, view}) {
    setRows(data);
    train(machine);
    const result = outcome(machine);
    postMessage({kind: 'trained', number, result});
    if (machine.numbers[0] > 2) return sendCurve(number, view);
    return sendSurface(number, view, result.valuesPerRow);
  },

  async compare({number, data, machines}) {
    setRows(data);
    const runs = machines.map((machine) => {
      train(machine);
      return {result: outcome(machine),
        traces: takeTraces(machine.numbers[0], data.labels.length)};
    });
    postMessage({kind: 'compared', number, runs});
  },

  // machines: one for each cell.
  async map({number, data, machines, folds}) {
    setRows(data);
    for (let cell = 0; cell < machines.length; ++cell) {
      await pause();
      if (number !== current) return;
      const {numbers, solver, freeSet} = machines[cell];
      withDoubles(numbers, (n) => withText(solver, (s) => {
        check(library._page_cross_validate(n, s, freeSet ? 1 : 0, folds, 1));
      }));
      const targets = doublesAt(library._page_targets(), data.labels.length);
      let correct = 0, squares = 0;
      for (let i = 0; i < targets.length; ++i) {
        if (targets[i] === data.labels[i]) ++correct;
        squares += (targets[i] - data.labels[i]) * (targets[i] - data.labels[i]);
      }
      postMessage({kind: 'cell', number, cell, accuracy: 100 * (correct / targets.length),
        error: squares / targets.length});
    }
    postMessage({kind: 'mapped', number});
  },

  async parse({number, text}) {
    const failed = withText(text, (t, size) => library._page_parse(t, size));
    if (failed) throw new Error(textAt(library._page_parse_error()));
    const rows = library._page_parsed_rows();
    postMessage({kind: 'parsed', number, columns: library._page_parsed_columns(),
      labels: doublesAt(library._page_parsed_labels(), rows),
      values: doublesAt(library._page_parsed_values(), 2 * rows)});
  },

  // Abandons all earlier work.
  async stop() {},
};

async function start(base64) {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < bytes.length; ++i) bytes[i] = text.charCodeAt(i);
  library = await loadLibrary({
    wasmBinary: bytes,
    onProgress: (iterations, objective, violation) =>
      postMessage({kind: 'progress', number: current, iterations, objective, violation}),
  });
  postMessage({kind: 'ready', version: textAt(library._page_version())});
}

let started = null;
onmessage = async ({data: message}) => {
  if (message.kind === 'start') {
    started = start(message.base64);
    return;
  }
  current = message.number;
  try {
    await started;
    if (message.number !== current) return;
    await tasks[message.kind](message);
  } catch (error) {
    postMessage({kind: 'failed', number: message.number, error: error.message || String(error)});
  }
};
