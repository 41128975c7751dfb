// The decision surface as an image, and its contours.

// Colours of the classes as [r, g, b], the same in light and dark mode, with a contrast of at least
// 3:1 on both backgrounds.
const kColours = [[59, 111, 212], [218, 112, 40], [46, 157, 108], [139, 92, 199],
  [209, 73, 107], [38, 150, 173]];
const cssColour = (c, alpha = 1) => `rgba(${kColours[c].join(',')},${alpha})`;
const isDark = () => document.documentElement.dataset.theme === 'dark';

// Black or white, whichever has the higher contrast on a colour: at least 4.5:1 by WCAG.
function inkOn(colour) {
  const [r, g, b] = colour.map((byte) =>
    byte <= 10 ? byte / 255 / 12.92 : ((byte / 255 + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.179 ? '#000000' : '#ffffff';
}

// The colour of a decision value: that of the class on its side, stronger beyond the margin.
function tintOf(value) {
  return 0.14 + 0.24 * Math.min(1, Math.abs(value));
}

// surface: size, labels, values and type.  Returns a canvas of size x size.
function surfaceImage(surface) {
  const {size, labels, values, type} = surface;
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = size;
  const context = canvas.getContext('2d');
  const image = context.createImageData(size, size);
  for (let k = 0; k < size * size; ++k) {
    let colour = state.labels.indexOf(labels[k]), alpha = 0.3;
    if (type === kTypes.ONE_CLASS) {
      colour = 0;
      alpha = labels[k] > 0 ? 0.28 : 0;
    } else if (values.length === labels.length) {
      alpha = tintOf(values[k]);
    }
    if (colour < 0) continue;
    image.data.set(kColours[colour], 4 * k);
    image.data[4 * k + 3] = Math.round(255 * alpha);
  }
  context.putImageData(image, 0, 0);
  return canvas;
}

// The line segments along which the values of a grid of cells cross a level: [u, v, u, v] in
// fractions of the board, by linear interpolation along the edges of squares between cell centres.
function contour(values, size, level) {
  const segments = [];
  const cross = (a, b) => (level - a) / (b - a);
  for (let r = 0; r + 1 < size; ++r) {
    for (let c = 0; c + 1 < size; ++c) {
      const k = r * size + c;
      const q = [values[k], values[k + 1], values[k + size + 1], values[k + size]];
      const ends = [];
      const u = c + 0.5, v = r + 0.5;
      if (q[0] > level !== q[1] > level) ends.push([u + cross(q[0], q[1]), v]);
      if (q[1] > level !== q[2] > level) ends.push([u + 1, v + cross(q[1], q[2])]);
      if (q[3] > level !== q[2] > level) ends.push([u + cross(q[3], q[2]), v + 1]);
      if (q[0] > level !== q[3] > level) ends.push([u, v + cross(q[0], q[3])]);
      for (let e = 0; e + 1 < ends.length; e += 2) {
        segments.push(ends[e][0] / size, ends[e][1] / size,
          ends[e + 1][0] / size, ends[e + 1][1] / size);
      }
    }
  }
  return segments;
}

// The class with the most votes of the pairs, the first if there are several.  values: those of the
// pairs (0, 1), (0, 2), ..., (1, 2), ... from an offset on; a value above 0 is a vote for the first
// class of the pair.
const votes = new Uint8Array(kClasses);
function winnerOf(values, from, classes) {
  votes.fill(0);
  let pair = from, winner = 0;
  for (let a = 0; a < classes; ++a) {
    for (let b = a + 1; b < classes; ++b) ++votes[values[pair++] > 0 ? a : b];
  }
  for (let c = 1; c < classes; ++c) if (votes[c] > votes[winner]) winner = c;
  return winner;
}

// The fraction of the way from p to q at which another class begins to win, if each pair's value is
// interpolated linearly.
function changeOfWinner(p, q, classes) {
  const values = p.slice(), first = winnerOf(values, 0, classes);
  const turns = [];
  p.forEach((value, pair) => {
    if (value > 0 !== q[pair] > 0) turns.push([value / (value - q[pair]), pair]);
  });
  turns.sort(([s], [t]) => s - t);
  for (const [at, pair] of turns) {
    values[pair] = q[pair];
    if (winnerOf(values, 0, classes) !== first) return at;
  }
  return 1;
}

// Likewise, the borders between several classes; values: those of the pairs, cell by cell.
function borders(values, size) {
  const pairs = values.length / (size * size), classes = (1 + Math.sqrt(1 + 8 * pairs)) / 2;
  const at = (k) => values.subarray(k * pairs, (k + 1) * pairs);
  const winners = new Uint8Array(size * size);
  for (let k = 0; k < winners.length; ++k) winners[k] = winnerOf(values, k * pairs, classes);
  const segments = [];
  for (let r = 0; r + 1 < size; ++r) {
    for (let c = 0; c + 1 < size; ++c) {
      const k = r * size + c, same = winners[k];
      if (winners[k + 1] === same && winners[k + size] === same &&
        winners[k + size + 1] === same) continue;
      const corners = [[k, 0, 0], [k + 1, 1, 0], [k + size + 1, 1, 1], [k + size, 0, 1]];
      const ends = [];
      corners.forEach(([p, x, y], i) => {
        const [q, toX, toY] = corners[(i + 1) % 4];
        if (winners[p] === winners[q]) return;
        // Starts from the lower cell, so that both squares at an edge find the same point.
        const t = p < q ? changeOfWinner(at(p), at(q), classes) :
          1 - changeOfWinner(at(q), at(p), classes);
        ends.push([(c + 0.5 + x + t * (toX - x)) / size, (r + 0.5 + y + t * (toY - y)) / size]);
      });
      if (ends.length === 2) segments.push(...ends[0], ...ends[1]);
      if (ends.length < 3) continue;
      // Several classes meet in the square.
      const middle = [0, 1].map((i) => ends.reduce((sum, end) => sum + end[i], 0) / ends.length);
      for (const end of ends) segments.push(...end, ...middle);
    }
  }
  return segments;
}

function strokeSegments(context, segments, side) {
  context.beginPath();
  for (let s = 0; s < segments.length; s += 4) {
    context.moveTo(segments[s] * side, segments[s + 1] * side);
    context.lineTo(segments[s + 2] * side, segments[s + 3] * side);
  }
  context.stroke();
}
