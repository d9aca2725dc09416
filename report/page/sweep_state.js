// What is shown: two axes, filters, the design below the pointer, and the two that are put beside each other. Views are
// told of changes by on(what): "workload", "axes", "filter", "hover" and "pins".
(function() {
const listeners = new Map();

const state = vantage.state = {
  x: null,
  y: null,
  colour: null,        // an axis of few values
  ranges: new Map(),   // by the axis's name: from, to
  choices: new Map(),  // by the axis's name: the values that are left
  shown: new Uint32Array(0),
  front: [],
  hovered: -1,
  pins: [-1, -1],

  on(what, listener) {
    listeners.set(what, [...(listeners.get(what) ?? []), listener]);
  },
  tell(what) {
    for (const listener of listeners.get(what) ?? []) listener();
  },

  set_axes(x, y) {
    [state.x, state.y] = [x, y];
    find_front();
    state.tell('axes');
  },
  // Several at a time; null: all.
  set_ranges(ranges) {
    for (const [name, range] of ranges) {
      if (range)
        state.ranges.set(name, range);
      else
        state.ranges.delete(name);
    }
    refilter();
  },
  toggle_choice(axis, value) {
    const left = state.choices.get(axis.name) ?? new Set(axis.few);
    if (!left.delete(value)) left.add(value);
    if (axis.few.every((few) => left.has(few)))
      state.choices.delete(axis.name);
    else
      state.choices.set(axis.name, left);
    refilter();
  },
  clear(name) {
    state.ranges.delete(name);
    state.choices.delete(name);
    refilter();
  },
  clear_all() {
    state.ranges.clear();
    state.choices.clear();
    refilter();
  },
  async choose_workload(number) {
    const had_results = vantage.sweep.valid.length > 0;
    await vantage.sweep.choose_workload(number);
    order_of.clear();
    refilter(true);
    if (!had_results) choose_axes();
    state.tell('workload');
  },

  hover(design) {
    if (design === state.hovered) return;
    state.hovered = design;
    state.tell('hover');
  },
  // The first design is A, the next ones B; a second time takes it away.
  pin(design) {
    const [a, b] = state.pins;
    if (design === a)
      state.pins = [b, -1];
    else if (design === b)
      state.pins = [a, -1];
    else
      state.pins = a < 0 ? [design, -1] : [a, design];
    state.tell('pins');
  }
};

// Filters -------------------------------------------------------------------------------------------------------------

let mask = null;
function refilter(is_silent = false) {
  const {axes, by_name, count, valid} = vantage.sweep;
  if (!mask || mask.length !== count) mask = new Uint8Array(count);
  mask.fill(0);
  for (const i of valid) mask[i] = 1;
  for (const [name, [low, high]] of state.ranges) {
    const {values} = by_name.get(name);
    for (const i of valid) {
      if (!(values[i] >= low && values[i] <= high)) mask[i] = 0;
    }
  }
  for (const [name, left] of state.choices) {
    const {values} = by_name.get(name);
    for (const i of valid) {
      if (!left.has(values[i])) mask[i] = 0;
    }
  }
  state.shown = valid.filter((i) => mask[i] === 1);
  find_front();
  if (!is_silent) state.tell('filter');
}

// The front -----------------------------------------------------------------------------------------------------------

// Designs by an axis, the best first; the same until another workload is chosen.
const order_of = new Map();
function ordered_by(axis) {
  if (!order_of.has(axis.name)) {
    const sign = axis.better === 'more' ? -1 : 1, {values} = axis;
    const order = vantage.sweep.valid.filter((i) => !Number.isNaN(values[i]));
    order_of.set(axis.name, order.sort((a, b) => sign * (values[a] - values[b])));
  }
  return order_of.get(axis.name);
}

// Those that are shown and that no other one beats in both; empty where there is no better.
function find_front() {
  const {x, y} = state;
  state.front = [];
  if (!x || !y || !x.better || !y.better || x === y) return;
  const sign = y.better === 'more' ? -1 : 1, order = ordered_by(x);
  let best = Infinity;
  for (let begin = 0; begin < order.length;) {
    // Of those that are alike in x only the best in y count
    let end = begin, least = Infinity;
    for (; end < order.length && x.values[order[end]] === x.values[order[begin]]; ++end) {
      const value = sign * y.values[order[end]];
      if (mask[order[end]] === 1 && value < least) least = value;
    }
    if (least < best) {
      best = least;
      for (let k = begin; k < end; ++k) {
        if (mask[order[k]] === 1 && sign * y.values[order[k]] === least) state.front.push(order[k]);
      }
    }
    begin = end;
  }
}

// Drawing -------------------------------------------------------------------------------------------------------------

// A view that draws in steps: `steps` is a generator, of which as many are done in a frame as there is time for.
// vantage.drawn() is resolved once no view has anything left to draw.
const kFrame = 14;  // milliseconds
const under_way = new Map();
let waiting = [];
vantage.draw_in_steps = function(view, steps) {
  const is_new = under_way.size === 0;
  under_way.set(view, steps);
  if (is_new) requestAnimationFrame(draw_some);
};
function draw_some() {
  const end = performance.now() + kFrame;
  for (const [view, make] of under_way) {
    // Made only now, so that what is asked for several times in a frame is begun once
    const steps = typeof make === 'function' ? make() : make;
    under_way.set(view, steps);
    let done = false;
    do {
      done = steps.next().done;
    } while (!done && performance.now() < end);
    if (done && under_way.get(view) === steps) under_way.delete(view);
    if (performance.now() >= end) break;
  }
  if (under_way.size > 0) return requestAnimationFrame(draw_some);
  for (const resolve of waiting) resolve();
  waiting = [];
}
vantage.draw_now = function() {
  for (const [view, make] of under_way) {
    const steps = typeof make === 'function' ? make() : make;
    while (!steps.next().done)
      ;
    under_way.delete(view);
  }
};
vantage.drawn = () => under_way.size === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve));

// Those that the report asks for, or others where all designs are alike in them; but not where they are in all.
function choose_axes() {
  const {by_name, axes} = vantage.sweep;
  const wanted = (name, other) => by_name.get(name)?.varies ?
      by_name.get(name) :
      axes.find((axis) => axis.better && axis.varies && axis !== other) ?? by_name.get(name);
  const y = wanted(vantage.report.y, null) ?? axes.at(-1), x = wanted(vantage.report.x, y) ?? y;
  [state.x, state.y] = [x, y];
  find_front();
}
vantage.start_state = function() {
  refilter(true);
  choose_axes();
};
})();
