#!/usr/bin/python3
"""Prints and draws how bus and latency bound what multipliers do.

bus.py DATABASE PICTURE.svg
"""

import sys

import pictures
from pictures import plt

WORKLOADS = [("resnet18", "ResNet-18"), ("mobilenet", "MobileNet"), ("gemm:1x768x3072", "1 x 768 x 3072")]
MEMORIES = [("m1", 1), ("m64", 64), ("m128", 128), ("m256", 256)]
WIDTHS = [64, 128, 256, 512]


def main(database, target):
    found = {}
    for row in pictures.results(database):
        place = (row["workload_name"], pictures.shape(row["config"]), row["memory_name"], 8 * row["bus_bytes"])
        found[place] = row
    shapes = ["1x16x16", "1x32x32"]
    figure, axes = plt.subplots(len(shapes), len(WORKLOADS), figsize=(10, 5.6), sharex=True, sharey=True)
    for down, shape in enumerate(shapes):
        table = []
        for across, (workload, title) in enumerate(WORKLOADS):
            axis = axes[down][across]
            # Lines that lie on each other are seen by their widths.
            for colour, thick, (memory, latency) in zip(pictures.COLOURS, [6, 3.5, 1.5, 1.5], MEMORIES):
                rows = [found[workload, shape, memory, width] for width in WIDTHS]
                shares = [100 * row["useful_utilisation"] for row in rows]
                axis.plot(range(len(WIDTHS)), shares, marker="o", markersize=thick + 2, linewidth=thick, color=colour,
                          label=f"latency {latency}")  # fmt: skip
                table.append([workload, latency] + [f"{row['cycles']:,} ({share:.0f}%)"
                                                    for row, share in zip(rows, shares)])  # fmt: skip
            axis.set_title(f"{title} on {shape}")
            axis.set_ylim(0, 100)
        print(f"\n{shape}: cycles, and the share of multiplications that were asked for")
        pictures.print_table(["workload", "latency"] + [f"{width} bits" for width in WIDTHS], table)
        axes[down][0].set_ylabel("% of multiplications used")
    for axis in axes[-1]:
        axis.set_xticks(range(len(WIDTHS)), WIDTHS)
        axis.set_xlabel("bits of the bus")
    axes[0][2].legend()
    figure.tight_layout()
    pictures.save(figure, target)


if __name__ == "__main__":
    main(*sys.argv[1:])
