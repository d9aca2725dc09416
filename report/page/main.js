// Fills the page.
(function() {
const {report} = vantage;

function tile(name, [value, unit], note) {
  const box = d3.select('#numbers').append('div').attr('class', 'tile');
  box.append('div').attr('class', 'name').text(name);
  const line = box.append('div').attr('class', 'value').text(value);
  if (unit) line.append('span').attr('class', 'unit').text(unit);
  box.append('div').attr('class', 'note').text(note || '\u00a0');
}

function draw_numbers() {
  const on_core = report.layers.filter((layer) => layer.cycles);
  const sum = (of) => d3.sum(on_core, of);
  const cycles = sum((layer) => layer.cycles), seconds = sum((layer) => layer.seconds);
  if (report.seconds && report.layers.length > 1)
    tile('end to end', vantage.seconds(report.seconds), `${report.layers.length} steps`);
  if (cycles > 0) {
    tile(
        'cycles', [vantage.whole(cycles)],
        `${vantage.text(vantage.seconds(seconds))} at ${report.config.clock_mhz} MHz`);
    const useful = sum((layer) => layer.useful ?? 0), executed = sum((layer) => layer.executed ?? 0);
    const peak = report.roofline.operations_per_second;
    const rate = (operations) => vantage.operations(operations / seconds);
    const share = (operations) => `${vantage.percent(operations / seconds / peak)} of the peak`;
    if (useful > 0) tile('useful', rate(useful), share(useful));
    if (executed > 0) {
      const note = useful > 0 ? `${vantage.percent(Math.max(0, 1 - useful / executed))} is padding` : share(executed);
      tile('executed', rate(executed), note);
    }
  }
  const bytes = d3.sum(report.layers.filter((layer) => layer.traffic), (layer) => layer.bytes);
  if (bytes > 0) {
    const rate = seconds > 0 ? `${vantage.number(bytes / seconds / 1e9)} GB/s on average` : '';
    tile('over the bus', vantage.bytes(bytes), rate);
  }
  const insns = report.timeline ? d3.sum(report.timeline.runs, (run) => run.insns) : 0;
  if (insns > 0)
    tile('instructions', [vantage.whole(insns)], cycles > 0 ? `${vantage.number(cycles / insns)} cycles each` : '');
}

function draw_config() {
  if (report.facts.length > 0) {
    const list = d3.select('#facts').append('dl');
    for (const {name, text} of report.facts) {
      list.append('dt').text(name);
      list.append('dd').text(text);
    }
    vantage.section('config');
  }
  if (!report.config) return;
  const place = vantage.section('config');
  const draw_rows = (into) => {
    const row = into.append('table').selectAll('tr').data((d) => d.rows).join('tr');
    row.append('td').attr('class', 'quiet').text((d) => d.name);
    row.append('td').text((d) => d.value);
    row.append('td').attr('class', 'quiet').text((d) => d.note);
  };
  const group = place.selectAll('div').data(report.config.groups.filter((d) => d.name !== 'Keys')).join('div');
  group.append('h3').text((d) => d.name);
  draw_rows(group);
  const keys = place.selectAll('details').data(report.config.groups.filter((d) => d.name === 'Keys')).join('details');
  keys.append('summary').text('The keys of its file');
  draw_rows(keys);
}

function say_selected(selected) {
  const layer = selected === null ? null : report.layers[selected];
  d3.select('#selection')
      .attr('hidden', layer ? null : '')
      .text(
          layer ? `${layer.name}: ${layer.bottleneck ?? 'a step of the processor'} (Choose it again to see all.)` : '');
  const runs = report.layers.filter((l) => l.cycles);
  if (!vantage.timeline) return;
  const run = layer ? report.timeline.runs[runs.indexOf(layer)] : null;
  if (run)
    vantage.timeline.show(run.first_cycle, run.first_cycle + run.cycles);
  else if (!layer)
    vantage.timeline.show(0, report.timeline.cycles);
}

function draw_head() {
  d3.select('#title').text(report.title);
  const setup = [report.config ? `on ${report.target} ${report.config.name}` : `on ${report.target}`];
  if (report.config) setup.push(`${report.config.clock_mhz} MHz`);
  if (report.memory) setup.push(`memory ${report.memory}`);
  d3.select('#setup').text(setup.join(' · '));
  d3.select('#made-by').text(`Made by ${report.made_by}. Drawn with d3 ${d3.version}.`);
  if (report.bottleneck) d3.select('#bottleneck').attr('hidden', null).text(report.bottleneck);
}

vantage.on_print(() => {
  if (vantage.timeline) vantage.timeline.draw();
});
draw_head();
draw_numbers();
vantage.draw_roofline();
vantage.draw_bars();
if (report.layers.length > 1) vantage.draw_table();
draw_config();
vantage.on_select(say_selected);
vantage.draw_timeline().then(
    () => {
      document.body.dataset.ready = 'yes';
    },
    (error) => {
      document.body.dataset.ready = 'failed';
      throw error;
    });
})();
