// Every design by two axes, on a canvas: the front, what the filters leave out behind the rest, the design below the
// pointer. The wheel zooms, dragging filters, clicking takes a design.
(function() {
const {state} = vantage;
const kHeight = 440, kMargin = {
  left: 64,
  right: 18,
  top: 14,
  bottom: 46
};
const kNear = 12;  // pixels

class Scatter {
  constructor(root) {
    this.root = d3.select(root);
    this.canvas = this.root.append('canvas');
    this.svg = this.root.append('svg').attr('role', 'img');
    this.axis_x = this.svg.append('g').attr('class', 'axis');
    this.axis_y = this.svg.append('g').attr('class', 'axis');
    this.label_x = this.svg.append('text').attr('class', 'strong').attr('text-anchor', 'end');
    this.label_y = this.svg.append('text').attr('class', 'strong');
    this.svg.append('clipPath').attr('id', 'scatter-clip').append('rect');
    const inside = this.svg.append('g').attr('clip-path', 'url(#scatter-clip)');
    this.ranges = inside.append('rect').attr('class', 'range');
    this.front = inside.append('path').attr('class', 'front');
    this.marks = inside.append('g').attr('class', 'marks');
    this.brush = d3.brush().on('end', () => this.filter());
    this.brush_place = this.svg.append('g').attr('class', 'brush');
    this.transform = d3.zoomIdentity;
    this.zoom = d3.zoom().scaleExtent([1, 200]).filter(() => d3.event.type === 'wheel').on('zoom', () => {
      this.transform = d3.event.transform;
      this.ask();
    });
    this.svg.call(this.zoom);
    this.svg.on('mousemove', () => this.point()).on('mouseleave', () => this.leave()).on('click', () => {
      if (state.hovered >= 0) state.pin(state.hovered);
    });
    d3.select('#scatter-zoom-in').on('click', () => this.svg.call(this.zoom.scaleBy, 2));
    d3.select('#scatter-zoom-out').on('click', () => this.svg.call(this.zoom.scaleBy, 0.5));
    d3.select('#scatter-zoom-all').on('click', () => this.show_all());
    new ResizeObserver(() => this.resize()).observe(this.root.node());
    for (const what of ['workload', 'axes']) state.on(what, () => this.show_all());
    state.on('filter', () => this.ask());
    for (const what of ['hover', 'pins']) state.on(what, () => this.draw_marks());
    vantage.on_theme(() => this.ask());
    this.resize();
  }

  show_all() {
    this.svg.call(this.zoom.transform, d3.zoomIdentity);
    this.ask();
  }
  resize() {
    const width = Math.max(300, this.root.node().clientWidth);
    if (width === this.width) return;
    this.width = width;
    const ratio = this.ratio = window.devicePixelRatio || 1;
    this.canvas.attr('width', Math.round(width * ratio)).attr('height', Math.round(kHeight * ratio));
    this.svg.attr('viewBox', `0 0 ${width} ${kHeight}`);
    const [right, bottom] = [width - kMargin.right, kHeight - kMargin.bottom];
    this.svg.select('#scatter-clip rect')
        .attr('x', kMargin.left)
        .attr('y', kMargin.top - 8)
        .attr('width', right - kMargin.left + 8)
        .attr('height', bottom - kMargin.top + 8);
    const extent = [[kMargin.left, kMargin.top], [right, bottom]];
    this.brush_place.call(this.brush.extent(extent));
    this.zoom.extent(extent).translateExtent(extent);
    this.ask();
  }
  ask() { vantage.draw_in_steps(this, () => this.draw()); }

  * draw() {
    const {x, y} = state, bottom = kHeight - kMargin.bottom;
    this.x = this.transform.rescaleX(x.scale([kMargin.left, this.width - kMargin.right]));
    this.y = this.transform.rescaleY(y.scale([bottom, kMargin.top]));
    const ticks = x.ticks(this.x, Math.floor(this.width / 80));
    this.axis_x.attr('transform', `translate(0,${bottom})`)
        .call(d3.axisBottom(this.x).tickValues(ticks).tickFormat((v) => x.tick(v)).tickSizeOuter(0));
    this.axis_y.attr('transform', `translate(${kMargin.left},0)`)
        .call(d3.axisLeft(this.y).tickValues(y.ticks(this.y, 8)).tickFormat((v) => y.tick(v)).tickSizeOuter(0));
    this.label_x.attr('x', this.width - kMargin.right).attr('y', kHeight - 8).text(label(x) + ' →');
    this.label_y.attr('x', 4).attr('y', 10).text('↑ ' + label(y));
    this.svg.attr(
        'aria-label', `${vantage.counted(state.shown.length, 'design')}, ${x.name} to the right, ${y.name} upwards`);
    yield;
    this.draw_points();
    this.draw_marks();
  }
  place(i) { return [this.x(state.x.values[i]), this.y(state.y.values[i])]; }
  is_placed(i) { return !Number.isNaN(state.x.values[i]) && !Number.isNaN(state.y.values[i]); }
  draw_points() {
    const c = this.canvas.node().getContext('2d');
    c.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    c.clearRect(0, 0, this.width, kHeight);
    c.save();
    c.beginPath();
    c.rect(
        kMargin.left, kMargin.top - 6, this.width - kMargin.left - kMargin.right + 6,
        kHeight - kMargin.top - kMargin.bottom + 6);
    c.clip();
    const {valid} = vantage.sweep, width = Math.ceil(this.width) + 1;
    const draw = (rows, colour, is_faint = false) => vantage.draw_dots(
        c, rows, [state.x.values, this.x], [state.y.values, this.y], width, kHeight, colour, is_faint);
    if (state.shown.length < valid.length) draw(valid, vantage.colour('line'), true);
    const groups = state.colour ? vantage.coloured(state.colour, state.shown) : [];
    for (const {colour, rows} of groups) draw(rows, colour);
    if (!state.colour) draw(state.shown, vantage.colour('accent'));
    c.restore();
    show_key(groups);
  }
  // The front, ranges, the design below the pointer, A and B.
  draw_marks() {
    if (!this.x) return;
    const on_front = state.front.map((i) => this.place(i));
    this.front.attr('d', on_front.length > 0 ? d3.line().curve(d3.curveStepAfter)(on_front) : null);
    const dots = on_front.length > 400 ? [] : on_front;
    this.marks.selectAll('circle.on-front')
        .data(dots)
        .join('circle')
        .attr('class', 'on-front')
        .attr('r', 4)
        .attr('cx', (d) => d[0])
        .attr('cy', (d) => d[1]);
    const special = [[state.hovered, 'hovered', ''], [state.pins[0], 'pin-a', 'A'], [state.pins[1], 'pin-b', 'B']];
    const mark = this.marks.selectAll('g').data(special.filter(([i]) => i >= 0 && this.is_placed(i))).join((enter) => {
      const made = enter.append('g');
      made.append('circle').attr('r', 7);
      made.append('text').attr('x', 10).attr('y', -8).attr('class', 'strong');
      return made;
    });
    mark.attr('class', (d) => d[1]).attr('transform', (d) => `translate(${this.place(d[0])})`);
    mark.select('text').text((d) => d[2]);
    const span = (axis, scale) => {
      const range = state.ranges.get(axis.name);
      return range ? range.map((v) => vantage.place_on(scale, v)).sort(d3.ascending) : d3.extent(scale.range());
    };
    const [x0, x1] = span(state.x, this.x), [y0, y1] = span(state.y, this.y);
    this.ranges.attr('display', state.ranges.has(state.x.name) || state.ranges.has(state.y.name) ? null : 'none')
        .attr('x', x0)
        .attr('y', y0)
        .attr('width', Math.max(0, x1 - x0))
        .attr('height', Math.max(0, y1 - y0));
  }

  filter() {
    const {selection, sourceEvent} = d3.event;
    if (!sourceEvent || !selection) return;
    const [[x0, y0], [x1, y1]] = selection;
    this.brush_place.call(this.brush.move, null);
    const range = (scale, a, b) => [scale.invert(a), scale.invert(b)].sort(d3.ascending);
    state.set_ranges([[state.x.name, range(this.x, x0, x1)], [state.y.name, range(this.y, y0, y1)]]);
  }
  // The nearest design to a place, -1: none is near.
  nearest([px, py]) {
    let best = kNear * kNear, found = -1;
    for (const i of state.shown) {
      const dx = this.x(state.x.values[i]) - px;
      if (dx > kNear || dx < -kNear) continue;
      const dy = this.y(state.y.values[i]) - py, distance = dx * dx + dy * dy;
      if (distance <= best) [best, found] = [distance, i];
    }
    return found;
  }
  point() {
    const found = this.nearest(d3.mouse(this.svg.node()));
    state.hover(found);
    if (found < 0) return vantage.hide_tip();
    vantage.show_tip(d3.event.clientX, d3.event.clientY, (tip) => vantage.tip_of_design(tip, found));
  }
  leave() {
    state.hover(-1);
    vantage.hide_tip();
  }
}

function show_key(groups) {
  const item = d3.select('#scatter-key').selectAll('span.item').data(groups).join((enter) => {
    const made = enter.append('span').attr('class', 'item');
    made.append('span').attr('class', 'swatch');
    made.append('span').attr('class', 'value');
    return made;
  });
  item.select('.swatch').style('background', (d) => d.colour);
  item.select('.value').text((d) => state.colour.text(d.value));
}

function label({name, meaning}) { return meaning && meaning !== 'likewise' ? `${name}: ${meaning}` : name; }

// A design's name, the keys that vary, and what it came to.
vantage.tip_of_design = function(tip, i) {
  tip.append('strong').text(vantage.sweep.name_of(i));
  const rows = vantage.sweep.axes.filter((axis) => axis.varies && !Number.isNaN(axis.values[i]));
  vantage.tip_rows(tip, rows.map((axis) => [axis.name, axis.text(axis.values[i])]));
};

vantage.draw_scatter = function() {
  vantage.scatter = new Scatter('#scatter');
  const selects = d3.selectAll('#scatter-x, #scatter-y'), colours = d3.select('#scatter-colour');
  colours.on('change', () => {
    state.colour = vantage.sweep.by_name.get(colours.property('value')) ?? null;
    vantage.scatter.ask();
  });
  const fill = function() {
    selects.selectAll('option')
        .data(vantage.sweep.axes)
        .join('option')
        .attr('value', (axis) => axis.name)
        .text((axis) => axis.name);
    const few = vantage.sweep.axes.filter((axis) => axis.varies && axis.few);
    if (!few.includes(state.colour)) state.colour = null;
    colours.selectAll('option')
        .data([null, ...few])
        .join('option')
        .attr('value', (axis) => axis?.name ?? '')
        .text((axis) => axis?.name ?? 'all alike');
    colours.property('value', state.colour?.name ?? '');
    for (const which of ['x', 'y']) {
      const axis = state[which];
      d3.select('#scatter-' + which).property('value', axis.name);
      d3.select(`#log-${which}`)
          .attr('aria-pressed', axis.is_log && axis.can_be_log)
          .attr('disabled', axis.can_be_log ? null : '');
    }
    const more = [state.x, state.y].filter((axis) => axis.better === 'more').map((axis) => axis.name);
    d3.select('#scatter-note')
        .text(
            state.front.length === 0 ? 'There is a front where less, or more, is better on both axes.' :
                                       'Front: the designs that no other one beats in both' +
                    (more.length > 0 ? `, where more ${more.join(' and ')} is better.` : '; less is better.'));
  };
  fill();
  for (const what of ['axes', 'workload', 'filter']) state.on(what, fill);
  const take = () => state.set_axes(
      vantage.sweep.by_name.get(d3.select('#scatter-x').property('value')),
      vantage.sweep.by_name.get(d3.select('#scatter-y').property('value')));
  selects.on('change', take);
  for (const which of ['x', 'y']) {
    d3.select(`#log-${which}`).on('click', () => {
      state[which].is_log = !state[which].is_log;
      state.tell('axes');
    });
  }
};
})();
