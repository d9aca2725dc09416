// Bars: bytes of each kind of operand against the least, what the stages did, what-ifs, energy, and layers end to end.
(function() {
const kWidth = 560, kRow = 34, kLabel = 104;

function clear(place, height, label) {
  place.selectAll('svg').remove();
  return place.append('svg').attr('viewBox', `0 0 ${kWidth} ${height}`).attr('role', 'img').attr('aria-label', label);
}
function label(row, text) {
  row.append('text')
      .attr('class', 'strong')
      .attr('x', kLabel - 10)
      .attr('y', kRow / 2 + 4)
      .attr('text-anchor', 'end')
      .text(text);
}

// Bytes -------------------------------------------------------------------------------------------------------------

// Of all shown layers; what is not known of one is not known of their sum.
function traffic_of(layers) {
  const sums = new Map();
  for (const {what, bytes, least} of layers.flatMap((layer) => layer.traffic ?? [])) {
    const sum = sums.get(what) ?? {what, bytes: 0, least: 0};
    sum.bytes += bytes;
    sum.least = sum.least === null || least === undefined ? null : sum.least + least;
    sums.set(what, sum);
  }
  return [...sums.values()];
}

function draw_bytes() {
  const all = traffic_of(vantage.shown_layers()).filter((t) => t.bytes > 0);
  const svg = clear(d3.select('#bytes'), Math.max(1, all.length) * kRow + 8, 'Bytes of each kind of operand');
  const x = d3.scaleLinear([0, d3.max(all, (t) => Math.max(t.bytes, t.least ?? 0)) || 1], [0, kWidth - kLabel - 190]);
  const row = svg.selectAll('g').data(all).join('g').attr('transform', (d, i) => `translate(0,${i * kRow})`);
  label(row, (d) => d.what);
  row.append('rect')
      .attr('x', kLabel)
      .attr('y', 9)
      .attr('height', kRow - 18)
      .attr('rx', 2)
      .attr('width', (d) => Math.max(1, x(d.bytes)))
      .attr('fill', 'var(--accent)');
  row.filter((d) => d.least > 0)
      .append('rect')
      .attr('x', (d) => kLabel + x(d.least) - 1)
      .attr('y', 5)
      .attr('width', 2)
      .attr('height', kRow - 10)
      .attr('fill', 'var(--ink)');
  row.append('text')
      .attr('x', (d) => kLabel + x(Math.max(d.bytes, d.least ?? 0)) + 10)
      .attr('y', kRow / 2 + 4)
      .text(
          (d) => vantage.text(vantage.bytes(d.bytes)) +
              (d.least ?
                   d.bytes > 1.005 * d.least ? `, ${vantage.number(d.bytes / d.least)} × the least` : ', the least' :
                                               ''));
  draw_reuse(all);
}
function draw_reuse(all) {
  const place = d3.select('#bytes');
  place.selectAll('p').remove();
  const layers = vantage.shown_layers().filter((layer) => layer.traffic);
  const operations = d3.sum(layers, (layer) => layer.useful ?? layer.executed ?? 0);
  const bytes = d3.sum(all, (t) => t.bytes),
        least = all.every((t) => t.least !== null) ? d3.sum(all, (t) => t.least) : null;
  if (bytes === 0) return;
  let text = `Reuse: ${vantage.number(operations / bytes)} operations for each byte that crossed the bus`;
  if (least) text += `, ${vantage.number(operations / least)} if each had crossed it once`;
  place.append('p').attr('class', 'quiet small').text(text + '.');
  if (all.some((t) => t.least !== null)) {
    place.append('p').attr('class', 'quiet small').text('┃ the least: every operand once.');
  }
}

// Stages --------------------------------------------------------------------------------------------------------------

const kParts = [
  ['busy', 'busy', 'good'], ['memory_wait', 'waits for memory', 'memory'], ['token_wait', 'waits for a token', 'token'],
  ['idle', 'idle', 'faint']
];

function draw_stages() {
  const layers = vantage.shown_layers().filter((layer) => layer.stages);
  const stages = ['load', 'compute', 'store'].map((stage) => {
    const parts = kParts.map(([part]) => d3.sum(layers, (layer) => layer.stages[stage][part]));
    return {stage, parts, total: d3.sum(parts) || 1};
  });
  const svg = clear(d3.select('#stages'), 3 * kRow + 8, 'Cycles of each stage');
  const row = svg.selectAll('g').data(stages).join('g').attr('transform', (d, i) => `translate(0,${i * kRow})`);
  label(row, (d) => d.stage);
  const width = kWidth - kLabel - 8;
  for (const [i, [, name, colour]] of kParts.entries()) {
    const begin = (d) => d3.sum(d.parts.slice(0, i)) / d.total * width;
    const size = (d) => d.parts[i] / d.total * width;
    row.append('rect')
        .attr('x', (d) => kLabel + begin(d))
        .attr('y', 6)
        .attr('height', kRow - 12)
        .attr('width', size)
        .attr('fill', `var(--${colour})`)
        .on('mousemove',
            (d) => {
              const rows = [[`${d.stage}: ${name}`, `${vantage.whole(d.parts[i])} cycles`]];
              rows.push(['', vantage.percent(d.parts[i] / d.total)]);
              vantage.show_tip(d3.event.clientX, d3.event.clientY, (tip) => vantage.tip_rows(tip, rows));
            })
        .on('mouseleave', vantage.hide_tip);
    row.filter((d) => size(d) > 44)
        .append('text')
        .attr('x', (d) => kLabel + begin(d) + size(d) / 2)
        .attr('y', kRow / 2 + 4)
        .attr('text-anchor', 'middle')
        .style('fill', colour === 'faint' ? 'var(--quiet)' : 'var(--card)')
        .text((d) => vantage.percent(d.parts[i] / d.total));
  }
}
function draw_stage_key() {
  const key = d3.select('#stages').append('p').attr('class', 'quiet small tools');
  for (const [, name, colour] of kParts) {
    const item = key.append('span');
    item.append('span').attr('class', 'swatch').style('background', `var(--${colour})`);
    item.append('span').text(name);
  }
}

// What-ifs ------------------------------------------------------------------------------------------------------------

function draw_what_ifs({cycles, changes, how}) {
  const possible = changes.filter((change) => change.cycles);
  const most = Math.max(cycles, d3.max(possible, (change) => change.cycles) ?? 0);
  const rows = [{change: 'as it is', cycles}, ...changes];
  const place = vantage.section('what-ifs');
  const wide = 168, x = d3.scaleLinear([0, most], [0, kWidth - wide - 150]);
  const svg = clear(place, rows.length * kRow, 'Cycles with more of something');
  const row = svg.selectAll('g').data(rows).join('g').attr('transform', (d, i) => `translate(0,${i * kRow})`);
  row.append('text')
      .attr('class', 'strong')
      .attr('x', wide - 10)
      .attr('y', kRow / 2 + 4)
      .attr('text-anchor', 'end')
      .text((d) => d.change);
  row.filter((d) => d.cycles)
      .append('rect')
      .attr('x', wide)
      .attr('y', 9)
      .attr('height', kRow - 18)
      .attr('rx', 2)
      .attr('width', (d) => x(d.cycles))
      .attr('fill', (d) => d.change === 'as it is' ? 'var(--other)' : 'var(--accent)');
  row.filter((d) => d.impossible).append('title').text((d) => d.impossible);
  row.append('text').attr('x', (d) => wide + x(d.cycles ?? 0) + 10).attr('y', kRow / 2 + 4).text((d) => {
    if (!d.cycles) return 'there is none';
    const change = Math.round(100 * (d.cycles / cycles - 1));
    if (d.change === 'as it is') return `${vantage.whole(d.cycles)} cycles`;
    return `${vantage.whole(d.cycles)}, ${
        change === 0 ? 'no change' : (change < 0 ? '−' : '+') + Math.abs(change) + ' %'}`;
  });
  place.append('p').attr('class', 'quiet small').text(how);
  for (const {change, note} of changes.filter((change) => change.note)) {
    place.append('p').attr('class', 'quiet small').text(`${change}: ${note}.`);
  }
}

// Energy: {"technology", "unit": "pJ", "parts": [{"name", "value"}], "total"}, and of runs with time "watts", "edp" and
// "tops_per_watt"
// -------------------------------------------------------------------

const kPartNames = {
  dram: 'memory',
  mac: 'GEMM core',
  alu: 'ALU',
  static: 'static',
  uop: 'UOP',
  inp: 'INP',
  wgt: 'WGT',
  acc: 'ACC',
  out: 'OUT'
};

function draw_energy({technology, parts, total, watts, edp, tops_per_watt}) {
  const place = vantage.section('energy');
  const svg = clear(place, parts.length * kRow, 'Energy of each component');
  const x = d3.scaleLinear([0, d3.max(parts, (part) => part.value) || 1], [0, kWidth - kLabel - 170]);
  const row = svg.selectAll('g').data(parts).join('g').attr('transform', (d, i) => `translate(0,${i * kRow})`);
  label(row, (d) => kPartNames[d.name] ?? d.name);
  row.append('rect')
      .attr('x', kLabel)
      .attr('y', 9)
      .attr('height', kRow - 18)
      .attr('rx', 2)
      .attr('width', (d) => x(d.value))
      .attr('fill', 'var(--alu)');
  row.append('text')
      .attr('x', (d) => kLabel + x(d.value) + 10)
      .attr('y', kRow / 2 + 4)
      .text((d) => vantage.prefixed(d.value * 1e-12, 'J') + (total > 0 ? `, ${vantage.percent(d.value / total)}` : ''));
  const said = [`${vantage.prefixed(total * 1e-12, 'J')} in all, by ${technology}`];
  if (watts)
    said.push(`${vantage.prefixed(watts, 'W')} on average`, `energy times delay ${vantage.prefixed(edp, 'J s')}`);
  if (tops_per_watt) said.push(`${vantage.number(tops_per_watt)} TOPS/W, useful`);
  place.append('p').attr('class', 'quiet small').text(said.join('; ') + '.');
}

// Layers of all devices, end to end
// -------------------------------------------------------------------------------------

function draw_schedule(layers) {
  const wide = 1160, left = 90, devices = [...new Set(layers.map((layer) => layer.device))];
  const end = d3.max(layers, (layer) => layer.start + layer.seconds);
  const x = d3.scaleLinear([0, 1e3 * end], [left, wide - 20]);
  const place = vantage.section('schedule');
  const svg = place.append('svg')
                  .attr('viewBox', `0 0 ${wide} ${devices.length * 36 + 34}`)
                  .attr('role', 'group')
                  .attr('aria-label', 'When each layer runs, by device');
  svg.append('g')
      .attr('class', 'axis')
      .attr('transform', `translate(0,${devices.length * 36 + 6})`)
      .call(d3.axisBottom(x).ticks(8).tickFormat((ms) => d3.format('~g')(ms) + ' ms').tickSizeOuter(0));
  const names = {vta: 'accelerator', cpu: 'processor'};
  svg.selectAll('text.strong')
      .data(devices)
      .join('text')
      .attr('class', 'strong')
      .attr('x', left - 10)
      .attr('text-anchor', 'end')
      .attr('y', (d, i) => i * 36 + 22)
      .text((d) => names[d] ?? d);
  const mark = svg.selectAll('rect')
                   .data(layers)
                   .join('rect')
                   .attr('y', (d) => devices.indexOf(d.device) * 36 + 6)
                   .attr('height', 26)
                   .attr('x', (d) => x(1e3 * d.start))
                   .attr('width', (d) => Math.max(0.5, x(1e3 * (d.start + d.seconds)) - x(1e3 * d.start)))
                   .attr('fill', (d) => d.device === 'vta' ? 'var(--gemm)' : 'var(--load)')
                   .attr('stroke', 'var(--card)')
                   .attr('stroke-width', 0.6);
  mark.on('mousemove', (d) => vantage.show_tip(d3.event.clientX, d3.event.clientY, (tip) => {
        tip.append('strong').text(d.name);
        vantage.tip_rows(tip, [
          ['operator', d.op], ['begins', vantage.text(vantage.seconds(d.start))],
          ['takes', vantage.text(vantage.seconds(d.seconds))]
        ]);
      })).on('mouseleave', vantage.hide_tip).on('click', (d) => vantage.select(layers.indexOf(d)));
}

vantage.draw_bars = function() {
  const {layers, what_ifs, energy} = vantage.report;
  if (layers.some((layer) => layer.traffic)) {
    vantage.section('bytes');
    draw_bytes();
    vantage.on_select(draw_bytes);
  }
  if (layers.some((layer) => layer.stages)) {
    vantage.section('stages');
    draw_stage_key();
    draw_stages();
    vantage.on_select(draw_stages);
  }
  if (what_ifs && what_ifs.cycles > 0) draw_what_ifs(what_ifs);
  if (energy) draw_energy(energy);
  if (layers.length > 1) draw_schedule(layers);
};
})();
