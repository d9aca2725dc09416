// The table of layers: sorted by any column, filtered by what one types, and where a layer is chosen.
(function() {
const or_nothing = (value, text) => value === undefined || value === null || Number.isNaN(value) ? '' : text(value);
// A column: its heading, what it sorts by, its text; names are read, numbers lined up.
const columns = [
  {name: 'layer', of: (d) => d.name, is_name: true},
  {name: 'operator', of: (d) => d.op, is_name: true},
  {name: 'on', of: (d) => d.device, is_name: true},
  {name: 'cycles', of: (d) => d.cycles, text: vantage.whole},
  {name: 'µs', of: (d) => 1e6 * d.seconds, text: (v) => d3.format(',.1f')(v)},
  {name: 'of the time', of: (d) => d.share, text: (v) => vantage.percent(v), bar: true},
  {
    name: 'useful GOPS',
    of: (d) => d.cycles && d.useful ? 1e-9 * d.useful / d.seconds : undefined,
    text: (v) => v.toFixed(1)
  },
  {
    name: 'with padding',
    of: (d) => d.cycles && d.executed ? 1e-9 * d.executed / d.seconds : undefined,
    text: (v) => v.toFixed(1)
  },
  {name: 'KiB', of: (d) => d.bytes / 1024, text: (v) => d3.format(',.1f')(v)},
  {name: 'energy', of: (d) => d.pj, text: (pj) => vantage.prefixed(1e-12 * pj, 'J')},
  {name: '× least', of: (d) => over_least(d), text: (v) => v.toFixed(2)},
  {
    name: 'of its bound',
    of: (d) => d.bound && d.cycles ? d.bound / d.cycles : undefined,
    text: (v) => vantage.percent(v)
  },
];

function over_least(layer) {
  const known = (layer.traffic ?? []).filter((t) => t.bytes > 0);
  if (known.length === 0 || known.some((t) => t.least === undefined)) return undefined;
  const least = d3.sum(known, (t) => t.least);
  return least > 0 ? d3.sum(known, (t) => t.bytes) / least : undefined;
}

vantage.draw_table = function() {
  const total = d3.sum(vantage.report.layers, (layer) => layer.seconds);
  const pj = new Map((vantage.report.energy?.layers ?? []).map((layer) => [layer.name, layer.total]));
  const rows =
      vantage.report.layers.map((layer, i) => ({...layer, i, share: layer.seconds / total, pj: pj.get(layer.name)}));
  const used = columns.filter((column) => rows.some((d) => or_nothing(column.of(d), String) !== ''));
  const table = vantage.section('layers');
  let sorted = {column: null, descending: false};
  const head = table.append('thead')
                   .append('tr')
                   .selectAll('th')
                   .data(used)
                   .join('th')
                   .attr('class', (c) => c.is_name ? null : 'number')
                   .attr('scope', 'col');
  head.append('button').attr('type', 'button').text((c) => c.name).on('click', (column) => {
    const again = sorted.column === column;
    sorted = {column, descending: again ? !sorted.descending : !column.is_name};
    draw();
  });
  const body = table.append('tbody');

  function draw() {
    const wanted = d3.select('#layers-filter').property('value').trim().toLowerCase();
    const shown = rows.filter((d) => `${d.name} ${d.op} ${d.device}`.toLowerCase().includes(wanted));
    const {column, descending} = sorted;
    if (column) {
      // What has no value comes last either way
      const missing = (d) => or_nothing(column.of(d), String) === '';
      shown.sort(
          (a, b) => missing(a) - missing(b) ||
              (descending ? d3.descending : d3.ascending)(column.of(a), column.of(b)) || a.i - b.i);
    }
    head.attr('aria-sort', (c) => c !== column ? null : descending ? 'descending' : 'ascending');
    const row = body.selectAll('tr').data(shown, (d) => d.i).join((enter) => {
      const made = enter.append('tr').attr('tabindex', 0);
      for (const c of used) {
        const cell = made.append('td').attr('class', c.is_name ? 'name' : 'number');
        if (c.bar) {
          cell.append('span')
              .attr('class', 'bar')
              .style('width', (d) => `${60 * c.of(d)}px`)
              .style('margin-right', '8px');
        }
        cell.append('span').text((d) => or_nothing(c.of(d), c.text ?? String));
        if (c.is_name) cell.attr('title', c.of);
      }
      return made;
    });
    row.order()
        .attr('aria-selected', (d) => d.i === vantage.selected)
        .on('click', (d) => vantage.select(d.i))
        .on('keydown', (d) => {
          if (d3.event.key === 'Enter') vantage.select(d.i);
        });
  }
  d3.select('#layers-filter').on('input', draw);
  vantage.on_select(draw);
  draw();
};
})();
