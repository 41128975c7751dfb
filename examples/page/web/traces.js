// smo and csmo side by side, step by step.

const traces = {
  runs: null,      // the runs of smo and csmo from the worker
  data: null,      // their training data and machine
  pair: 0,
  step: 0,
  timer: null,
};

// Kernels, used only for the boundary between steps; models always come from the library.
function kernelOf([, kernel, degree, gamma, coef0]) {
  const product = (a, b, x, y) => a * x + b * y;
  return [
    product,
    (a, b, x, y) => (gamma * product(a, b, x, y) + coef0) ** degree,
    (a, b, x, y) => Math.exp(-gamma * ((a - x) ** 2 + (b - y) ** 2)),
    (a, b, x, y) => Math.tanh(gamma * product(a, b, x, y) + coef0),
  ][kernel];
}

// The coefficients of all rows before step `step`, and their changes in that step.
function coefficientsAt(trace, step) {
  const coefficients = new Float64Array(traces.data.labels.length);
  const change = new Float64Array(coefficients.length);
  const end = (s) => s < trace.steps ? trace.firstChange[s] : trace.change.length;
  const upTo = end(step);
  for (let k = 0; k < upTo; ++k) coefficients[trace.rows[trace.changedRow[k]]] += trace.change[k];
  if (step < trace.steps) {
    for (let k = upTo; k < end(step + 1); ++k) {
      change[trace.rows[trace.changedRow[k]]] += trace.change[k];
    }
  }
  return {coefficients, change};
}

// Decision values over a grid of cells, or along x for regressions, with the threshold of the step.
function valuesAt(trace, step, coefficients, size) {
  const {values, columns} = traces.data, kernel = kernelOf(traces.data.machine.numbers);
  const used = [];
  coefficients.forEach((value, i) => { if (value !== 0) used.push(i); });
  const {x0, x1, y0, y1} = traces.data.view, rho = trace.threshold[step];
  const out = new Float32Array(columns === 1 ? size : size * size);
  for (let k = 0; k < out.length; ++k) {
    const x = x0 + (x1 - x0) * (k % size + 0.5) / size;
    const y = columns === 1 ? 0 : y1 - (y1 - y0) * (Math.floor(k / size) + 0.5) / size;
    let sum = -rho;
    for (const i of used) {
      sum += coefficients[i] *
        kernel(values[columns * i], columns === 1 ? 0 : values[2 * i + 1], x, y);
    }
    out[k] = sum;
  }
  return out;
}

function drawTrace(canvas, trace, step) {
  const scale = fitCanvas(canvas), side = canvas.width, context = canvas.getContext('2d');
  const {points, view, machine} = traces.data;
  const ink = isDark() ? '#e8ebf0' : '#1b1f26';
  const place = (x, y) => [(x - view.x0) / (view.x1 - view.x0) * side,
    (view.y1 - y) / (view.y1 - view.y0) * side];
  const {coefficients, change} = coefficientsAt(trace, step);
  const regression = isRegression(machine.numbers[0]);
  context.clearRect(0, 0, side, side);
  context.strokeStyle = ink;
  context.lineWidth = 1.6 * scale;
  const size = regression ? 128 : 48;
  const values = valuesAt(trace, step, coefficients, size);
  if (regression) {
    context.beginPath();
    values.forEach((value, i) => context[i ? 'lineTo' : 'moveTo'](
      ...place(view.x0 + (view.x1 - view.x0) * (i + 0.5) / size, value)));
    context.stroke();
  } else {
    strokeSegments(context, contour(values, size, 0), side);
  }
  const largest = (array) => array.reduce((a, b) => Math.max(a, Math.abs(b)), 0);
  const most = largest(coefficients), far = largest(change);
  for (const i of trace.rows) {
    const [x, y] = place(points[i].x, points[i].y);
    const part = most > 0 ? Math.abs(coefficients[i]) / most : 0;
    const colour = cssColour(regression ? 0 : points[i].c);
    context.beginPath();
    context.arc(x, y, (2.2 + 3 * Math.sqrt(part)) * scale, 0, 2 * Math.PI);
    if (part > 0) {
      context.fillStyle = colour;
      context.fill();
    } else {
      context.strokeStyle = colour;
      context.lineWidth = 1.6 * scale;
      context.stroke();
    }
    if (change[i] === 0 || !(Math.abs(change[i]) > 1e-3 * far)) continue;
    const bar = 26 * scale * change[i] / far;
    context.fillStyle = ink;
    context.fillRect(x + 5 * scale, y - Math.max(bar, 0), 3.5 * scale, Math.abs(bar));
  }
  if (step >= trace.steps || trace.up[step] < 0) return;
  for (const [row, colour] of [[trace.up[step], '#2e9d6c'], [trace.down[step], '#d1496b']]) {
    const point = points[trace.rows[row]];
    context.strokeStyle = colour;
    context.lineWidth = 2.6 * scale;
    context.beginPath();
    context.arc(...place(point.x, point.y), 9 * scale, 0, 2 * Math.PI);
    context.stroke();
  }
}

