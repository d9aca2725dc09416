#!/usr/bin/python3
"""Prints and draws what shapes of 256 multipliers take.

shapes.py DATABASE PICTURE.svg
"""

import sys

import pictures
from pictures import plt

NETWORKS = [("resnet18", "ResNet-18"), ("mobilenet", "MobileNet"), ("bert_base:sequence=128", "BERT, 128 tokens")]


def main(database, target):
    by_shape = {}
    for row in pictures.results(database):
        by_shape.setdefault(pictures.shape(row["config"]), {})[row["workload_name"]] = row

    def total(name):
        row = by_shape[name]["resnet18"]
        return row["config"]["LOG_BATCH"], row["ms"] + row["left_ms"]

    shapes = sorted(by_shape, key=total)
    table = []
    for name in shapes:
        rows = by_shape[name]
        cells = [name]
        for network, _ in NETWORKS:
            row = rows[network]
            cells += [f"{row['ms']:.1f}", f"{row['left_ms']:.1f}", f"{100 * row['useful_utilisation']:.0f}%"]
        table.append(cells + [rows["resnet18"][key] for key in ("luts", "dsps", "block_rams")])
    print()
    pictures.print_table(
        ["shape", "resnet18 ms", "+left", "MACs", "mobilenet ms", "+left", "MACs", "bert ms", "+left", "MACs", "LUTs",
         "DSPs", "RAMs"], table)  # fmt: skip

    figure, axes = plt.subplots(1, 4, figsize=(10, 4.2), sharey=True)
    places = range(len(shapes))
    for axis, (network, title) in zip(axes, NETWORKS):
        rows = [by_shape[name][network] for name in shapes]
        mine = [row["ms"] for row in rows]
        left = [row["left_ms"] for row in rows]
        axis.barh(places, mine, color=pictures.COLOURS[0], label="accelerator")
        axis.barh(places, left, left=mine, color=pictures.COLOURS[1], label="left to the processor, roughly")
        most = max(a + b for a, b in zip(mine, left))
        for place, row in zip(places, rows):
            axis.text(row["ms"] + row["left_ms"] + most / 60, place, f"{row['ms'] + row['left_ms']:.0f}", va="center",
                      fontsize=7)  # fmt: skip
        axis.set_title(title)
        axis.set_xlabel("ms at 100 MHz")
        axis.set_xlim(0, 1.18 * most)
        axis.grid(False, axis="y")
    axes[3].barh(places, [by_shape[name]["resnet18"]["luts"] / 1000 for name in shapes], color=pictures.GREY)
    axes[3].set_title("LUTs, by estimate")
    axes[3].set_xlabel("thousands")
    axes[3].grid(False, axis="y")
    axes[0].set_yticks(places, shapes)
    axes[0].invert_yaxis()
    axes[0].set_ylabel("rows x input depth x output channels")
    figure.legend(*axes[0].get_legend_handles_labels(), loc="upper center", ncol=2, bbox_to_anchor=(0.5, 1.03))
    figure.tight_layout()
    pictures.save(figure, target)


if __name__ == "__main__":
    main(*sys.argv[1:])
