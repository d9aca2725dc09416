// The timeline's data, unpacked: levels at once, instructions when they are there.
(function() {
// A quantity over time. Sums of all that came before make every zoom as quick as any.
class Channel {
  constructor(about, bucket) {
    Object.assign(this, about);
    this.bucket = bucket;
    this.sums = null;
  }
  async unpack() {
    const levels = await vantage.unpack_bytes(this.levels);
    this.levels = null;
    this.sums = new Float64Array(levels.length + 1);
    for (let i = 0; i < levels.length; ++i) this.sums[i + 1] = this.sums[i] + levels[i];
  }
  // Up to a moment, in levels times buckets.
  sum_to(cycle) {
    const at = Math.min(Math.max(cycle / this.bucket, 0), this.sums.length - 1);
    const i = Math.floor(at);
    return this.sums[i] + (i + 1 < this.sums.length ? (at - i) * (this.sums[i + 1] - this.sums[i]) : 0);
  }
  // The mean from one moment to another, 0 to 1 of what is full.
  mean(from, to) { return (this.sum_to(to) - this.sum_to(from)) * this.bucket / (255 * Math.max(to - from, 1e-9)); }
}

class Instructions {
  async unpack(about, engines) {
    const {count, columns} = about;
    const column = (name, make, is_sum) => vantage.unpack_column(columns[name], count, make, is_sum);
    this.about = about;
    this.count = count;
    this.kinds = about.kinds.map((kind) => kind.name);
    this.kind = await column('kind', Uint8Array);
    // Engines are written as what they differ from the kind's first one.
    this.engine = await column('engine', Int8Array);
    for (let i = 0; i < count; ++i) this.engine[i] += about.kinds[this.kind[i]].engine;
    // The issue as what it is later than the one before it in the stage.
    this.issued = await column('issued', Float64Array);
    const issued = [0, 0, 0], stages = [0, 1, 1, 1, 2, 1];
    for (let i = 0; i < count; ++i) {
      const stage = stages[this.engine[i]];
      this.issued[i] = issued[stage] += this.issued[i];
    }
    // Each other moment as what it is later than the one before it.
    let before = this.issued;
    for (const moment of ['began', 'ended', 'retired']) {
      if (!columns[moment]) continue;
      const values = await column(moment, Float64Array);
      for (let i = 0; i < count; ++i) values[i] += before[i];
      this[moment] = before = values;
    }
    this.has_all = 'dispatched' in columns;
    this.dispatched = this.has_all ? await column('dispatched', Float64Array, true) : this.issued;
    this.waited_for = this.has_all ? await column('waited_for', Int32Array) : new Int32Array(count);
    // An engine takes its instructions in order.
    const sizes = new Uint32Array(engines + 1);
    for (let i = 0; i < count; ++i) ++sizes[this.engine[i]];
    this.of_engine = Array.from(sizes, (size) => new Uint32Array(size));
    sizes.fill(0);
    for (let i = 0; i < count; ++i) this.of_engine[this.engine[i]][sizes[this.engine[i]]++] = i;
  }

  // Their texts, which may come later, or never.
  async unpack_texts() {
    if (!this.about.forms) return;
    const form = await vantage.unpack_column(this.about.columns.form, this.count, Uint16Array);
    // Forms are numbered within each kind.
    const of_kind = this.kinds.map((_, k) => this.about.forms.flatMap(({kind}, f) => kind === k ? [f] : []));
    for (let i = 0; i < this.count; ++i) form[i] = of_kind[this.kind[i]][form[i]];
    const rank = new Uint32Array(this.count);
    const sizes = new Uint32Array(this.about.forms.length);
    for (let i = 0; i < this.count; ++i) rank[i] = sizes[form[i]]++;
    const forms = [];
    for (const [f, {text, numbers}] of this.about.forms.entries()) {
      const columns = [];
      for (const column of numbers) columns.push(await vantage.unpack_column(column, sizes[f], Float64Array, true));
      forms.push({parts: text.split('#'), columns});
    }
    this.texts = {form, rank, forms};
    this.about = null;
  }
  assembly(i) {
    if (!this.texts) return this.kinds[this.kind[i]];
    const {parts, columns} = this.texts.forms[this.texts.form[i]];
    return parts.reduce((text, part, k) => text + columns[k - 1][this.texts.rank[i]] + part);
  }
  // The place in an engine's list of the first instruction that ends at a moment or later.
  first_from(engine, cycle) {
    const list = this.of_engine[engine];
    let low = 0, high = list.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.ended[list[middle]] < cycle)
        low = middle + 1;
      else
        high = middle;
    }
    return low;
  }
}

vantage.load_levels = async function(timeline) {
  const channels = timeline.channels.map((about) => new Channel(about, timeline.bucket_cycles));
  await Promise.all(channels.map((channel) => channel.unpack()));
  return channels;
};
vantage.load_instructions = async function(timeline) {
  if (!timeline.instructions) return null;
  const instructions = new Instructions();
  await instructions.unpack(timeline.instructions, timeline.engines.length);
  timeline.instructions = null;
  return instructions;
};
})();