function describeStep(trace, step) {
  const numbers = `objective ${brief(trace.objective[step], 7)}, ` +
    `violation ${brief(trace.violation[step], 2)}`;
  if (step >= trace.steps) return `end after ${trace.steps} steps: ${numbers}`;
  const kind = ['plain step', 'conjugate step', 'phase over the free variables'][
    trace.stepKind[step] & 3];
  const bound = trace.stepKind[step] & 4 ? ', to a bound' : '';
  const moved = coefficientsAt(trace, step).change.reduce((n, value) => n + (value !== 0), 0);
  return `${kind}${bound}, ${moved} coefficients move; before it: ${numbers}`;
}

const tracesOfPair = () => ({
  smo: traces.runs[0].traces[traces.pair],
  csmo: traces.runs[1].traces[traces.pair],
});

function showStep() {
  const pair = tracesOfPair();
  const longest = Math.max(pair.smo.steps, pair.csmo.steps);
  traces.step = Math.min(Math.max(traces.step, 0), longest);
  const lines = Object.entries(pair).map(([name, trace]) => {
    const at = Math.min(traces.step, trace.steps);
    drawTrace(byId(`${name}-board`), trace, at);
    byId(`${name}-text`).textContent = `${name}: ${describeStep(trace, at)}`;
    return {name, at, trace};
  });
  // Each solver's own final value: csmo's kernel values are rounded differently, so that its
  // optimum differs in about the seventh digit.
  drawPlot(byId('objective-plot'), lines.map(({name, at, trace}) =>
    ({name, at, values: Array.from(trace.objective, (value) => value - trace.objective.at(-1))})));
  drawPlot(byId('violation-plot'), lines.map(({name, at, trace}) =>
    ({name, at, values: trace.violation})));
  byId('step').max = longest;
  byId('step').value = traces.step;
  byId('step-text').textContent = `${traces.step} of ${longest}`;
}

function play(on) {
  clearInterval(traces.timer);
  traces.timer = null;
  byId('play').textContent = on ? 'Pause' : 'Play';
  if (!on) return;
  if (traces.step >= Number(byId('step').max)) traces.step = 0;
  traces.timer = setInterval(() => {
    ++traces.step;
    showStep();
    if (traces.step >= Number(byId('step').max)) play(false);
  }, 150);
}

function clearTraces() {
  play(false);
  if (studyOfTraces.busy) {
    studyOfTraces.stop();
    say('compare-status', 'The points or the parameters have changed: record again.');
  }
  traces.runs = null;
  byId('traces').hidden = true;
  byId('pair').hidden = byId('pair-label').hidden = true;
  for (const id of ['play', 'back', 'forth', 'step']) byId(id).disabled = true;
  byId('step-text').textContent = '';
}

function showTraces({runs}) {
  const missing = runs.some((run) => run.traces.length === 0);
  if (missing || runs.some((run) => run.traces.some((trace) => !trace.complete))) {
    say('compare-status', missing ?
      'Too large to be recorded: at most 2000 variables (a regression has two for each point).' :
      'Too long to be recorded: at most 20,000 steps and a million changes.');
    return;
  }
  traces.runs = runs;
  traces.pair = traces.step = 0;
  byId('traces').hidden = false;
  for (const id of ['play', 'back', 'forth', 'step']) byId(id).disabled = false;
  const pairs = runs[0].traces;
  byId('pair').replaceChildren(...pairs.map((trace, k) => {
    const names = trace.classes && trace.classes.map((row) => traces.data.labels[row]);
    return new Option(names ? names.join(' and ') : '', k);
  }));
  byId('pair').hidden = byId('pair-label').hidden = pairs.length < 2;
  const [smo, csmo] = runs.map((run) => run.result);
  say('compare-status', `smo took ${smo.iterations} iterations, csmo ${csmo.iterations}` +
    `${csmo.phases ? ` and ${csmo.phases} phases` : ''}. The objectives are ` +
    `${brief(smo.objective, 8)} and ${brief(csmo.objective, 8)}.`);
  showStep();
}

const studyOfTraces = new Engine({
  compared: showTraces,
  failed: ({error}) => say('compare-status', error),
});

function compare() {
  clearTraces();
  const machine = currentMachine('smo');
  const rows = rowsOf(state.points, currentType());
  traces.data = {...rows, points: state.points, view: state.view, machine};
  say('compare-status', 'Recording…');
  studyOfTraces.send({kind: 'compare', data: rows,
    machines: [machine, currentMachine(byId('phases').checked ? 'csmo' : 'csmo-off')]});
}

function listenToTraces() {
  const goTo = (step) => {
    play(false);
    traces.step = step;
    showStep();
  };
  byId('compare').onclick = compare;
  byId('phases').onchange = () => { if (traces.runs) compare(); };
  byId('play').onclick = () => play(traces.timer === null);
  byId('back').onclick = () => goTo(traces.step - 1);
  byId('forth').onclick = () => goTo(traces.step + 1);
  byId('step').oninput = () => goTo(byId('step').valueAsNumber);
  byId('pair').onchange = () => {
    traces.pair = Number(byId('pair').value);
    goTo(0);
  };
}
