// The decision surface as an image, and its contours.

// Colours of the classes, as [r, g, b]; the same in light and dark.
const kColours = [[59, 111, 212], [226, 122, 50], [46, 157, 108], [139, 92, 199],
  [209, 73, 107], [38, 150, 173]];
const cssColour = (c, alpha = 1) => `rgba(${kColours[c].join(',')},${alpha})`;
const isDark = () => document.documentElement.dataset.theme === 'dark';

// The colour of a decision value: of the class on its side, stronger beyond the margin.
function tintOf(value) {
  return 0.14 + 0.24 * Math.min(1, Math.abs(value));
}

// surface: size, labels, values or null, and type.  Returns a canvas of size x size.
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
    } else if (values) {
      alpha = tintOf(values[k]);
    }
    if (colour < 0) continue;
    image.data.set(kColours[colour], 4 * k);
    image.data[4 * k + 3] = Math.round(255 * alpha);
  }
  context.putImageData(image, 0, 0);
  return canvas;
}

// Line segments where values cross a level, in cells of a grid: [u, v, u, v] in fractions of the
// board, by linear interpolation along the edges of squares between cell centres.
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

// The borders between labels, likewise: contours of each class's part of the cells around a cell.
function borders(labels, size) {
  const around = (array, k, step, at) =>  // the mean of three, at the edge of the first or last
    (array[at > 0 ? k - step : k] + array[k] + array[at + 1 < size ? k + step : k]) / 3;
  const segments = [];
  for (const label of [...new Set(labels)].slice(1)) {
    let part = Float32Array.from(labels, (other) => Number(other === label));
    for (let pass = 0; pass < 2; ++pass) {
      const across = part.map((_, k) => around(part, k, 1, k % size));
      part = across.map((_, k) => around(across, k, size, Math.floor(k / size)));
    }
    for (const end of contour(part, size, 0.5)) segments.push(end);
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
