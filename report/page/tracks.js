// How each kind of the timeline's tracks is drawn and what it says of a moment. A track has a label, a group, a height,
// draw(context, view, y) and, where it knows something, rows(cycle, view): name and value each. A view has `from` and
// `to` in cycles, `left` and `right` in pixels, and x(cycle).
(function() {
const per_pixel = (view) => (view.to - view.from) / (view.right - view.left);

// An area of the mean over each pixel, above what lies below it.
function area(context, view, y, height, colour, share, below = () => 0) {
  context.fillStyle = vantage.colour(colour);
  const step = per_pixel(view);
  for (let x = view.left; x < view.right; ++x) {
    const from = view.from + (x - view.left) * step;
    const low = below(from, from + step), high = Math.min(1, share(from, from + step));
    if (high > 0) context.fillRect(x, y + height * (1 - low - high), 1, height * high);
  }
}

// Spans of an engine's instructions; where there are too many of them, how much of the time they take.
class EngineTrack {
  constructor(engine, channel) {
    Object.assign(this, {engine, channel, label: channel.name, group: 'Engines', height: 22});
  }
  draw(context, view, y) {
    const insns = vantage.instructions;
    const colour = vantage.engine_colours[this.engine];
    if (insns) {
      const list = insns.of_engine[this.engine];
      const first = insns.first_from(this.engine, view.from), end = insns.first_from(this.engine, view.to) + 1;
      if (end - first < 20 * (view.right - view.left)) {
        return this.draw_spans(context, view, y, insns, list, first, Math.min(end, list.length), colour);
      }
    }
    area(context, view, y, this.height, colour, (a, b) => this.channel.mean(a, b));
  }
  draw_spans(context, view, y, insns, list, first, end, colour) {
    context.fillStyle = vantage.colour(colour);
    const cover = new Float32Array(view.right - view.left + 1);
    for (let k = first; k < end; ++k) {
      const i = list[k];
      if (!vantage.kind_is_shown[insns.kind[i]]) continue;
      const x0 = Math.max(view.x(insns.began[i]), view.left), x1 = Math.min(view.x(insns.ended[i] + 1), view.right);
      if (x1 <= x0) continue;
      if (x1 - x0 >= 2) {
        context.fillRect(x0, y + 2, x1 - x0 - (x1 - x0 > 4 ? 1 : 0), this.height - 4);
        if (x1 - x0 > 64) this.label_span(context, x0, x1, y, insns.kinds[insns.kind[i]], colour);
      } else {  // parts of pixels add up
        const at = Math.floor(x0 - view.left), next = Math.min(1, at + 1 - (x0 - view.left));
        cover[at] += Math.min(x1 - x0, next);
        if (x1 - x0 > next) cover[at + 1] += x1 - x0 - next;
      }
    }
    for (let x = 0; x < cover.length; ++x) {
      if (cover[x] === 0) continue;
      context.globalAlpha = 0.25 + 0.75 * Math.min(1, cover[x]);
      context.fillRect(view.left + x, y + 2, 1, this.height - 4);
    }
    context.globalAlpha = 1;
  }
  label_span(context, x0, x1, y, text, colour) {
    context.save();
    context.fillStyle = vantage.colour('card');
    context.textAlign = 'left';
    context.beginPath();
    context.rect(x0, y, x1 - x0 - 4, this.height);
    context.clip();
    context.fillText(text, x0 + 6, y + this.height / 2);
    context.restore();
    context.fillStyle = vantage.colour(colour);
  }
  // The instruction at a moment, or the nearest within a few pixels; -1: none.
  at(cycle, view) {
    const insns = vantage.instructions;
    if (!insns) return -1;
    const list = insns.of_engine[this.engine], k = insns.first_from(this.engine, cycle);
    const slack = 3 * per_pixel(view);
    for (const place of [k, k - 1]) {
      const i = list[place];
      if (i === undefined || !vantage.kind_is_shown[insns.kind[i]]) continue;
      if (insns.began[i] <= cycle + slack && insns.ended[i] + 1 >= cycle - slack) return i;
    }
    return -1;
  }
  rows(cycle, view) {
    const step = per_pixel(view);
    return [[this.label + ' busy', vantage.percent(Math.min(1, this.channel.mean(cycle - step, cycle + step)))]];
  }
}

// What a stage does: busy, waiting for memory, waiting for a token; the rest is idle.
class StageTrack {
  constructor(name, busy, tokens, under_way) {
    Object.assign(this, {label: name, group: 'Stages', height: 26, busy, tokens, under_way});
  }
  shares(from, to) {
    const busy = Math.min(1, this.busy.mean(from, to));
    const memory = Math.max(0, Math.min(1 - busy, this.under_way.mean(from, to) - busy));
    return {busy, memory, token: Math.max(0, Math.min(1 - busy - memory, this.tokens.mean(from, to)))};
  }
  draw(context, view, y) {
    const height = this.height - 4, step = per_pixel(view);
    const colours = {busy: vantage.colour('good'), memory: vantage.colour('memory'), token: vantage.colour('token')};
    for (let x = view.left; x < view.right; ++x) {
      const from = view.from + (x - view.left) * step, shares = this.shares(from, from + step);
      let top = y + 2 + height;
      for (const what of ['busy', 'memory', 'token']) {
        const part = shares[what] * height;
        if (part <= 0) continue;
        context.fillStyle = colours[what];
        context.fillRect(x, top -= part, 1, part);
      }
    }
  }
  rows(cycle, view) {
    const step = Math.max(0.5, per_pixel(view));
    const {busy, memory, token} = this.shares(cycle - step, cycle + step);
    return [
      ['busy', vantage.percent(busy)], ['waits for memory', vantage.percent(memory)],
      ['waits for a token', vantage.percent(token)], ['idle', vantage.percent(Math.max(0, 1 - busy - memory - token))]
    ];
  }
}

class LevelTrack {
  constructor(group, label, channel, colour) { Object.assign(this, {group, label, channel, colour, height: 26}); }
  draw(context, view, y) {
    area(context, view, y + 2, this.height - 4, this.colour, (a, b) => this.channel.mean(a, b));
  }
  rows(cycle, view) {
    const step = Math.max(0.5, per_pixel(view));
    const share = this.channel.mean(cycle - step, cycle + step), {full, unit} = this.channel;
    return [[
      `${this.group.toLowerCase()}: ${this.label}`, `${vantage.number(share * full)} of ${vantage.number(full)} ${unit}`
    ]];
  }
}

// The runs end to end.
class LayerTrack {
  constructor(runs) { Object.assign(this, {runs, label: '', group: 'Layers', height: 24}); }
  draw(context, view, y) {
    context.textAlign = 'left';
    for (const [i, run] of this.runs.entries()) {
      const x0 = Math.max(view.left, view.x(run.first_cycle));
      const x1 = Math.min(view.right, view.x(run.first_cycle + run.cycles));
      if (x1 <= x0) continue;
      context.fillStyle = vantage.colour(i % 2 === 0 ? 'faint' : 'line');
      context.fillRect(x0, y + 2, x1 - x0, this.height - 4);
      if (x1 - x0 < 30) continue;
      context.save();
      context.beginPath();
      context.rect(x0, y, x1 - x0 - 4, this.height);
      context.clip();
      context.fillStyle = vantage.colour('ink');
      context.fillText(run.name, x0 + 6, y + this.height / 2);
      context.restore();
    }
  }
  rows() { return []; }
}

// All tracks, from the top.
vantage.make_tracks = function(timeline, channels) {
  const find = (group, name) => channels.find((c) => c.group === group && c.name === name);
  const tracks = timeline.runs.length > 1 ? [new LayerTrack(timeline.runs)] : [];
  for (const [e, engine] of timeline.engines.entries()) tracks.push(new EngineTrack(e, find('engine', engine)));
  for (const stage of ['load', 'compute', 'store']) {
    const busy = find('stage', stage + ' busy');
    if (!busy) continue;
    tracks.push(new StageTrack(stage, busy, find('stage', stage + ' token wait'), find('stage', stage + ' under way')));
  }
  const level_groups = {
    bus: ['Bus', 'accent', (name) => name],
    scratchpad: ['Scratchpads', 'compute', (name) => vantage.memory_names[name] ?? name],
    queue: ['Queues', 'store', (name) => name.replace('->', ' → ')]
  };
  for (const [group, [title, colour, label]] of Object.entries(level_groups)) {
    for (const channel of channels.filter((c) => c.group === group)) {
      tracks.push(new LevelTrack(title, label(channel.name), channel, colour));
    }
  }
  return tracks;
};
vantage.memory_names = {
  inp: 'inputs',
  wgt: 'weights',
  acc: 'accumulators',
  uop: 'micro-ops'
};
})();
