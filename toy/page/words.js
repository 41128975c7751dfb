// The page's words for what the library says, which names svm-train's options.

// Warnings: what to look for, and the page's words, or null if there is nothing that the page's
// user could do.
const kWarnings = [
  [/only one class/, 'all points are of one class: put some of another one'],
  [/-h 0/, null],  // about speed; the page always shrinks, as svm-train does
  [/kernel values are too large/, 'kernel values are too large for the tolerance: choose a ' +
    'larger tolerance, or smaller gamma, coef0 or degree'],
  [/no further progress/, 'no further progress, as kernel values are rounded: smaller gamma, ' +
    'coef0 or degree may help'],
];

// Of the text that a training printed.
function warningsIn(log) {
  return log.split('\n').filter((line) => /^WARNING: /.test(line)).map((line) => {
    const known = kWarnings.find(([pattern]) => pattern.test(line));
    return known ? known[1] : line.replace(/^WARNING: /, '');
  }).filter((words) => words !== null);
}

// The library calls the fields `p` and `eps` by its parameters' names.
const faultInWords = (fault) =>
  fault.replace(/^(p|eps) (?=<)/, (_, id) => `${fields[id].name} `);
