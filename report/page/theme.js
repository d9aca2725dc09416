// Light and dark: as the system has it, until the button says otherwise; on paper always light.
(function() {
const prefers_dark = matchMedia('(prefers-color-scheme: dark)');
let chosen = null;
const theme = () => chosen ?? (prefers_dark.matches ? 'dark' : 'light');
vantage.set_theme(theme());
prefers_dark.addEventListener('change', () => vantage.set_theme(theme()));
d3.select('#theme').on('click', () => {
  chosen = theme() === 'dark' ? 'light' : 'dark';
  vantage.set_theme(chosen);
});

// What is drawn on a canvas has to be drawn at once before it is printed.
const draw_now = [];
vantage.on_print = (draw) => draw_now.push(draw);
addEventListener('beforeprint', () => {
  vantage.set_theme('light');
  for (const draw of draw_now) draw();
});
addEventListener('afterprint', () => vantage.set_theme(theme()));
})();
