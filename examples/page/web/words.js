// What terms mean, and the page's words for messages of the library that name svm-train's options.

const kMeanings = {
  C: 'The price of errors. With a larger C, the model follows the training points more closely.',
  nu: 'At most this fraction of the points lies on the wrong side of the margin or outside the ' +
    'tube. At least this fraction are support vectors.',
  'epsilon (tube)': 'Half the height of the tube around the curve. Points inside cost nothing.',
  gamma: 'The factor of the squared distance of two points (RBF), or of their dot product. With ' +
    'RBF and a larger gamma, each point acts on a smaller neighbourhood.',
  degree: 'The exponent of the polynomial kernel.',
  coef0: 'The constant that is added to the dot product.',
  tolerance: 'Training ends when the violation is below this number.',
  'support vectors': 'The points whose coefficient is not 0. The model consists of them.',
  iterations: 'The steps of the solver. Each of them changes two or more coefficients.',
  'conjugate steps': 'The steps of csmo that keep what the steps before them have gained. A ' +
    'clipped step was cut short because a coefficient reached its bound.',
  phases: 'How often csmo solved for all coefficients between their bounds at once.',
  objective: 'The value of the function that training minimises.',
  violation: 'How far the coefficients are from meeting the conditions of an optimum.',
  'kernel rows': 'How many rows of the kernel matrix were computed. A row has the kernel values ' +
    'of one point and all others. Training spends most of its time on them.',
  time: 'The time that training took in this browser.',
  end: 'Why training ended. "converged" means that the violation is below the tolerance; ' +
    '"stalled" and "imprecise" mean that rounding prevents a better result.',
};

// Warnings: a pattern, and the page's wording, or null if the page's user could do nothing about
// it.
const kWarnings = [
  [/only one class/, 'all points are of one class: put some of another class'],
  [/-h 0/, null],  // about speed; the page always shrinks, as svm-train does
  [/sums of kernel values are too large/, 'sums of kernel values are too large for the tolerance: ' +
    'choose a larger tolerance, or a smaller C'],
  [/kernel values are too large/, 'kernel values are too large for the tolerance: choose a ' +
    'larger tolerance, or smaller gamma, coef0 or degree'],
  [/overflow/, 'kernel values are too large: choose smaller gamma, coef0 or degree'],
  [/no further progress/, 'no further progress, as kernel values are rounded: smaller gamma, ' +
    'coef0 or degree may help'],
];

// Facts from the text that a training printed.
function warningsIn(log) {
  return log.split('\n').filter((line) => /^WARNING: /.test(line)).map((line) => {
    const known = kWarnings.find(([pattern]) => pattern.test(line));
    return known ? known[1] : line.replace(/^WARNING: /, '');
  }).filter((words) => words !== null);
}

const faultInWords = (fault) => fault === 'specified nu is infeasible' ?
  'nu is too large for classes of such different sizes' : fault;
