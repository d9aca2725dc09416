#!/usr/bin/env python3
"""Draws where the fields of instructions lie, as an SVG picture.

vantage config show default --fields --json | docs/diagrams/fields.py docs/diagrams/fields.svg
"""

import json
import sys
from xml.sax.saxutils import escape

LEFT, WIDTH, ROW, GAP, FONT = 150, 960, 44, 22, 11
BIT = WIDTH / 64
NARROW = 5.2 * FONT / 10  # of a letter
GROUPS = {  # by what names begin with
    "opcode": "#cfcfcf", "alu_opcode": "#cfcfcf", "pop": "#f2d7a0", "push": "#f2d7a0", "uop": "#c9e2b3",
    "iter": "#c9e2b3", "dst": "#b9d4ea", "src": "#d9cbe8", "wgt": "#f3c6bd", "imm": "#f3c6bd",
}


def colour(name):
    return next((c for start, c in GROUPS.items() if name.startswith(start)), "#ececec")


def main(target):
    out, y = [], 8

    def text(x, base, words, anchor="middle", fill="#222", size=FONT):
        out.append(f'<text x="{x:.1f}" y="{base:.1f}" font-size="{size}" text-anchor="{anchor}" fill="{fill}">'
                   f"{escape(words)}</text>")

    for name, fields in json.load(sys.stdin)["fields"].items():
        for word in sorted({field["word"] for field in fields}):
            text(LEFT - 10, y + ROW / 2 + 4, name if len({f["word"] for f in fields}) == 1 else f"{name}, word {word}",
                 "end")
            bits = 32 if name == "micro-op" else 64
            out.append(f'<rect x="{LEFT}" y="{y}" width="{bits * BIT:.1f}" height="{ROW}" fill="white" '
                       'stroke="#999" stroke-dasharray="3 3"/>')
            for field in fields:
                if field["word"] != word or field["width"] == 0:
                    continue
                x, width = LEFT + field["lsb"] * BIT, field["width"] * BIT
                last = field["lsb"] + field["width"] - 1
                place = f'{field["lsb"]}' if field["width"] == 1 else f'{field["lsb"]}..{last}'
                out.append(f'<g><title>{escape(field["name"])}: bits {place} of word {word}</title>'
                           f'<rect x="{x:.1f}" y="{y}" width="{width:.1f}" height="{ROW}" '
                           f'fill="{colour(field["name"])}" stroke="#555"/></g>')
                middle, base = x + width / 2, y + ROW / 2
                lines = [field["name"]]
                if len(field["name"]) * NARROW > width:
                    lines = field["name"].split("_")
                if max(len(line) for line in lines) * NARROW > width:  # upright
                    out.append(f'<text transform="translate({middle + 3:.1f},{base}) rotate(-90)" font-size="8" '
                               f'text-anchor="middle" fill="#222">{escape(field["name"])}</text>')
                else:
                    for i, line in enumerate(lines):
                        text(middle, base + 4 + (i - (len(lines) - 1) / 2) * (FONT + 1), line)
                text(x + 1, y + ROW + 10, str(field["lsb"]), "start", "#777", 8)
            y += ROW + GAP
    height = y - GAP + 16
    with open(target, "w") as file:
        file.write(f'<svg xmlns="http://www.w3.org/2000/svg" width="{LEFT + WIDTH + 10}" height="{height}" '
                   f'font-family="sans-serif"><rect width="100%" height="100%" fill="white"/>\n')
        file.write("\n".join(out) + "\n</svg>\n")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
