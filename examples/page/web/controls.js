// The parameters: type, kernel, solver and numbers, and the results of training.

// Fields for numbers, with their bounds; those with `log` have a slider over powers of two.
const fields = {
  c: {name: 'C', value: 8, log: [-5, 15], above: 0},
  nu: {name: 'nu', value: 0.2, slider: [0.01, 1, 0.01], above: 0, most: 1},
  p: {name: 'epsilon (tube)', value: 0.05, slider: [0, 0.3, 0.005], least: 0},
  gamma: {name: 'gamma', value: 8, log: [-7, 10], above: 0},
  degree: {name: 'degree', value: 3, slider: [1, 10, 1], least: 0, integer: true},
  coef0: {name: 'coef0', value: 1, slider: [-5, 5, 0.1]},
  eps: {name: 'tolerance', value: 0.001, log: [-20, 0], above: 0},
};

const currentType = () => Number(byId('type').value);

// For example "1,000", which is 1000 to some people and 1 to others.
const hasTwoMeanings = (text) => /^[+-]?[1-9]\d{0,2},\d{3}$/.test(text);

// The number in a field, with a decimal point or comma; NaN if it has none, or one of two meanings.
function numberIn(id) {
  const text = byId(id).value.trim();
  const isNumber = /^[+-]?(\d+[.,]?\d*|[.,]\d+)(e[+-]?\d+)?$/i.test(text);
  return isNumber && !hasTwoMeanings(text) ? Number(text.replace(',', '.')) : NaN;
}

// What is wrong with the number in a field, or null.
function faultOfField(id, {name, above, least, most, integer}) {
  const text = byId(id).value.trim(), value = numberIn(id);
  if (hasTwoMeanings(text)) {
    return `${name}: write ${text.replace(',', '')} or ${text.replace(',', '.')}`;
  }
  if (!Number.isFinite(value)) return `${name} is not a number`;
  if (integer && !Number.isInteger(value)) return `${name} is not a whole number`;
  if (!(value <= above || value < least || value > most)) return null;
  const bounds = {above, 'at least': least, 'at most': most};
  return `${name} must be ` + Object.entries(bounds).filter(([, bound]) => bound !== undefined)
    .map(([words, bound]) => `${words} ${bound}`).join(' and ');
}

function makeFields() {
  for (const [id, field] of Object.entries(fields)) {
    const label = document.createElement('label');
    label.htmlFor = id;
    label.textContent = field.name;
    label.title = kMeanings[field.name];
    const input = document.createElement('input');
    Object.assign(input, {id, type: 'text', value: field.value});
    if (id !== 'coef0') input.inputMode = 'decimal';  // some phones then show no minus
    const slider = document.createElement('input');
    slider.type = 'range';
    slider.setAttribute('aria-label', `${field.name}, slider`);
    const [low, high, step] = field.log ? [...field.log, 0.5] : field.slider;
    Object.assign(slider, {min: low, max: high, step});
    const follow = () => {
      slider.value = field.log ? Math.log2(numberIn(id)) : numberIn(id);
    };
    slider.oninput = () => {
      const value = slider.valueAsNumber;
      input.value = field.log ? Number((2 ** value).toPrecision(4)) : value;
      machineChanged();
    };
    input.oninput = () => {
      follow();
      machineChanged();
    };
    field.parts = [label, input, slider];
    field.set = (value) => {
      input.value = value;
      follow();
    };
    byId('numbers').append(...field.parts);
    follow();
  }
}

// The fields that the type and the kernel use.
function showFields() {
  const type = currentType(), kernel = Number(byId('kernel').value);
  const shown = {
    c: type === kTypes.C_SVC || isRegression(type),
    nu: type === kTypes.NU_SVC || type === kTypes.ONE_CLASS || type === kTypes.NU_SVR,
    p: type === kTypes.EPSILON_SVR,
    gamma: kernel > 0,
    degree: kernel === 1,
    coef0: kernel === 1 || kernel === 3,
    eps: true,
  };
  for (const [id, field] of Object.entries(fields)) {
    for (const part of field.parts) part.hidden = !shown[id];
    field.isShown = shown[id];
  }
}

// The first fault of fields that are shown, or null.
const faultOfFields = () => Object.entries(fields).filter(([, field]) => field.isShown)
  .map(([id, field]) => faultOfField(id, field)).find((fault) => fault) || null;

// The numbers in the order of native/page.h.  `changes` replaces some of them, by their names here.
function currentMachine(solver = byId('solver').value, changes = {}) {
  const number = (id) => {
    const value = id in changes ? changes[id] : numberIn(id);
    return fields[id].isShown ? value : fields[id].value;
  };
  const kCacheSize = 100, kShrinking = 1;  // svm-train's defaults
  return {
    solver: solver.replace('-off', ''),
    freeSet: solver !== 'csmo-off',
    numbers: [currentType(), Number(byId('kernel').value), number('degree'), number('gamma'),
      number('coef0'), number('c'), number('nu'), number('p'), number('eps'), kCacheSize,
      kShrinking],
  };
}

const brief = (value, digits = 6) => String(Number(value.toPrecision(digits)));

function showFacts(result) {
  const statuses = ['converged', 'limit of iterations', 'limit of time', 'cancelled', 'stalled',
    'imprecise'];
  const rows = [['support vectors', `${result.vectors} of ${state.points.length}`],
    ['iterations', result.iterations]];
  if (result.conjugateSteps > 0) {
    rows.push(['conjugate steps', `${result.conjugateSteps}, ${result.clippedSteps} clipped`]);
  }
  if (result.phases > 0) rows.push(['phases', result.phases]);
  rows.push(['objective', brief(result.objective, 8)],
    ['violation', result.violation.toExponential(1)],
    ['kernel rows', result.kernelRows], ['time', `${brief(1000 * result.seconds, 2)} ms`],
    ['end', statuses[result.status]]);
  byId('facts').replaceChildren(...rows.flatMap(([name, value]) => {
    const dt = document.createElement('dt'), dd = document.createElement('dd');
    dt.textContent = name;
    dt.title = kMeanings[name];
    dd.textContent = value;
    return [dt, dd];
  }));
}
