#!/usr/bin/env python3
"""Draws cycles of ResNet-18's layers as bars, from the table of docs/performance.md that has them.

layers.py docs/performance.md docs/diagrams/layers.svg
"""

import re
import sys

LEFT, TOP, WIDTH, HEIGHT, FONT = 60, 46, 860, 220, 12
SERIES = [("bound", 1, "#c9d6df"), ("Vantage", 2, "#76b041"), ("Pynq", 4, "#e8a33d"), ("Chisel", 5, "#7fb3d5")]
ROW = re.compile(r"^\| (C\d+) \| ([\d,]+) \| ([\d,]+) \| ([\d.]+) \| ([\d,]+) \| ([\d,]+) \|$")


def main(source, target):
    with open(source) as file:
        rows = [match.groups() for match in map(ROW.match, file.read().splitlines()) if match]
    if not rows:
        sys.exit(f"{source} has no table of layers")
    layers = [(row[0], [int(row[column].replace(",", "")) for _, column, _ in SERIES]) for row in rows]
    top = max(max(values) for _, values in layers)
    scale = HEIGHT / top
    group = WIDTH / len(layers)
    bar = group * 0.8 / len(SERIES)
    bottom = TOP + HEIGHT
    out = []

    def text(x, y, words, anchor="middle", colour="#333", size=FONT):
        out.append(f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" fill="{colour}">'
                   f"{words}</text>")

    text(LEFT, 16, "Cycles of ResNet-18's layers on accelerators of 256 multipliers, less is better", "start")
    x = LEFT
    for name, _, colour in SERIES:
        out.append(f'<rect x="{x}" y="24" width="12" height="12" fill="{colour}"/>')
        text(x + 17, 34, name, "start")
        x += 40 + 8 * len(name)
    for line in range(0, top + 1, 100_000):
        y = bottom - line * scale
        out.append(f'<line x1="{LEFT}" y1="{y:.1f}" x2="{LEFT + WIDTH}" y2="{y:.1f}" stroke="#ddd" '
                   'stroke-width="0.5"/>')
        text(LEFT - 6, y + 4, f"{line:,}", "end", "#888", 10)
    for i, (name, values) in enumerate(layers):
        x = LEFT + i * group + group * 0.1
        for (label, _, colour), value in zip(SERIES, values):
            height = value * scale
            out.append(f'<rect x="{x:.1f}" y="{bottom - height:.1f}" width="{bar - 1:.1f}" height="{height:.1f}" '
                       f'fill="{colour}"><title>{name}, {label}: {value:,}</title></rect>')
            x += bar
        text(LEFT + (i + 0.5) * group, bottom + 16, name)
    with open(target, "w") as file:
        file.write(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {LEFT + WIDTH + 20} {bottom + 28}" '
                   f'font-family="sans-serif">\n<rect width="100%" height="100%" fill="white"/>\n')
        file.write("\n".join(out) + "\n</svg>\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
