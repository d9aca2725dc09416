#!/usr/bin/env python3
"""Draws how searches for mappings got on, as `vantage run conv --json` tells it, as an SVG picture.

search.py PICTURE.svg NAME=RUN.json...
"""

import json
import math
import sys
from xml.sax.saxutils import escape

LEFT, TOP, WIDTH, HEIGHT, FONT = 60, 20, 640, 260, 12
COLOURS = ["#76b041", "#e8a33d", "#7fb3d5", "#b07cc6", "#c0605a"]


def axis(largest):
    """The distance of an axis's lines, a round number, and how many of them reach the largest value."""
    power = 10 ** math.floor(math.log10(largest))
    step = max(step for step in (power / 5, power / 2, power, 2 * power, 5 * power) if 3 * step <= largest)
    return step, math.ceil(largest / step)


def main(target, runs):
    searches = []
    for run in runs:
        name, source = run.split("=", 1)
        with open(source) as file:
            searches.append((name, json.load(file)["workload"]["search"]))
    last = max(s["weighed"] for _, s in searches)
    gaps = [[(n, 100 * (c / s["bound"] - 1)) for n, c in s["improvements"]] for _, s in searches]
    largest = max(g for points in gaps for _, g in points)
    step, lines = axis(largest)
    top = step * lines
    out = []

    def text(x, y, words, anchor="start", colour="#333"):
        out.append(f'<text x="{x:.1f}" y="{y:.1f}" font-size="{FONT}" text-anchor="{anchor}" fill="{colour}">'
                   f"{escape(words)}</text>")

    def x_of(n):
        return LEFT + WIDTH * n / last

    def y_of(gap):
        return TOP + HEIGHT * (1 - gap / top)

    for i in range(lines + 1):
        gap = step * i
        out.append(f'<line x1="{LEFT}" x2="{LEFT + WIDTH}" y1="{y_of(gap):.1f}" y2="{y_of(gap):.1f}" stroke="#ddd"/>')
        text(LEFT - 6, y_of(gap) + 4, f"{gap:g} %", "end")
    step, lines = axis(last)
    for i in range(lines + 1):
        if step * i <= last:
            text(x_of(step * i), TOP + HEIGHT + 18, f"{step * i:g}", "middle")
    text(LEFT + WIDTH / 2, TOP + HEIGHT + 36, "programs weighed", "middle")
    text(LEFT + 6, TOP - 6, "cycles above the bound, of the best so far")
    for (name, s), points, colour in zip(searches, gaps, COLOURS):
        path = f"M{x_of(points[0][0]):.1f},{y_of(points[0][1]):.1f}"
        for n, gap in points[1:]:
            path += f" H{x_of(n):.1f} V{y_of(gap):.1f}"
        path += f' H{x_of(s["weighed"]):.1f}'
        out.append(f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        text(x_of(s["weighed"]) + 6, y_of(points[-1][1]) + 4, f"{name}: {points[-1][1]:.1f} %", colour=colour)
    width, height = LEFT + WIDTH + 130, TOP + HEIGHT + 46
    with open(target, "w") as file:
        file.write(f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
                   f'font-family="sans-serif"><rect width="100%" height="100%" fill="white"/>{"".join(out)}</svg>\n')


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2:])
