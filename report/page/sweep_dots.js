// Dots on a canvas: one for all designs of a pixel, the stronger the more they are.
(function() {
const kLevels = [[1, 1, 0.55], [2, 7, 0.75], [8, Infinity, 0.95]];  // how many, from and to, and how strong
let counts = new Uint32Array(0);

// A scale of d3's as a plain function, which a hundred thousand values feel.
function plain(scale) {
  const [d0, d1] = scale.domain(), [r0, r1] = scale.range();
  if (!scale.base) return (v) => r0 + (v - d0) * (r1 - r0) / (d1 - d0);
  const low = Math.log(d0), slope = (r1 - r0) / (Math.log(d1) - low);
  return (v) => r0 + (Math.log(v) - low) * slope;
}

// Of these designs, by their values and scales of both axes, on a canvas of this size.
vantage.draw_dots = function(c, rows, [xs, x], [ys, y], width, height, colour, is_faint = false) {
  const to_x = plain(x), to_y = plain(y);
  if (counts.length < width * height) counts = new Uint32Array(width * height);
  counts.fill(0);
  const cells = [];
  for (const i of rows) {
    const px = to_x(xs[i]), py = to_y(ys[i]);
    if (!(px >= 0 && px < width && py >= 0 && py < height)) continue;
    const cell = Math.floor(py) * width + Math.floor(px);
    if (counts[cell]++ === 0) cells.push(cell);
  }
  c.fillStyle = colour;
  const size = cells.length > 20000 ? 2 : cells.length > 3000 ? 3 : 5;
  for (const [least, most, alpha] of kLevels) {
    c.globalAlpha = is_faint ? 1 : alpha;
    for (const cell of cells) {
      if (counts[cell] < least || counts[cell] > most) continue;
      const px = cell % width + 0.5, py = Math.floor(cell / width) + 0.5;
      if (size === 5) {
        c.beginPath();
        c.arc(px, py, 3.5, 0, 7);
        c.fill();
      } else {
        c.fillRect(px - size / 2, py - size / 2, size, size);
      }
    }
  }
  c.globalAlpha = 1;
};

// The colours of an axis of few values: {value, colour, rows} each, of these rows.
vantage.coloured = function(axis, rows) {
  const is_dark = document.documentElement.dataset.theme === 'dark';
  const [low, high] = is_dark ? [0.3, 1] : [0.02, 0.88], last = Math.max(1, axis.few.length - 1);
  const groups =
      axis.few.map((value, k) => ({value, colour: d3.interpolateViridis(low + (high - low) * k / last), rows: []}));
  const by_value = new Map(groups.map((group) => [group.value, group.rows]));
  for (const i of rows) by_value.get(axis.values[i])?.push(i);
  return groups;
};
})();
