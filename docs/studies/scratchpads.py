#!/usr/bin/python3
"""Prints and draws what ResNet-50 takes with less and less scratchpad.

scratchpads.py DATABASE PROOF.json PICTURE.svg
"""

import json
import sys

import pictures
from pictures import plt

KEYS = [("LOG_UOP_BUFF_SIZE", "micro-ops"), ("LOG_INP_BUFF_SIZE", "inputs"), ("LOG_WGT_BUFF_SIZE", "weights"),
        ("LOG_ACC_BUFF_SIZE", "accumulators")]  # fmt: skip
FULL = {"LOG_UOP_BUFF_SIZE": 15, "LOG_INP_BUFF_SIZE": 15, "LOG_WGT_BUFF_SIZE": 18, "LOG_ACC_BUFF_SIZE": 17}


def kilobytes(config):
    return sum(2 ** config[key] for key, _ in KEYS) / 1024


def main(database, proof, target):
    with open(proof) as file:
        measured = json.load(file)["measured"]
    front = sorted((m for m in measured if m["on_front"]), key=lambda m: m["values"])
    rows = pictures.results(database, workload_name="resnet50")
    default = next(row for row in rows if all(row["config"][key] == value for key, value in FULL.items()))

    def slower(cycles):
        return 100 * (cycles / default["cycles"] - 1)

    def percent(cycles):
        return f"{slower(cycles):+.1f}%".replace("-0.0", "+0.0")

    table, seen = [], set()
    for m in sorted(front, key=lambda m: m["values"][1]):
        config = m["design"]["config"]
        others = tuple(config[key] for key, _ in KEYS[1:])
        if others in seen:
            continue
        seen.add(others)
        table.append([f"{kilobytes(config):.1f}"] + [f"{2 ** config[key] / 1024:g}" for key, _ in KEYS] +
                     [f"{m['values'][0]:,.0f}", percent(m["values"][0])])  # fmt: skip
    print("\nthe front, of designs that differ in micro-ops alone the smallest; KB")
    pictures.print_table(["all"] + [name for _, name in KEYS] + ["cycles", "to the default"], table)

    alone = {}
    for key, name in KEYS:
        others = [row for row in rows
                  if all(row["config"][k] == v for k, v in FULL.items() if k != key)]  # fmt: skip
        alone[name] = sorted((2 ** row["config"][key] / 1024, row["cycles"]) for row in others)
    print("\none alone made smaller, the others as in the default")
    pictures.print_table(
        ["scratchpad", "KB: cycles to the default"],
        [[name, "  ".join(f"{kb:g}: {percent(cycles)}" for kb, cycles in reversed(points))]
         for name, points in alone.items()])  # fmt: skip

    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4))
    left.scatter([m["values"][1] / 1024 for m in measured if not m["on_front"]],
                 [m["values"][0] / 1e6 for m in measured if not m["on_front"]],
                 s=12, color=pictures.GREY, label="measured, and beaten")  # fmt: skip
    size, cycles = [m["values"][1] / 1024 for m in front], [m["values"][0] / 1e6 for m in front]
    left.step(size, cycles, where="pre", color=pictures.COLOURS[0], linewidth=1)
    left.scatter(size, cycles, s=22, color=pictures.COLOURS[0], label="the front")
    left.scatter([kilobytes(FULL)], [default["cycles"] / 1e6], s=60, marker="*", color=pictures.COLOURS[5],
                 label="the default", zorder=3)  # fmt: skip
    left.axhline(default["bound"] / 1e6, color=pictures.GREY, linestyle="--", linewidth=1)
    left.text(max(size), default["bound"] / 1e6 - 0.5, "what its layers take at least", ha="right", va="top",
              fontsize=8)  # fmt: skip
    left.set_xscale("log", base=2)
    left.set_xticks([64, 128, 256, 512], ["64", "128", "256", "512"])
    left.minorticks_off()
    left.set_xlabel("KB of all scratchpads")
    left.set_ylabel("million cycles")
    left.set_ylim(bottom=0)
    left.set_title("All four together")
    left.legend()
    for colour, (name, points) in zip(pictures.COLOURS, alone.items()):
        right.plot([kb for kb, _ in points], [slower(cycles) for _, cycles in points], marker="o", markersize=4, color=colour, label=name)
    most = max(slower(cycles) for points in alone.values() for _, cycles in points)
    right.set_ylim(-0.3, 8)
    right.text(6.5, 7.6, f"+{most:.0f} % at 4 KB", ha="right", fontsize=8, color=pictures.COLOURS[2])
    right.set_xscale("log", base=2)
    ticks = [0.5, 2, 8, 32, 128]
    right.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    right.minorticks_off()
    right.set_xlabel("KB of that scratchpad")
    right.set_ylabel("% more cycles than the default")
    right.set_title("One alone made smaller")
    right.legend()
    figure.tight_layout()
    pictures.save(figure, target)


if __name__ == "__main__":
    main(*sys.argv[1:])
