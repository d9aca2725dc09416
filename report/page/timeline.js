// The timeline: tracks above each other on a canvas, with zooming and panning by d3, a readout of what lies below the
// pointer, and the keyboard for all of it.
(function() {
const kGutter = 172, kAxis = 26, kGap = 26;  // pixels
const kFewestCycles = 24;                    // of the closest view

class Timeline {
  constructor(timeline, tracks) {
    Object.assign(this, {timeline, tracks, transform: d3.zoomIdentity, hovered: null, focus: {track: null, insn: -1}});
    this.hidden_groups = new Set();
    this.root = d3.select('#timeline');
    this.canvas = this.root.select('canvas');
    this.context = this.canvas.node().getContext('2d');
    this.zoom = d3.zoom().on('zoom', () => {
      this.transform = d3.event.transform;
      this.ask_for_drawing();
    });
    this.canvas.call(this.zoom).on('dblclick.zoom', null);
    this.canvas.on('mousemove', () => this.point(d3.mouse(this.canvas.node()), d3.event));
    this.canvas.on('mouseleave', () => this.leave());
    this.canvas.on('click', () => this.choose_layer());
    this.root.on('keydown', () => this.key(d3.event));
    d3.select('#zoom-in').on('click', () => this.zoom_by(2));
    d3.select('#zoom-out').on('click', () => this.zoom_by(0.5));
    d3.select('#zoom-all').on('click', () => this.show(0, timeline.cycles));
    new ResizeObserver(() => this.resize()).observe(this.root.node());
    vantage.on_theme(() => this.ask_for_drawing());
    this.resize();
  }

  // Which tracks, and where -----------------------------------------------------------------------------------------

  shown_tracks() { return this.tracks.filter((track) => !this.hidden_groups.has(track.group)); }
  toggle_group(group) {
    if (!this.hidden_groups.delete(group)) this.hidden_groups.add(group);
    this.resize();
  }
  resize() {
    this.places = [];
    let y = kAxis, group = null;
    for (const track of this.shown_tracks()) {
      const is_first = track.group !== group;
      if (is_first) y += kGap;
      group = track.group;
      this.places.push({track, y, heading: is_first ? group : null});
      y += track.height;
    }
    this.width = Math.max(300, this.root.node().clientWidth);
    this.height = y + 6;
    const ratio = window.devicePixelRatio || 1;
    this.canvas.attr('width', Math.round(this.width * ratio)).attr('height', Math.round(this.height * ratio));
    this.canvas.style('height', this.height + 'px');
    this.scale = d3.scaleLinear([0, this.timeline.cycles], [kGutter, this.width]);
    const extent = [[kGutter, 0], [this.width, this.height]];
    this.zoom.extent(extent).translateExtent(extent).scaleExtent(
        [1, Math.max(1, this.timeline.cycles / kFewestCycles)]);
    this.draw();
  }
  view() {
    const x = this.transform.rescaleX(this.scale);
    const [from, to] = x.domain();
    const slope = (this.width - kGutter) / (to - from);
    return {
      from,
      to,
      left: kGutter,
      right: this.width,
      x: (cycle) => kGutter + (cycle - from) * slope,
      cycle: (px) => from + (px - kGutter) / slope,
      scale: x
    };
  }
  show(from, to) {
    const k = this.timeline.cycles / Math.max(to - from, kFewestCycles);
    const shift = kGutter - k * this.scale(from);
    this.canvas.call(this.zoom.transform, d3.zoomIdentity.translate(shift, 0).scale(k));
  }
  zoom_by(factor) { this.canvas.call(this.zoom.scaleBy, factor); }

  // Drawing ---------------------------------------------------------------------------------------------------------

  ask_for_drawing() {
    if (this.asked) return;
    this.asked = true;
    requestAnimationFrame(() => {
      this.asked = false;
      this.draw();
    });
  }
  draw() {
    const c = this.context, ratio = window.devicePixelRatio || 1, view = this.view();
    c.setTransform(ratio, 0, 0, ratio, 0, 0);
    c.clearRect(0, 0, this.width, this.height);
    const family = getComputedStyle(document.body).fontFamily;
    c.font = '12px ' + family;
    c.textBaseline = 'middle';
    this.draw_axis(c, view);
    for (const {track, y, heading} of this.places) {
      if (heading) {
        c.fillStyle = vantage.colour('ink');
        c.textAlign = 'right';
        c.font = '600 12px ' + family;
        c.fillText(heading, kGutter - 10, y - 9);
        c.font = '12px ' + family;
      }
      c.fillStyle = vantage.colour('faint');
      c.fillRect(kGutter, y + track.height - 1, this.width - kGutter, 1);
      track.draw(c, view, y);
      c.fillStyle = vantage.colour('quiet');
      c.textAlign = 'right';
      c.fillText(track.label, kGutter - 10, y + track.height / 2);
    }
    this.draw_marks(c, view);
  }
  draw_axis(c, view) {
    const ticks = view.scale.ticks(Math.max(2, Math.floor((this.width - kGutter) / 110)));
    c.textAlign = 'center';
    for (const tick of ticks) {
      const x = Math.round(view.x(tick)) + 0.5;
      c.fillStyle = vantage.colour('faint');
      c.fillRect(x - 0.5, kAxis - 4, 1, this.height - kAxis);
      c.fillStyle = vantage.colour('quiet');
      if (x > kGutter + 16 && x < this.width - 24) c.fillText(d3.format(',')(tick), x, 10);
    }
    c.textAlign = 'right';
    c.fillText('cycle', kGutter - 10, 10);
  }
  // What has the focus, the instruction below the pointer, and whose token it waited for.
  draw_marks(c, view) {
    const insns = vantage.instructions;
    const place_of = (i) => this.places.find(({track}) => track.engine === insns.engine[i]);
    const outline = (i) => {
      const place = place_of(i);
      if (!place) return null;
      const x0 = Math.max(kGutter, view.x(insns.began[i])), x1 = Math.min(this.width, view.x(insns.ended[i] + 1));
      if (x1 < kGutter || x0 > this.width) return null;
      c.strokeRect(x0, place.y + 1.5, Math.max(2, x1 - x0), place.track.height - 3);
      return {x0, x1, y: place.y + place.track.height / 2};
    };
    c.strokeStyle = vantage.colour('ink');
    c.lineWidth = 1.5;
    const insn = this.hovered?.insn ?? this.focus.insn;
    if (insns && insn >= 0) {
      const to = outline(insn), giver = insn - insns.waited_for[insn];
      const from = insns.waited_for[insn] !== 0 ? outline(giver) : null;
      if (to && from) {
        c.beginPath();
        c.setLineDash([4, 3]);
        c.moveTo(Math.min(from.x1, this.width), from.y);
        c.lineTo(to.x0, to.y);
        c.stroke();
        c.setLineDash([]);
      }
    }
    if (this.hovered) {
      c.fillStyle = vantage.colour('quiet');
      c.globalAlpha = 0.5;
      c.fillRect(this.hovered.x, kAxis - 4, 1, this.height - kAxis);
      c.globalAlpha = 1;
    }
  }

  // What lies where ---------------------------------------------------------------------------------------------------

  run_at(cycle) {
    const runs = this.timeline.runs;
    return Math.max(0, d3.bisectRight(runs.map((run) => run.first_cycle), cycle) - 1);
  }
  point([x, y], event) {
    const place = this.places.find((p) => y >= p.y && y < p.y + p.track.height);
    if (!place || x < kGutter) return this.leave();
    const view = this.view(), cycle = view.cycle(x);
    const insn = place.track.at ? place.track.at(cycle, view) : -1;
    this.hovered = {x, cycle, track: place.track, insn};
    this.ask_for_drawing();
    vantage.show_tip(event.clientX, event.clientY, (tip) => {
      if (insn >= 0) tip.append('code').text(vantage.instructions.assembly(insn));
      const rows = insn >= 0 ? this.rows_of(insn) : place.track.rows(cycle, view);
      vantage.tip_rows(tip, [['cycle', vantage.whole(Math.floor(cycle))], ...this.run_rows(cycle), ...rows]);
    });
  }
  run_rows(cycle) {
    if (this.timeline.runs.length < 2) return [];
    return [['layer', this.timeline.runs[this.run_at(cycle)].name]];
  }
  rows_of(i) {
    const insns = vantage.instructions, run = this.timeline.runs[this.run_at(insns.issued[i])];
    const at = (moment) => vantage.whole(insns[moment][i] - run.first_cycle);
    const rows = [['instruction', '#' + vantage.whole(i - run.first_insn)]];
    if (insns.has_all) rows.push(['dispatched', at('dispatched')]);
    rows.push(['issued', at('issued')], ['works', `${at('began')} to ${at('ended')}`]);
    if (insns.has_all) rows.push(['retired', at('retired')]);
    const giver = i - insns.waited_for[i];
    if (giver !== i) {
      rows.push([
        'token of',
        `#${vantage.whole(giver - run.first_insn)}, ${insns.kinds[insns.kind[giver]]}, at ` +
            vantage.whole(insns.retired[giver] - run.first_cycle)
      ]);
    }
    return rows;
  }
  leave() {
    this.hovered = null;
    vantage.hide_tip();
    this.ask_for_drawing();
  }
  // Layers are those of the document that took cycles.
  choose_layer() {
    if (this.hovered?.track.group !== 'Layers') return;
    const timed = vantage.report.layers.flatMap((layer, i) => layer.cycles ? [i] : []);
    vantage.select(timed[this.run_at(this.hovered.cycle)]);
  }

  // The keyboard ------------------------------------------------------------------------------------------------------

  key(event) {
    const pan = (share) =>
        this.canvas.call(this.zoom.translateBy, share * (this.width - kGutter) / this.transform.k, 0);
    const actions = {
      '+': () => this.zoom_by(2),
      '=': () => this.zoom_by(2),
      '-': () => this.zoom_by(0.5),
      '0': () => this.show(0, this.timeline.cycles),
      ArrowLeft: () => pan(0.25),
      ArrowRight: () => pan(-0.25),
      n: () => this.step(1),
      p: () => this.step(-1),
      ArrowDown: () => this.other_engine(1),
      ArrowUp: () => this.other_engine(-1)
    };
    const action = actions[event.key];
    if (!action || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    action();
  }
  step(by) {
    const insns = vantage.instructions;
    if (!insns) return;
    this.focus.track ??= this.tracks.find((track) => track.at);
    const list = insns.of_engine[this.focus.track.engine];
    if (list.length === 0) return;
    const known = list.indexOf(this.focus.insn);
    const start = insns.first_from(this.focus.track.engine, this.view().from);
    const next = Math.min(list.length - 1, Math.max(0, known < 0 ? start : known + by));
    this.look_at(list[next]);
  }
  other_engine(by) {
    const engines = this.tracks.filter((track) => track.at);
    const now = Math.max(0, engines.indexOf(this.focus.track));
    this.focus = {track: engines[(now + by + engines.length) % engines.length], insn: -1};
    this.step(0);
  }
  // Moves the view only when it must.
  look_at(i) {
    const insns = vantage.instructions, {from, to} = this.view();
    this.focus.insn = i;
    if (insns.began[i] < from || insns.ended[i] > to) {
      const length = to - from,
            start = Math.max(0, Math.min(insns.began[i] - length / 4, this.timeline.cycles - length));
      this.show(start, start + length);
    }
    const rows = this.rows_of(i).map(([name, value]) => `${name} ${value}`).join(', ');
    d3.select('#timeline-readout').text(insns.assembly(i) + '\n' + rows);
    this.ask_for_drawing();
  }
}

vantage.Timeline = Timeline;
})();
