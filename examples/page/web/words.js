// The page's wording of the library's messages, which name svm-train's options.

// Warnings: a pattern, and the page's wording, or null if the page's user could do nothing about
// it.
const kWarnings = [
  [/only one class/, 'all points are of one class: put some of another one'],
  [/-h 0/, null],  // about speed; the page always shrinks, as svm-train does
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

// The library uses its own parameter names for the fields `p` and `eps`.
const faultInWords = (fault) =>
  fault.replace(/^(p|eps) (?=<)/, (_, id) => `${fields[id].name} `);
