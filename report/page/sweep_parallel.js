// Parallel coordinates: each design is a line through its keys and its results. Every axis can be brushed.
(function() {
const {state} = vantage;
const kHeight = 300, kTop = 92, kBottom = 16, kLeft = 44, kRight = 96;
const kMostKeys = 9, kMostResults = 6;
const kFinest = 2;  // pixels that a place has where there are many designs

function default_axes() {
  const axes = vantage.sweep.axes.filter((axis) => axis.varies);
  const liked = ['cycles', 'dsps', 'block_rams', 'useful_utilisation', 'nbytes', 'scratchpad_bytes', 'macs'];
  const results = [state.x, state.y, ...liked.map((name) => vantage.sweep.by_name.get(name))].filter(
      (axis) => axis?.varies && axis.kind === 'result');
  const some = new Set([...new Set(results)].slice(0, kMostResults));
  return axes.filter((axis) => axis.kind === 'key').slice(0, kMostKeys).concat(axes.filter((axis) => some.has(axis)));
}

class Parallel {
  constructor(root) {
    this.root = d3.select(root);
    this.canvas = this.root.append('canvas');
    this.svg = this.root.append('svg').attr('role', 'img');
    this.marks = this.svg.append('g').attr('class', 'marks');
    this.places = this.svg.append('g');
    this.svg.on('mousemove', () => this.point()).on('mouseleave', () => this.leave()).on('click', () => {
      if (state.hovered >= 0 && !d3.event.defaultPrevented) state.pin(state.hovered);
    });
    this.axes = default_axes();
    new ResizeObserver(() => this.resize()).observe(this.root.node());
    state.on('workload', () => {
      if (this.axes.length === 0) this.axes = default_axes();  // there was nothing to choose from
      this.lay_out();
    });
    state.on('axes', () => this.lay_out());
    state.on('filter', () => this.ask());
    for (const what of ['hover', 'pins']) state.on(what, () => this.draw_marks());
    vantage.on_theme(() => this.ask());
    this.resize();
  }
  toggle(axis) {
    const wanted = new Set(this.axes);
    if (!wanted.delete(axis)) wanted.add(axis);
    this.axes = vantage.sweep.axes.filter((each) => wanted.has(each));
    this.lay_out();
  }
  resize() {
    const width = Math.max(300, this.root.node().clientWidth);
    if (width === this.width) return;
    this.width = width;
    const ratio = this.ratio = Math.min(2, window.devicePixelRatio || 1);
    this.canvas.attr('width', Math.round(width * ratio)).attr('height', Math.round((kTop + kHeight + kBottom) * ratio));
    this.svg.attr('viewBox', `0 0 ${width} ${kTop + kHeight + kBottom}`);
    this.lay_out();
  }

  // Axes ------------------------------------------------------------------------------------------------------------

  lay_out() {
    const shown = this.axes.filter((axis) => axis.varies);
    const step = (this.width - kLeft - kRight) / Math.max(1, shown.length - 1);
    this.columns = shown.map((axis, k) => ({axis, x: kLeft + k * step, y: axis.scale([kTop + kHeight, kTop])}));
    const fine = vantage.sweep.valid.length > 2000 ? kFinest : 1;
    this.count = Math.round(kHeight / fine);
    if (this.lines?.places !== this.count) this.lines = new vantage.Lines(this.count);
    for (const column of this.columns) column.at = this.places_of(column);
    this.draw_axes();
    this.back = null;
    this.ask();
  }
  // Where each design is on an axis.
  places_of({axis, y}) {
    const at = new Uint16Array(vantage.sweep.count).fill(vantage.nowhere), last = this.count - 1;
    for (const i of vantage.sweep.valid) {
      const value = axis.values[i];
      if (!Number.isNaN(value)) at[i] = Math.max(0, Math.min(last, Math.round((y(value) - kTop) / kHeight * last)));
    }
    return at;
  }
  draw_axes() {
    const place = this.places.selectAll('g.column').data(this.columns, (d) => d.axis.name).join((enter) => {
      const made = enter.append('g').attr('class', 'column');
      made.append('g').attr('class', 'axis');
      made.append('text').attr('class', 'strong').attr('y', kTop - 16);
      made.append('g').attr('class', 'brush');
      return made;
    });
    place.order().attr('transform', (d) => `translate(${d.x},0)`);
    place.select('g.axis').each(function({axis, y}) {
      d3.select(this).call(
          d3.axisLeft(y).tickValues(axis.ticks(y, 6)).tickFormat((v) => axis.tick(v)).tickSizeOuter(0));
    });
    place.select('text.strong').attr('transform', `rotate(-24,0,${kTop - 16})`).text((d) => d.axis.name);
    const self = this;
    place.select('g.brush').each(function(column) {
      column.brush = d3.brushY().extent([[-9, kTop - 4], [9, kTop + kHeight + 4]]).on('brush end', () => {
        if (d3.event.sourceEvent) self.filter(column, d3.event.selection);
      });
      column.node = d3.select(this);
      column.node.call(column.brush);
    });
  }
  filter({axis, y}, selection) {
    const range = selection ? selection.map((py) => y.invert(py)).sort(d3.ascending) : null;
    state.set_ranges([[axis.name, range]]);
  }
  // Brushes say what is filtered, whoever has asked for it.
  show_ranges() {
    for (const {axis, y, brush, node} of this.columns) {
      const range = state.ranges.get(axis.name), now = d3.brushSelection(node.node());
      const wanted = range ? [vantage.place_on(y, range[1]), vantage.place_on(y, range[0])] : null;
      const is_same = wanted && now ? Math.abs(wanted[0] - now[0]) + Math.abs(wanted[1] - now[1]) < 1 : wanted === now;
      if (!is_same) node.call(brush.move, wanted);
    }
  }

  // Drawing ---------------------------------------------------------------------------------------------------------

  ask() { vantage.draw_in_steps(this, () => this.draw()); }
  * draw() {
    this.show_ranges();
    const context = this.canvas.node().getContext('2d'), {ratio} = this;
    const rgb = (name) => {
      const {r, g, b} = d3.rgb(vantage.colour(name));
      return [r, g, b];
    };
    const front = rgb('accent'), back = rgb('line'), {valid} = vantage.sweep;
    const is_filtered = state.shown.length < valid.length;
    this.back ??= [];
    const height = Math.round(kHeight * ratio);
    for (let k = 0; k + 1 < this.columns.length; ++k) {
      const [left, right] = [this.columns[k], this.columns[k + 1]];
      const from = Math.round(left.x * ratio), width = Math.round(right.x * ratio) - from;
      if (is_filtered && !this.back[k]) {
        this.back[k] =
            this.lines.add_up(left.at, right.at, valid, width, height, new Float32Array(width * (height + 1)));
        yield;
      }
      const size = width * (height + 1);
      if (!this.sums || this.sums.length !== size) this.sums = new Float32Array(size);
      this.lines.add_up(left.at, right.at, state.shown, width, height, this.sums);
      yield;
      const image = context.createImageData(width, height + 1);
      vantage.paint_lines(image, this.sums, front, is_filtered ? this.back[k] : null, back);
      context.putImageData(image, from, Math.round(kTop * ratio));
      yield;
    }
    // What is beside the outer axes, or was there before
    const first = Math.round((this.columns[0]?.x ?? 0) * ratio);
    const last = this.columns.length > 1 ? Math.round(this.columns.at(-1).x * ratio) : first;
    context.clearRect(0, 0, first, this.canvas.attr('height'));
    context.clearRect(last, 0, this.canvas.attr('width'), this.canvas.attr('height'));
    this.draw_marks();
  }
  path_of(i) {
    return d3.line()(
        this.columns.filter(({axis}) => !Number.isNaN(axis.values[i])).map(({axis, x, y}) => [x, y(axis.values[i])]));
  }
  draw_marks() {
    const special = [[state.pins[0], 'pin-a'], [state.pins[1], 'pin-b'], [state.hovered, 'hovered']];
    this.marks.selectAll('path')
        .data(special.filter(([i]) => i >= 0))
        .join('path')
        .attr('class', (d) => d[1])
        .attr('d', (d) => this.path_of(d[0]));
  }

  // The line below the pointer ----------------------------------------------------------------------------------------

  nearest([px, py]) {
    const k = this.columns.findIndex((column, n) => n > 0 && px <= column.x);
    if (k < 1 || px < kLeft) return -1;
    const [left, right] = [this.columns[k - 1], this.columns[k]];
    const share = (px - left.x) / (right.x - left.x), scale = kHeight / (this.count - 1);
    let best = 4, found = -1;
    for (const i of state.shown) {
      const a = left.at[i], b = right.at[i];
      if (a === vantage.nowhere || b === vantage.nowhere) continue;
      const away = Math.abs(kTop + (a + share * (b - a)) * scale - py);
      if (away < best) [best, found] = [away, i];
    }
    return found;
  }
  point() {
    const found = d3.event.buttons === 0 ? this.nearest(d3.mouse(this.svg.node())) : -1;
    state.hover(found);
    if (found < 0) return vantage.hide_tip();
    vantage.show_tip(d3.event.clientX, d3.event.clientY, (tip) => vantage.tip_of_design(tip, found));
  }
  leave() {
    state.hover(-1);
    vantage.hide_tip();
  }
}

vantage.draw_parallel = function() {
  const parallel = vantage.parallel = new Parallel('#parallel');
  const fill = function() {
    d3.select('#parallel-axes')
        .selectAll('button')
        .data(vantage.sweep.axes.filter((axis) => axis.varies))
        .join('button')
        .attr('type', 'button')
        .attr('aria-pressed', (axis) => parallel.axes.includes(axis))
        .text((axis) => axis.name)
        .on('click', (axis) => {
          parallel.toggle(axis);
          fill();
        });
  };
  fill();
  state.on('workload', fill);
};
})();
