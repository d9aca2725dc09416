#!/usr/bin/env python3
"""Draws how searches for mappings got on, as `vantage run conv --json` tells it, as an SVG picture.

search.py PICTURE.svg NAME=RUN.json...
"""

import json
import sys
from xml.sax.saxutils import escape

LEFT, TOP, WIDTH, HEIGHT, FONT = 60, 20, 640, 260, 12
COLOURS = ["#76b041", "#e8a33d", "#7fb3d5", "#b07cc6", "#c0605a"]


def main(target, runs):
    searches = []
    for run in runs:
        name, source = run.split("=", 1)
        with open(source) as file:
            searches.append((name, json.load(file)["workload"]["search"]))
    last = max(s["weighed"] for _, s in searches)
    gaps = [[(n, 100 * (c / s["bound"] - 1)) for n, c in s["improvements"]] for _, s in searches]
    top = max(g for points in gaps for _, g in points)
    out = []

    def text(x, y, words, anchor="start", colour="#333"):
        out.append(f'<text x="{x:.1f}" y="{y:.1f}" font-size="{FONT}" text-anchor="{anchor}" fill="{colour}">'
                   f"{escape(words)}</text>")

    def x_of(n):
        return LEFT + WIDTH * n / last

    def y_of(gap):
        return TOP + HEIGHT * (1 - gap / top)

    for i in range(5):
        gap = top * i / 4
        out.append(f'<line x1="{LEFT}" x2="{LEFT + WIDTH}" y1="{y_of(gap):.1f}" y2="{y_of(gap):.1f}" stroke="#ddd"/>')
        text(LEFT - 6, y_of(gap) + 4, f"{gap:.0f} %", "end")
    for i in range(6):
        text(x_of(last * i / 5), TOP + HEIGHT + 18, f"{last * i / 5:.0f}", "middle")
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
