// Fills the page about a sweep.
(function() {
const {report, state} = vantage;

// Workloads of one name differ in the version, the effort or what they were made of.
function workload_names() {
  const names = report.workloads.map(({name}) => name);
  return report.workloads.map(({name, version, effort, content}) => {
    const is_alone = names.indexOf(name) === names.lastIndexOf(name);
    return is_alone ? name : [name, version, effort, content].filter((text) => text).join(', ');
  });
}

function draw_head() {
  d3.select('#title').text(report.title);
  d3.select('#made-by').text(`Made by ${report.made_by}. Drawn with d3 ${d3.version}.`);
  const select = d3.select('#workload');
  select.selectAll('option').data(workload_names()).join('option').attr('value', (d, k) => k).text((d) => d);
  select.on('change', () => state.choose_workload(Number(select.property('value'))));
  const say = () => {
    select.property('value', report.workloads.indexOf(vantage.sweep.workload));
    const {name, version, effort} = vantage.sweep.workload;
    d3.select('#setup').text(
        `${vantage.counted(vantage.sweep.valid.length, 'design')} on ${name} · found by ${version}, search ${effort}`);
  };
  say();
  state.on('workload', say);
}

function draw_without_results() {
  const {failed, not_run, count} = vantage.sweep.workload, {valid} = vantage.sweep;
  const rows = failed.map(({reason, designs}) => [designs, reason, 'failed']);
  const others = count - valid.length - not_run - d3.sum(failed, (d) => d.designs);
  if (others > 0) rows.push([others, 'other reasons', 'failed']);
  if (not_run > 0) rows.push([not_run, 'not all of its programs were run', 'not run']);
  const rejected = report.sweeps.flatMap(({rejections}) => rejections);
  const points = new Map();  // by the reason: of all sweeps
  for (const {reason, points: some, example} of rejected) {
    points.set(reason, [(points.get(reason)?.[0] ?? 0) + some, example || reason, 'no design']);
  }
  const all = rows.concat([...points.values()]);
  d3.select('#without-section').attr('hidden', all.length > 0 ? null : '');
  const row = d3.select('#without tbody').selectAll('tr').data(all).join('tr');
  row.selectAll('td')
      .data((d) => [vantage.whole(d[0]), d[2], d[1]])
      .join('td')
      .attr(
          'class',
          (d, k) => k === 0 ? 'number' :
              k === 2       ? 'long' :
                              null)
      .text((d) => d);
}

// What there is to see: without results a sentence that says so, and without designs that differ no axes.
function show_sections() {
  const {valid, axes, workload: {name, count, not_run}} = vantage.sweep, others = count - not_run;
  const why = [];
  if (not_run > 0) why.push(`${vantage.counted(not_run, 'design')} not run to the end`);
  if (others > 0) why.push(`${vantage.counted(others, 'design')} failed, as is said below`);
  d3.select('#nothing-section').attr('hidden', valid.length > 0 ? '' : null);
  d3.select('#nothing')
      .text(
          `No design has results on ${name} yet: ${why.join(', ')}.` +
          (not_run > 0 ? ' The same command goes on with the sweep; a page made then has what there is by then.' : ''));
  d3.selectAll('.of-results').attr('hidden', valid.length > 0 ? null : '');
  const differ = axes.some((axis) => axis.varies);
  d3.selectAll('.of-differences').attr('hidden', differ ? null : '');
}

function draw_sweeps() {
  const place = d3.select('#sweeps').selectAll('div').data(report.sweeps).join('div');
  place.append('p')
      .attr('class', 'small')
      .text((d) => `${d.started} UTC, by ${d.version}, on ${d.workloads.join(', ')}`);
  const space = place.append('details');
  space.append('summary').attr('class', 'quiet small').text('its space');
  space.append('pre').text((d) => {
    if (d.space === null) return 'It is too long for this page; the table sweeps of the database has it.';
    try {
      return JSON.stringify(JSON.parse(d.space), null, 2);
    } catch {
      return d.space;
    }
  });
  const common = d3.select('#common').selectAll('tr').data(Object.entries(report.designs.common)).join('tr');
  common.selectAll('td')
      .data((d) => [d[0], String(d[1])])
      .join('td')
      .attr('class', (d, k) => k === 0 ? 'quiet' : null)
      .text((d) => d);
}

async function draw() {
  await vantage.load_sweep();
  vantage.start_state();
  draw_head();
  show_sections();
  state.on('workload', show_sections);
  vantage.draw_filters();
  vantage.draw_scatter();
  vantage.draw_parallel();
  vantage.draw_front();
  vantage.draw_designs();
  draw_without_results();
  state.on('workload', draw_without_results);
  draw_sweeps();
  vantage.on_print(() => vantage.draw_now());
  await vantage.drawn();
}
draw().then(
    () => {
      document.body.dataset.ready = 'yes';
    },
    (error) => {
      document.body.dataset.ready = 'failed';
      throw error;
    });
})();
