// What every part of the page uses: the document, numbers as text, colours, the tip, and which layer is selected.
const vantage = {};
(function() {
vantage.report = JSON.parse(document.getElementById('document').textContent);

// Numbers -----------------------------------------------------------------------------------------------------------

const whole = new Intl.NumberFormat('en', {maximumFractionDigits: 0});
vantage.whole = (n) => whole.format(n);
// Three digits that count, as "12.3" or "1,234".
vantage.number = function(n) {
  const size = Math.abs(n);
  if (size >= 100 || Number.isInteger(n)) return whole.format(n);
  return n.toFixed(size >= 10 ? 1 : size >= 0.1 || size === 0 ? 2 : 3);
};
vantage.percent = (share) => (100 * share).toFixed(share > 0 && share < 0.0995 ? 1 : 0) + ' %';
const scaled = function(n, base, units) {
  let i = 0;
  for (; Math.abs(n) >= base && i + 1 < units.length; ++i) n /= base;
  return [vantage.number(n), units[i]];
};
// Each gives a number and its unit.
vantage.bytes = (n) => scaled(n, 1024, ['B', 'KiB', 'MiB', 'GiB']);
vantage.operations = (n) => scaled(n, 1000, ['op/s', 'kop/s', 'MOPS', 'GOPS', 'TOPS']);
vantage.seconds = function(s) {
  if (s >= 1) return [vantage.number(s), 's'];
  return s >= 1e-3 ? [vantage.number(1e3 * s), 'ms'] : [vantage.number(1e6 * s), 'µs'];
};
vantage.text = (pair) => pair.join(' ');
// "1.23 µJ" of joules, and the same of other units.
vantage.prefixed = function(value, unit) {
  const prefixes = [[1, ''], [1e-3, 'm'], [1e-6, 'µ'], [1e-9, 'n'], [1e-12, 'p'], [1e-15, 'f'], [1e-18, 'a']];
  const [scale, prefix] = prefixes.find(([scale]) => value >= scale) ?? [1e-12, 'p'];
  return `${vantage.number(value / scale)} ${prefix}${unit}`;
};
vantage.counted = (n, what) => `${vantage.whole(n)} ${what}${n === 1 ? '' : 's'}`;

// Colours -----------------------------------------------------------------------------------------------------------

vantage.colour = (name) => getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim();
vantage.engine_colours = ['load', 'compute', 'gemm', 'alu', 'store', 'other'];
const redraws = [];
vantage.on_theme = (redraw) => redraws.push(redraw);
vantage.set_theme = function(theme) {
  document.documentElement.dataset.theme = theme;
  for (const redraw of redraws) redraw();
};

// The tip, at the pointer or beside what has the focus
// -----------------------------------------------------------------

const tip = d3.select('#tip');
vantage.show_tip = function(x, y, fill) {
  tip.text('');
  fill(tip);
  tip.attr('hidden', null);
  const box = tip.node().getBoundingClientRect();
  const left = x + 16 + box.width > innerWidth ? Math.max(4, x - 16 - box.width) : x + 16;
  const top = y + 16 + box.height > innerHeight ? Math.max(4, y - 16 - box.height) : y + 16;
  tip.style('left', left + 'px').style('top', top + 'px');
};
vantage.hide_tip = () => tip.attr('hidden', '');
// Rows of a name and a value each.
vantage.tip_rows = function(into, rows) {
  const row = into.append('table').selectAll('tr').data(rows).join('tr');
  row.append('td').attr('class', 'quiet').text((d) => d[0]);
  row.append('td').text((d) => d[1]);
};

// The layer that was chosen in the table, the roofline or the timeline; null: all
// ---------------------------------------

const listeners = [];
vantage.selected = null;
vantage.on_select = (listener) => listeners.push(listener);
vantage.select = function(layer) {
  vantage.selected = layer === vantage.selected ? null : layer;
  for (const listener of listeners) listener(vantage.selected);
};
vantage.shown_layers = () =>
    vantage.selected === null ? vantage.report.layers : [vantage.report.layers[vantage.selected]];

vantage.section = (name) => {
  d3.select(`#${name}-section`).attr('hidden', null);
  return d3.select('#' + name);
};
})();
