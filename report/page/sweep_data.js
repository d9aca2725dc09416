// The designs of a sweep, unpacked: each key and each result is an axis, which has a number for every design, NaN for
// nothing; of texts it has their places in a list.
(function() {
const kFewKeys = 12, kFewResults = 6;
const designs = vantage.report.designs;

async function unpack_values(about, rows) {
  const texts = about.texts ? await vantage.unpack_json(about.texts) : null;
  if (about.codes) {
    const codes = await vantage.unpack_column(about.codes, rows, Uint32Array), list = texts ?? about.values;
    const numbers = Float64Array.from(list, (value, code) => value === null ? NaN : texts ? code : value);
    return {texts, values: Float64Array.from(codes, (code) => numbers[code])};
  }
  if (about.integers) {
    const values = await vantage.unpack_column(about.integers, rows);
    for (const row of await vantage.unpack_column(about.missing, null, Float64Array, true)) values[row] = NaN;
    return {texts, values};
  }
  const planes = await vantage.unpack_bytes(about.floats), bytes = new Uint8Array(4 * rows);
  for (let i = 0; i < bytes.length; ++i) bytes[i] = planes[(i & 3) * rows + (i >> 2)];
  return {texts, values: Float64Array.from(new Float32Array(bytes.buffer))};
}

// Axes ----------------------------------------------------------------------------------------------------------------

class Axis {
  constructor(about) { Object.assign(this, {meaning: '', better: null, texts: null, values: null}, about); }
  // Looks at the values of these designs.
  measure(rows) {
    let low = Infinity, high = -Infinity;
    const most = this.kind === 'key' ? kFewKeys : kFewResults;
    const distinct = new Set();
    for (const i of rows) {
      const value = this.values[i];
      if (Number.isNaN(value)) continue;
      if (value < low) low = value;
      if (value > high) high = value;
      if (distinct.size <= most) distinct.add(value);
    }
    this.extent = low <= high ? [low, high] : [0, 1];
    this.varies = low < high;
    // Few values, each of which can be told from the others
    this.few = distinct.size <= most ? [...distinct].sort(d3.ascending) : null;
    if (this.few && new Set(this.few.map((value) => this.text(value))).size < this.few.length) this.few = null;
    this.can_be_log = low > 0 && low < high && !this.texts;
    if (low <= high) this.is_log ??= this.can_be_log && this.kind === 'result' && high / low > 20;
  }
  text(value) {
    if (Number.isNaN(value)) return '–';
    if (this.texts) return this.texts[value];
    if (this.name.endsWith('utilisation')) return vantage.percent(value);
    if (this.name.endsWith('bytes')) return vantage.text(vantage.bytes(value));
    if (this.kind === 'key') return String(value);
    return Math.abs(value) < 0.1 && value !== 0 ? value.toPrecision(3) : vantage.number(value);
  }
  // As a tick of a scale.
  tick(value) {
    if (this.texts) return this.texts[value] ?? '';
    if (this.name.endsWith('utilisation')) return d3.format('~%')(value);
    return Math.abs(value) >= 1e4 || (value !== 0 && Math.abs(value) < 1e-3) ? d3.format('~s')(value) :
                                                                               d3.format('~r')(value);
  }
  // From the lowest to the highest value, with some room.
  scale(range) {
    const [low, high] = this.extent;
    if (this.texts) return d3.scaleLinear([-0.5, this.texts.length - 0.5], range);
    if (this.is_log && this.can_be_log) {
      const room = Math.pow(high / low, 0.03);
      return d3.scaleLog([low / room, high * room], range);
    }
    const room = high > low ? 0.03 * (high - low) : (Math.abs(high) || 1) / 2;
    return d3.scaleLinear([low - room, high + room], range);
  }
  ticks(scale, count) {
    if (this.texts) return d3.range(this.texts.length);
    const [low, high] = d3.extent(scale.domain());
    if (this.few && this.kind === 'key' && this.few.length <= 2 * count) {
      return this.few.filter((value) => value >= low && value <= high);
    }
    if (!this.is_log || !this.can_be_log) return scale.ticks(count);
    const ticks = scale.ticks(count), round = (digits) => ticks.filter((tick) => {
      const digit = tick / Math.pow(10, Math.floor(Math.log10(tick) + 1e-9));
      return digits.some((d) => Math.abs(digit - d) < 1e-6);
    });
    for (const digits of [[1, 2, 3, 4, 5, 6, 7, 8, 9], [1, 2, 5], [1, 3], [1]]) {
      const some = round(digits);
      if (some.length <= count + 1 && some.length > 1) return some;
    }
    return ticks.filter((_, i) => i % Math.ceil(ticks.length / count) === 0);
  }
}

// What is known of designs --------------------------------------------------------------------------------------------

class Sweep {
  async unpack() {
    this.count = designs.count;
    this.names = await unpack_values(designs.names, this.count);
    this.memories = await unpack_values(designs.memories, this.count);
    this.axes = [];
    for (const {name, column} of designs.keys) {
      const axis = new Axis({name, kind: 'key', ...await unpack_values(column, this.count)});
      this.axes.push(axis);
    }
    this.add_memory();
    const fixed = new Map();
    for (const {name, column} of designs.columns) fixed.set(name, await unpack_values(column, this.count));
    for (const about of vantage.report.axes) {
      this.axes.push(new Axis({...about, kind: 'result', ...fixed.get(about.name)}));
    }
    this.by_name = new Map(this.axes.map((axis) => [axis.name, axis]));
    await this.choose_workload(0);
  }
  // Memories by their names; of one name there may be several, as clocks differ.
  add_memory() {
    const names = this.memories.texts.map((text) => JSON.parse(text).name), texts = [...new Set(names)];
    if (texts.length < 2) return;
    const places = names.map((name) => texts.indexOf(name));
    this.axes.push(new Axis(
        {name: 'memory', kind: 'key', texts, values: Float64Array.from(this.memories.values, (v) => places[v])}));
  }
  async choose_workload(number) {
    const workload = this.workload = vantage.report.workloads[number];
    if (!workload.rows) {
      workload.rows = await vantage.unpack_column(workload.places, workload.count, Uint32Array, true);
      workload.rows = workload.rows.map((row, i) => row + i);  // each is counted from behind the one before
      workload.values = new Map();
      for (const {name, column} of workload.columns) {
        const {values} = await unpack_values(column, workload.count);
        workload.values.set(name, values);
      }
    }
    for (const axis of this.axes) {
      const values = workload.values.get(axis.name);
      if (!values) continue;
      axis.values = new Float64Array(this.count).fill(NaN);
      workload.rows.forEach((row, i) => axis.values[row] = values[i]);
    }
    const cycles = this.by_name.get('cycles').values;
    this.valid = workload.rows.filter((row) => !Number.isNaN(cycles[row]));
    for (const axis of this.axes) {
      axis.values ??= new Float64Array(this.count).fill(NaN);
      axis.measure(this.valid);
    }
  }

  name_of(i) { return this.names.texts[this.names.values[i]]; }
  // What `vantage run --config` takes, key by key as it was written.
  config_of(i) {
    const config = {};
    for (const key of designs.order) {
      const axis = key in designs.common ? null : this.by_name.get(key);
      if (!axis) {
        config[key] = designs.common[key];
      } else if (!Number.isNaN(axis.values[i])) {
        config[key] = axis.texts ? axis.texts[axis.values[i]] : axis.values[i];
      }
    }
    return config;
  }
  memory_of(i) { return JSON.parse(this.memories.texts[this.memories.values[i]]); }

  // Of each layer its name, how often it runs, its useful multiplications, cycles, bytes and, with an energy model,
  // picojoules (-1: unknown); null where the page has none of this design.
  async layers_of(i) {
    const {layers} = this.workload;
    if (!layers.by_design) {
      const lists = await vantage.unpack_json(layers.lists);
      const places = await vantage.unpack_column(layers.places, layers.count, Float64Array, true);
      const list = await vantage.unpack_column(layers.list, layers.count, Uint32Array);
      const cycles = await vantage.unpack_column(layers.cycles), bytes = await vantage.unpack_column(layers.bytes);
      const pj = layers.pj ? await vantage.unpack_column(layers.pj) : null;
      layers.by_design = new Map();
      for (let k = 0, first = 0; k < layers.count; ++k) {
        const names = lists[list[k]];
        layers.by_design.set(places[k], {names, first, cycles, bytes, pj});
        first += names.length;
      }
    }
    const found = layers.by_design.get(i);
    if (!found) return null;
    return found.names.map(([name, repeats, useful], k) => {
      const at = found.first + k;
      return {name, repeats, useful, cycles: found.cycles[at], bytes: found.bytes[at], pj: found.pj?.[at]};
    });
  }
}

// A place on a scale, of what is beyond its ends that of the end.
vantage.place_on = function(scale, value) {
  const [low, high] = d3.extent(scale.domain());
  return scale(Math.max(low, Math.min(high, value)));
};
vantage.load_sweep = async function() {
  vantage.sweep = new Sweep();
  await vantage.sweep.unpack();
};
})();
