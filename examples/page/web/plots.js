// Draws lines over the iterations, on a logarithmic scale.

const plotColour = (name) => cssColour(name === 'smo' ? 1 : 0);
const themeColour = (name) =>
  getComputedStyle(document.documentElement).getPropertyValue(name).trim();

// lines: {name, values, at}, with a value for each iteration; the one at `at` is marked.  Values
// that are not above 0 are left out.
function drawPlot(canvas, lines) {
  const scale = fitCanvas(canvas, 220 / 360);
  const {width, height} = canvas, context = canvas.getContext('2d');
  const left = 46 * scale, right = width - 10 * scale, top = 10 * scale;
  const bottom = height - 24 * scale;
  const positive = lines.flatMap((line) => Array.from(line.values).filter((value) => value > 0));
  context.clearRect(0, 0, width, height);
  if (positive.length === 0) return;
  const exponent = (value) => Math.log10(value);
  const low = Math.floor(exponent(positive.reduce((a, b) => Math.min(a, b))));
  const high = Math.max(Math.ceil(exponent(positive.reduce((a, b) => Math.max(a, b)))), low + 1);
  const most = Math.max(...lines.map((line) => line.values.length - 1), 1);
  const x = (i) => left + (right - left) * i / most;
  const y = (value) => bottom - (bottom - top) * (exponent(value) - low) / (high - low);
  context.font = `${11 * scale}px system-ui, sans-serif`;
  context.fillStyle = themeColour('--soft');
  context.strokeStyle = themeColour('--line');
  context.lineWidth = scale;
  context.textAlign = 'right';
  const by = Math.ceil((high - low) / 6);
  for (let e = low; e <= high; e += by) {
    context.beginPath();
    context.moveTo(left, y(10 ** e));
    context.lineTo(right, y(10 ** e));
    context.stroke();
    context.fillText(`1e${e}`, left - 6 * scale, y(10 ** e) + 4 * scale);
  }
  context.fillText(`${most} steps`, right, bottom + 17 * scale);
  context.textAlign = 'left';
  context.fillText('0', left, bottom + 17 * scale);
  for (const {name, values, at} of lines) {
    context.strokeStyle = context.fillStyle = plotColour(name);
    context.lineWidth = 1.8 * scale;
    context.beginPath();
    let drawing = false;
    values.forEach((value, i) => {
      if (value > 0) context[drawing ? 'lineTo' : 'moveTo'](x(i), y(value));
      drawing = drawing || value > 0;
    });
    context.stroke();
    if (values[at] > 0) {
      context.beginPath();
      context.arc(x(at), y(values[at]), 4 * scale, 0, 2 * Math.PI);
      context.fill();
    }
  }
  lines.forEach(({name}, k) => {
    const base = top + (14 + 15 * k) * scale;
    context.fillStyle = plotColour(name);
    context.fillRect(right - 56 * scale, base - 5 * scale, 14 * scale, 3 * scale);
    context.fillStyle = themeColour('--soft');
    context.textAlign = 'left';
    context.fillText(name, right - 38 * scale, base);
  });
}
