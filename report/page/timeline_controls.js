// The timeline with what belongs to it: buttons for groups of tracks and kinds of instructions, and the colours' key.
(function() {
function toggles(place, items, is_on, toggle) {
  d3.select(place)
      .selectAll('button')
      .data(items)
      .join('button')
      .attr('type', 'button')
      .attr('aria-pressed', (d) => is_on(d))
      .each(function(d) {
        const button = d3.select(this);
        if (d.colour) button.append('span').attr('class', 'swatch').style('background', `var(--${d.colour})`);
        button.append('span').text(d.name);
      })
      .on('click', function(d) {
        toggle(d);
        d3.select(this).attr('aria-pressed', is_on(d));
      });
}

function show_stage_key() {
  const key = d3.select('#timeline-key')
                  .selectAll('span')
                  .data([['busy', 'good'], ['waits for memory', 'memory'], ['waits for a token', 'token']])
                  .join('span');
  key.append('span').attr('class', 'swatch').style('background', (d) => `var(--${d[1]})`);
  key.append('span').text((d) => d[0]);
}
function show_kinds(shown, insns) {
  const kinds = insns.kinds.map((name, k) => ({name, k, colour: 'other'}));
  const left = new Set(kinds.map((kind) => kind.k));
  for (let i = 0; i < insns.count && left.size > 0; ++i) {
    if (left.delete(insns.kind[i])) kinds[insns.kind[i]].colour = vantage.engine_colours[insns.engine[i]];
  }
  toggles('#timeline-kinds', kinds, ({k}) => vantage.kind_is_shown[k], ({k}) => {
    vantage.kind_is_shown[k] = !vantage.kind_is_shown[k];
    shown.ask_for_drawing();
  });
}

vantage.draw_timeline = async function() {
  const timeline = vantage.report.timeline;
  if (!timeline) return;
  vantage.section('timeline');
  const tracks = vantage.make_tracks(timeline, await vantage.load_levels(timeline));
  const shown = vantage.timeline = new vantage.Timeline(timeline, tracks);
  const groups = [...new Set(tracks.map((track) => track.group))].map((name) => ({name}));
  toggles('#timeline-groups', groups, ({name}) => !shown.hidden_groups.has(name), ({name}) => shown.toggle_group(name));
  d3.select('#timeline-readout').text(left_out_text(timeline));
  if (groups.some(({name}) => name === 'Stages')) show_stage_key();
  const insns = await vantage.load_instructions(timeline);
  if (!insns) return;
  vantage.kind_is_shown = insns.kinds.map(() => true);
  vantage.instructions = insns;
  show_kinds(shown, insns);
  shown.ask_for_drawing();
  await insns.unpack_texts();
};
function left_out_text({left_out}) {
  if (left_out === 'texts') return 'Too many instructions for this page: of each it has the kind, not the operands.';
  if (left_out === 'all but work') {
    return 'Too many instructions for this page: of each it has the kind, and when it was worked on.';
  }
  if (left_out === 'instructions') return 'Too many instructions for this page: it has their share of the time only.';
  return '';
}
})();
