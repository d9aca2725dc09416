// The designs that were taken, A and B: their files, what they have and came to, and layer by layer.
(function() {
const {state} = vantage;
const kSides = ['A', 'B'];
const taken = () => state.pins.filter((i) => i >= 0);
const ratio_text = (ratio) => !Number.isFinite(ratio) ? '' : ratio === 1 ? '=' : `× ${ratio.toPrecision(3)}`;

// Their files -------------------------------------------------------------------------------------------------------

function copy(text, button) {
  const said = () => {
    button.text('Copied');
    setTimeout(() => button.text('Copy'), 1500);
  };
  const by_hand = () => {
    const area = d3.select('body').append('textarea').property('value', text);
    area.node().select();
    document.execCommand('copy');
    area.remove();
    said();
  };
  if (navigator.clipboard)
    navigator.clipboard.writeText(text).then(said, by_hand);
  else
    by_hand();
}
function show_files() {
  const file = d3.select('#files').selectAll('div.file').data(taken()).join((enter) => {
    const made = enter.append('div').attr('class', 'file');
    made.append('h3');
    made.append('p').attr('class', 'quiet small');
    for (const which of ['config', 'memory']) {
      const part = made.append(which === 'config' ? 'div' : 'details');
      if (which === 'memory') part.append('summary').attr('class', 'quiet small').text('its memory');
      part.attr('class', 'json ' + which).append('button').attr('type', 'button').text('Copy');
      part.append('pre').attr('tabindex', 0);
    }
    return made;
  });
  file.select('h3').text((i, k) => `${kSides[k]}: ${vantage.sweep.name_of(i)}`);
  file.select('p').text((i) => `For vantage run --config FILE, with memory ${vantage.sweep.memory_of(i).name}.`);
  for (const [which, of] of [
           ['config', (i) => vantage.sweep.config_of(i)], ['memory', (i) => vantage.sweep.memory_of(i)]]) {
    const text = (i) => JSON.stringify(of(i), null, 2);
    file.select('.' + which + ' pre').text(text);
    file.select('.' + which + ' button').on('click', function(i) { copy(text(i), d3.select(this)); });
  }
}

// Side by side ------------------------------------------------------------------------------------------------------

function show_values() {
  const designs = taken(), [a, b] = designs;
  const axes = vantage.sweep.axes.filter((axis) => axis.varies || axis.kind === 'result');
  const table = d3.select('#side-by-side');
  table.select('thead tr')
      .selectAll('th')
      .data(['', ...designs.map((i, k) => kSides[k]), ...(designs.length > 1 ? ['B to A'] : [])])
      .join('th')
      .attr('scope', 'col')
      .attr('class', (d, k) => k > 0 ? 'number' : null)
      .text((d) => d);
  const differs = (axis) => designs.length > 1 && axis.values[a] !== axis.values[b];
  const row = table.select('tbody')
                  .selectAll('tr')
                  .data(axes.filter((axis) => designs.some((i) => !Number.isNaN(axis.values[i]))))
                  .join('tr')
                  .attr('class', (axis) => differs(axis) ? 'differs' : null);
  row.selectAll('td')
      .data(
          (axis) =>
              [axis.name + (differs(axis) && axis.kind === 'key' ? ' ≠' : ''),
               ...designs.map((i) => axis.text(axis.values[i])),
               ...(designs.length > 1 ? [axis.kind === 'key' ? '' : ratio_text(axis.values[b] / axis.values[a])] : [])])
      .join('td')
      .attr('class', (d, k) => k > 0 ? 'number' : null)
      .text((d) => d);
}

// Layers ------------------------------------------------------------------------------------------------------------

// Of both designs by name, in the order of A; what only B has comes last.
function joined(lists) {
  const rows = new Map();
  for (const [k, list] of lists.entries()) {
    for (const layer of list) {
      if (!rows.has(layer.name)) rows.set(layer.name, {name: layer.name, sides: [null, null]});
      rows.get(layer.name).sides[k] = layer;
    }
  }
  return [...rows.values()];
}
const known = (value) => value === undefined || value < 0 ? NaN : value;

function layer_columns(designs) {
  const {macs} = Object.fromEntries(vantage.sweep.by_name);
  const columns = [{name: 'layer', of: (d) => d.name, is_name: true}];
  const repeats = (d) => Math.max(...d.sides.map((layer) => layer?.repeats ?? 0));
  columns.push({name: 'times', of: repeats, text: (n) => n === 1 ? '' : `× ${n}`});
  const both = (name, of, text) => {
    designs.forEach((i, k) => columns.push({name: `${name} ${kSides[k]}`, of: (d) => of(d.sides[k], i), text}));
  };
  both('cycles', (layer) => known(layer?.cycles), vantage.whole);
  if (designs.length > 1) {
    columns.push({name: 'B to A', of: (d) => known(d.sides[1]?.cycles) / known(d.sides[0]?.cycles), text: ratio_text});
  }
  if (vantage.sweep.workload.layers.pj) {
    both('energy', (layer) => known(layer?.pj), (pj) => vantage.prefixed(1e-12 * pj, 'J'));
    if (designs.length > 1) {
      columns.push({name: 'energy B to A', of: (d) => known(d.sides[1]?.pj) / known(d.sides[0]?.pj), text: ratio_text});
    }
  }
  both('bytes', (layer) => known(layer?.bytes), (n) => vantage.text(vantage.bytes(n)));
  both(
      'MACs', (layer, i) => layer?.useful ? layer.useful / (known(layer.cycles) * macs.values[i]) : NaN,
      vantage.percent);
  return columns;
}
let table = null;
async function show_layers() {
  const designs = taken();
  const lists = await Promise.all(designs.map((i) => vantage.sweep.layers_of(i)));
  if (designs.some((i, k) => i !== taken()[k])) return;  // others were taken meanwhile
  const missing = kSides.filter((side, k) => lists[k] === null);
  d3.select('#layers-note')
      .attr('hidden', missing.length > 0 ? null : '')
      .text(
          `The page does not have the layers of ${missing.join(' and ')}: it has those of the ` +
          `${vantage.counted(vantage.sweep.workload.layers.count, 'design')} on a front, or the fastest.`);
  const rows = joined(lists.map((list) => list ?? []));
  d3.select('#compared-layers').attr('hidden', rows.length > 0 ? null : '');
  table ??= new vantage.SortedTable('#compared-layers');
  table.show(layer_columns(designs), rows, true);
}

vantage.draw_designs = function() {
  const fill = function() {
    const designs = taken();
    d3.select('#designs-hint').attr('hidden', designs.length < 2 ? null : '');
    d3.select('#designs-hint')
        .text(
            designs.length === 0 ? 'Click a design, in the plot, between the axes or in the front, to see it here.' :
                                   'Click another design to put it beside this one.');
    d3.select('#designs-shown').attr('hidden', designs.length > 0 ? null : '');
    d3.selectAll('#swap, #forget').attr('disabled', designs.length > 0 ? null : '');
    show_files();
    if (designs.length > 0) {
      show_values();
      show_layers();
    }
  };
  d3.select('#swap').on('click', () => {
    const [a, b] = state.pins;
    if (b >= 0) state.pins = [b, a];
    state.tell('pins');
  });
  d3.select('#forget').on('click', () => {
    state.pins = [-1, -1];
    state.tell('pins');
  });
  fill();
  state.on('pins', fill);
  state.on('workload', fill);
};
})();
