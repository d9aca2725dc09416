// A table that is sorted by any of its columns: {name, of, text, is_name} each, of(row) gives what it sorts by.
(function() {
class SortedTable {
  // `on_choose`: called with a row that is clicked, or chosen by the keyboard; null: none is.
  constructor(place, on_choose = null) {
    this.table = d3.select(place);
    this.head = this.table.append('thead').append('tr');
    this.body = this.table.append('tbody');
    this.on_choose = on_choose;
    this.sorted = null;
  }
  show(columns, rows, descending_at_first = false) {
    this.columns = columns;
    this.rows = rows;
    if (!columns.some((column) => column.name === this.sorted?.name)) this.sorted = null;
    this.descending_at_first = descending_at_first;
    this.draw();
  }
  sort_by({name}) {
    const again = this.sorted?.name === name;
    this.sorted = {name, descending: again ? !this.sorted.descending : this.descending_at_first};
    this.draw();
  }
  draw() {
    const column = this.columns.find(({name}) => name === this.sorted?.name), descending = this.sorted?.descending;
    const rows = [...this.rows];
    if (column) {
      const order = descending ? d3.descending : d3.ascending;
      const missing = (row) => column.of(row) === undefined || Number.isNaN(column.of(row));
      rows.sort((a, b) => missing(a) - missing(b) || order(column.of(a), column.of(b)));
    }
    const head = this.head.selectAll('th').data(this.columns, (c) => c.name).join((enter) => {
      const made = enter.append('th').attr('scope', 'col');
      made.append('button').attr('type', 'button');
      return made;
    });
    head.order().attr('class', (c) => c.is_name ? null : 'number');
    head.attr('aria-sort', (c) => c !== column ? null : descending ? 'descending' : 'ascending');
    head.select('button').text((c) => c.name.replace(/_/g, '_\u200b')).on('click', (c) => this.sort_by(c));
    const row = this.body.selectAll('tr').data(rows).join('tr');
    row.selectAll('td')
        .data((d) => this.columns.map((c) => ({c, d})))
        .join('td')
        .attr('class', ({c}) => c.is_name ? 'name' : 'number')
        .attr('title', ({c, d}) => c.is_name ? c.of(d) : null)
        .text(({c, d}) => {
          const value = c.of(d);
          return value === undefined || Number.isNaN(value) ? '' : (c.text ?? String)(value);
        });
    if (!this.on_choose) return;
    row.attr('tabindex', 0).on('click', (d) => this.on_choose(d)).on('keydown', (d) => {
      if (d3.event.key === 'Enter') this.on_choose(d);
    });
  }
  // Marks rows of which a test holds.
  mark(is_chosen) { this.body.selectAll('tr').attr('aria-selected', is_chosen); }
}
vantage.SortedTable = SortedTable;

// The designs of the front ------------------------------------------------------------------------------------------

const kMostRows = 300;
const kMostOthers = 5;

vantage.draw_front = function() {
  const {state, sweep} = vantage;
  const table = new SortedTable('#front', (i) => state.pin(i));
  const mark = () => table.mark((i) => state.pins.includes(i));
  const fill = function() {
    const few = new Set([state.x, state.y]);
    for (const axis of sweep.axes) {
      if (axis.kind === 'key' && axis.varies && few.size < 2 + kMostOthers) few.add(axis);
    }
    const columns = [{name: 'design', of: (i) => sweep.name_of(i), is_name: true}];
    for (const axis of few) {
      columns.push({
        name: axis.name,
        of: (i) => axis.texts ? axis.texts[axis.values[i]] : axis.values[i],
        text: (value) => axis.texts ? value : axis.text(value),
        is_name: Boolean(axis.texts)
      });
    }
    table.show(columns, state.front.slice(0, kMostRows));
    const more = state.front.length - kMostRows;
    d3.select('#front-count')
        .text(
            vantage.counted(state.front.length, 'design') +
            (more > 0 ? `, of which the first ${kMostRows} are listed` : ''));
    mark();
  };
  fill();
  for (const what of ['workload', 'axes', 'filter']) state.on(what, fill);
  state.on('pins', mark);
};
})();
