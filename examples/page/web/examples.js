// Data sets made by formulas.  The random draws are the same each time.

function draws(seed) {
  let s = seed;
  const uniform = () => {
    s = (Math.imul(s, 1664525) + 1013904223) >>> 0;
    return s / 4294967296;
  };
  const normal = () =>
    Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
  return {uniform, normal};
}

function manyPoints(count, make) {
  const points = [];
  for (let i = 0; i < count; ++i) {
    const {x, y, c} = make(i, count);
    points.push({x: rounded(x, 1), y: rounded(y, 1), c});
  }
  return points.filter((point) => point.x >= 0 && point.x <= 1 && point.y >= 0 && point.y <= 1);
}

const examples = {
  moons(count = 160) {
    const {normal, uniform} = draws(7);
    return {type: 0, kernel: 2, numbers: {c: 8, gamma: 8}, points: manyPoints(count, (i) => {
      const angle = Math.PI * uniform(), c = i % 2, side = c ? -1 : 1;
      return {x: 0.5 + side * (0.28 * Math.cos(angle) - 0.14) + 0.035 * normal(),
        y: 0.5 + side * (0.34 * Math.sin(angle) - 0.12) + 0.035 * normal(), c};
    })};
  },
  spiral() {
    const {normal} = draws(3);
    return {type: 0, kernel: 2, numbers: {c: 64, gamma: 32}, points: manyPoints(240, (i, count) => {
      const c = i % 2, t = Math.floor(i / 2) / (count / 2);
      const angle = 0.4 + 9.5 * t + c * Math.PI, radius = 0.05 + 0.4 * t;
      return {x: 0.5 + radius * Math.cos(angle) + 0.008 * normal(),
        y: 0.5 + radius * Math.sin(angle) + 0.008 * normal(), c};
    })};
  },
  board() {
    const {uniform} = draws(11);
    return {type: 0, kernel: 2, numbers: {c: 128, gamma: 32}, points: manyPoints(400, () => {
      const x = uniform(), y = uniform();
      return {x, y, c: (Math.floor(4 * x) + Math.floor(4 * y)) % 2};
    })};
  },
  rings() {
    const {normal, uniform} = draws(5);
    return {type: 0, kernel: 2, numbers: {c: 16, gamma: 16}, points: manyPoints(240, (i) => {
      const c = i % 3, angle = 2 * Math.PI * uniform(), radius = 0.05 + 0.16 * c + 0.022 * normal();
      return {x: 0.5 + radius * Math.cos(angle), y: 0.5 + radius * Math.sin(angle), c};
    })};
  },
  sine() {
    const {normal, uniform} = draws(9);
    return {type: 3, kernel: 2, numbers: {c: 16, gamma: 16, p: 0.05},
      points: manyPoints(90, () => {
        const x = uniform();
        return {x, y: 0.5 + 0.33 * Math.sin(2 * Math.PI * x) + 0.035 * normal(), c: 0};
      })};
  },
  blob() {
    const {normal} = draws(13);
    return {type: 2, kernel: 2, numbers: {nu: 0.1, gamma: 16}, points: manyPoints(160, (i) => {
      const side = i % 2 ? 1 : -1;
      return {x: 0.5 + 0.14 * side + 0.07 * normal(), y: 0.5 - 0.1 * side + 0.07 * normal(), c: 0};
    })};
  },
};
