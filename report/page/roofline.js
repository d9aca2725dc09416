// The roofline, with every layer of the accelerator on it: what it needed, and what was executed for it with padding.
(function() {
const kWidth = 560, kHeight = 340, kMargin = {
  left: 64,
  right: 20,
  top: 16,
  bottom: 44
};
const kFewNames = 6;

function points_of(layers) {
  const points = [];
  for (const [i, layer] of layers.entries()) {
    if (!layer.cycles || !layer.executed || !layer.bytes) continue;
    const place = (operations) => ({x: operations / layer.bytes, y: operations / layer.seconds});
    points.push({i, layer, executed: place(layer.executed), useful: layer.useful ? place(layer.useful) : null});
  }
  return points;
}
// 1, 2 and 5 of each power of ten; over many powers 1 alone.
function round_ticks(scale) {
  const [low, high] = scale.domain(), few = high / low > 1e3;
  const ticks = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.log10(high); ++power) {
    for (const digit of few ? [1] : [1, 2, 5]) ticks.push(digit * 10 ** power);
  }
  return ticks.filter((tick) => tick >= low && tick <= high);
}
const main_place = (point) => point.useful ?? point.executed;

function tip_of(tip, {layer, useful, executed}) {
  tip.append('strong').text(layer.name);
  const rows = [];
  const add = (name, place) => rows.push([
    name,
    `${vantage.text(vantage.operations(place.y))} at ` +
        `${vantage.number(place.x)} op/B`
  ]);
  if (useful) add('useful', useful);
  add('with padding', executed);
  rows.push(['cycles', vantage.whole(layer.cycles)], ['bytes', vantage.text(vantage.bytes(layer.bytes))]);
  if (layer.bound) rows.push(['of its bound', vantage.percent(layer.bound / layer.cycles)]);
  vantage.tip_rows(tip, rows);
}

// Of names that lie over each other the first one stays.
function drop_covered(names) {
  const kept = [];
  names.each(function() {
    const {x, y, width, height} = this.getBBox();
    const covers = (box) => x < box.x + box.width && box.x < x + width && y < box.y + box.height && box.y < y + height;
    if (kept.some(covers))
      d3.select(this).remove();
    else
      kept.push({x, y, width, height});
  });
}

vantage.draw_roofline = function() {
  const {roofline, layers} = vantage.report;
  const points = points_of(layers);
  if (!roofline || points.length === 0) return;
  const {operations_per_second: peak, bytes_per_second: bandwidth} = roofline;
  const ridge = peak / bandwidth;
  const all = points.flatMap((point) => [point.executed, ...(point.useful ? [point.useful] : [])]);
  const x = d3.scaleLog(
      [Math.min(ridge / 8, d3.min(all, (p) => p.x) / 1.5), Math.max(ridge * 8, d3.max(all, (p) => p.x) * 1.5)],
      [kMargin.left, kWidth - kMargin.right]);
  const y = d3.scaleLog(
      [Math.min(peak / 30, d3.min(all, (p) => p.y) / 1.5), peak * 1.7], [kHeight - kMargin.bottom, kMargin.top]);
  const svg = vantage.section('roofline')
                  .append('svg')
                  .attr('viewBox', `0 0 ${kWidth} ${kHeight}`)
                  .attr('role', 'group')
                  .attr('aria-label', 'Operations a second by operations a byte, of every layer');

  const axis = (call, dx, dy) =>
      svg.append('g').attr('class', 'axis').attr('transform', `translate(${dx},${dy})`).call(call);
  axis(
      d3.axisBottom(x).tickValues(round_ticks(x)).tickFormat(d3.format('~g')).tickSizeOuter(0), 0,
      kHeight - kMargin.bottom);
  axis(
      d3.axisLeft(y).tickValues(round_ticks(y)).tickFormat((v) => vantage.text(vantage.operations(v))).tickSizeOuter(0),
      kMargin.left, 0);
  svg.append('text')
      .attr('x', kWidth - kMargin.right)
      .attr('y', kHeight - 6)
      .attr('text-anchor', 'end')
      .text('operations a byte over the bus');

  const left = x.domain()[0];
  const roof = [[left, left * bandwidth], [ridge, peak], [x.domain()[1], peak]].map(
      ([a, b]) => [x(a), y(Math.max(b, y.domain()[0]))]);
  if (left * bandwidth < y.domain()[0]) roof[0] = [x(y.domain()[0] / bandwidth), y(y.domain()[0])];
  svg.append('path').attr('class', 'roof').attr('d', d3.line()(roof));
  // Layers lie below the roof, or above it where products with zeros are left out: its name is above all of them.
  svg.append('text')
      .attr('x', x.range()[1])
      .attr('y', Math.min(y(peak), y(d3.max(all, (p) => p.y)) - 5) - 6)
      .attr('text-anchor', 'end')
      .text(`${vantage.text(vantage.operations(peak))}, all multipliers`);
  const middle = [(roof[0][0] + roof[1][0]) / 2, (roof[0][1] + roof[1][1]) / 2];
  const slope = Math.atan2(roof[1][1] - roof[0][1], roof[1][0] - roof[0][0]) * 180 / Math.PI;
  svg.append('text')
      .attr('transform', `translate(${middle}) rotate(${slope}) translate(0,-7)`)
      .attr('text-anchor', 'middle')
      .text(`${vantage.number(bandwidth / 1e9)} GB/s`);

  const mark = svg.selectAll('g.mark')
                   .data(points)
                   .join('g')
                   .attr('class', 'mark')
                   .attr('tabindex', 0)
                   .attr('role', 'button')
                   .attr(
                       'aria-label',
                       ({layer, useful, executed}) =>
                           `${layer.name}: ${vantage.text(vantage.operations((useful ?? executed).y))}`);
  mark.filter((d) => d.useful)
      .append('line')
      .attr('stroke', 'var(--other)')
      .attr('stroke-dasharray', '2 2')
      .attr('x1', (d) => x(d.useful.x))
      .attr('y1', (d) => y(d.useful.y))
      .attr('x2', (d) => x(d.executed.x))
      .attr('y2', (d) => y(d.executed.y));
  mark.filter((d) => d.useful && d.useful.x !== d.executed.x)
      .append('circle')
      .attr('r', 4)
      .attr('fill', 'var(--card)')
      .attr('stroke', 'var(--gemm)')
      .attr('stroke-width', 1.5)
      .attr('cx', (d) => x(d.executed.x))
      .attr('cy', (d) => y(d.executed.y));
  mark.append('circle')
      .attr('class', 'main')
      .attr('r', 5)
      .attr('fill', 'var(--gemm)')
      .attr('fill-opacity', 0.85)
      .attr('cx', (d) => x(main_place(d).x))
      .attr('cy', (d) => y(main_place(d).y));
  if (points.length <= kFewNames) {
    const is_right = (d) => x(main_place(d).x) > kWidth * 0.7;
    mark.append('text')
        .attr('class', 'strong')
        .attr('text-anchor', (d) => is_right(d) ? 'end' : 'start')
        .attr('x', (d) => x(main_place(d).x) + (is_right(d) ? -10 : 10))
        .attr('y', (d) => y(main_place(d).y) + 14)
        .text((d) => d.layer.name);
    drop_covered(mark.select('text'));
  }
  mark.on('mousemove', (d) => vantage.show_tip(d3.event.clientX, d3.event.clientY, (tip) => tip_of(tip, d)))
      .on('mouseleave', vantage.hide_tip)
      .on('focus',
          function(d) {
            const box = this.getBoundingClientRect();
            vantage.show_tip(box.right, box.bottom, (tip) => tip_of(tip, d));
          })
      .on('blur', vantage.hide_tip)
      .on('click', (d) => vantage.select(d.i))
      .on('keydown', (d) => {
        if (d3.event.key === 'Enter') vantage.select(d.i);
      });
  vantage.on_select(
      (selected) => mark.selectAll('circle.main')
                        .attr('stroke', (d) => d.i === selected ? 'var(--ink)' : null)
                        .attr('stroke-width', 2)
                        .attr('r', (d) => d.i === selected ? 7 : 5));

  const key = d3.select('#roofline').append('p').attr('class', 'quiet small');
  if (points.some((d) => d.useful)) {
    key.append('span').text('● what the layer needs');
    if (points.some((d) => d.useful && d.useful.x !== d.executed.x))
      key.append('span').text('   ○ executed, padding included');
  } else {
    key.text('● executed, padding included');
  }
};
})();
