#!/usr/bin/env python3
"""Draws a timeline that a run wrote (--trace FILE.json) as an SVG picture.

timeline.py FILE.json PICTURE.svg
"""

import json
import sys
from xml.sax.saxutils import escape

LEFT, WIDTH, ROW, GAP, FONT = 150, 850, 16, 6, 11
COLOURS = {"load": "#7fb3d5", "gemm": "#76b041", "alu": "#e8a33d", "store": "#b07cc6", "finish": "#888888"}
CURVE = 40  # height of a counter's curve
COUNTERS = ["bus read bytes/cycle", "bus write bytes/cycle", "load->compute tokens", "compute->store tokens"]


def main(source, target):
    with open(source) as file:
        events = json.load(file)["traceEvents"]
    slices = [e for e in events if e["ph"] == "X"]  # what keeps no engine busy is not drawn
    names = {e["tid"]: e["args"]["name"] for e in events if e.get("name") == "thread_name"}
    end = max(e["ts"] + e["dur"] for e in slices)
    scale = WIDTH / end
    out, y = [], 10

    def text(x, base, words, anchor="start", colour="#333"):
        out.append(f'<text x="{x:.1f}" y="{base:.1f}" font-size="{FONT}" text-anchor="{anchor}" fill="{colour}">'
                   f"{escape(words)}</text>")

    for thread in sorted(names):
        mine = [e for e in slices if e["tid"] == thread]
        if not mine:
            continue
        text(LEFT - 8, y + ROW - 4, names[thread], "end")
        for e in mine:
            kind = e["name"].split(".")[0].split(" ")[0]
            x, width = LEFT + e["ts"] * scale, max(e["dur"] * scale, 0.8)
            out.append(f'<rect x="{x:.1f}" y="{y}" width="{width:.1f}" height="{ROW}" fill="{COLOURS[kind]}" '
                       f'stroke="white" stroke-width="0.5"><title>{escape(e["name"])}</title></rect>')
            label = e["name"].split(" ")[0]
            if width > 7 * len(label):
                text(x + 3, y + ROW - 4, label)
        y += ROW + 2
    y += GAP
    for counter in COUNTERS:
        points = [(e["ts"], e["args"]["value"]) for e in events if e["ph"] == "C" and e["name"] == counter]
        top = max((value for _, value in points), default=0)
        if top == 0:
            continue
        text(LEFT - 8, y + CURVE / 2, counter, "end")
        text(LEFT - 8, y + CURVE / 2 + FONT + 2, f"up to {top:g}", "end", "#888")
        path, last = f"M{LEFT},{y + CURVE}", 0
        for at, value in points + [(end, 0)]:
            x = LEFT + at * scale
            path += f" L{x:.1f},{y + CURVE - last / top * CURVE:.1f} L{x:.1f},{y + CURVE - value / top * CURVE:.1f}"
            last = value
        out.append(f'<path d="{path} Z" fill="#c9d6df" stroke="#7f8c99" stroke-width="0.5"/>')
        y += CURVE + GAP
    for i in range(6):
        x = LEFT + WIDTH * i / 5
        out.append(f'<line x1="{x:.1f}" y1="10" x2="{x:.1f}" y2="{y}" stroke="#ddd" stroke-width="0.5"/>')
        text(x, y + FONT + 2, f"{end * i / 5:.0f} µs", "middle", "#888")
    height = y + FONT + 10
    with open(target, "w") as file:
        file.write(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {LEFT + WIDTH + 20} {height}" '
                   f'font-family="sans-serif">\n<rect width="100%" height="100%" fill="white"/>\n')
        file.write("\n".join(out) + "\n</svg>\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
