// How many designs are left, what filters them, and the filters themselves: values where there are few, else from and
// to.
(function() {
const {state} = vantage;

// What a filter is, in words.
function filter_text(axis) {
  const parts = [], choice = state.choices.get(axis.name), range = state.ranges.get(axis.name);
  if (choice)
    parts.push(choice.size === 0 ? 'none' : [...choice].sort(d3.ascending).map((v) => axis.text(v)).join(', '));
  if (range && axis.texts) {
    parts.push(axis.texts.filter((_, place) => place >= range[0] && place <= range[1]).join(', '));
  } else if (range) {
    const [low, high] = range.map((value, k) => {
      const whole = axis.kind === 'key' ? (k === 0 ? Math.ceil(value) : Math.floor(value)) : value;
      return Number.isFinite(whole) ? axis.text(whole) : '';
    });
    parts.push(low === high ? low : low && high ? `${low} to ${high}` : low ? `from ${low}` : `to ${high}`);
  }
  return `${axis.name}: ${parts.join(' and ')}`;
}

function say_count() {
  const {valid} = vantage.sweep, {shown} = state;
  d3.select('#count').text(`${vantage.whole(shown.length)} of ${vantage.counted(valid.length, 'design')}`);
  d3.select('#clear-all').attr('disabled', state.ranges.size + state.choices.size > 0 ? null : '');
  const filtered = vantage.sweep.axes.filter(({name}) => state.ranges.has(name) || state.choices.has(name));
  d3.select('#active-filters')
      .selectAll('button')
      .data(filtered)
      .join('button')
      .attr('type', 'button')
      .attr('title', 'Take this filter away')
      .text((axis) => filter_text(axis) + ' ✕')
      .on('click', (axis) => state.clear(axis.name));
}

function show_choices(place, axis) {
  const left = state.choices.get(axis.name);
  place.selectAll('button')
      .data(axis.few)
      .join('button')
      .attr('type', 'button')
      .attr('aria-pressed', (value) => !left || left.has(value))
      .text((value) => axis.text(value))
      .on('click', (value) => state.toggle_choice(axis, value));
}
function show_range(place, axis) {
  const range = state.ranges.get(axis.name) ?? [-Infinity, Infinity];
  place.selectAll('input')
      .data(['from', 'to'])
      .join('input')
      .attr('type', 'number')
      .attr('step', 'any')
      .attr('aria-label', (side) => `${axis.name}, ${side}`)
      .attr(
          'placeholder',
          (side, k) => {
            const value = axis.extent[k];
            return d3.format(value !== 0 && Math.abs(value) < 1e-3 ? '.2~e' : '.4~r')(value);
          })
      .property('value', (side, k) => Number.isFinite(range[k]) ? Number(range[k].toPrecision(6)) : '')
      .on('change', () => {
        const [low, high] = place.selectAll('input').nodes().map((node) => node.value.trim());
        const given = [low === '' ? -Infinity : Number(low), high === '' ? Infinity : Number(high)];
        state.set_ranges([[axis.name, low === '' && high === '' ? null : given]]);
      });
}
function show_filters() {
  const row = d3.select('#filters')
                  .selectAll('div')
                  .data(vantage.sweep.axes.filter((axis) => axis.varies), (axis) => axis.name)
                  .join((enter) => {
                    const made = enter.append('div').attr('role', 'group');
                    made.append('span').attr('class', 'quiet');
                    made.append('span').attr('class', 'tools');
                    return made;
                  });
  row.order().attr('aria-label', (axis) => axis.name);
  row.select('.quiet').text((axis) => axis.name).attr('title', (axis) => axis.meaning);
  row.select('.tools').each(function(axis) {
    const place = d3.select(this), is_few = Boolean(axis.few);
    place.selectAll(is_few ? 'input' : 'button').remove();
    (is_few ? show_choices : show_range)(place, axis);
  });
}

vantage.draw_filters = function() {
  d3.select('#clear-all').on('click', () => state.clear_all());
  const all = () => {
    say_count();
    show_filters();
  };
  all();
  for (const what of ['workload', 'filter']) state.on(what, all);
};
})();
