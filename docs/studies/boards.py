#!/usr/bin/python3
"""Prints and draws the fronts of designs that fit parts, and what keeps larger tiles off them.

boards.py PICTURE.svg PART...

Reads PART.front.json and PART.sqlite, and asks $VANTAGE what cores take of a part.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pictures
from pictures import plt

RESOURCES = [("luts", "LUTs"), ("dsps", "DSPs"), ("block_rams", "RAMs")]
# The least that the spaces have, so that a tile takes no less with any scratchpads.
SMALLEST = {"LOG_UOP_BUFF_SIZE": 9, "LOG_INP_BUFF_SIZE": 11, "LOG_WGT_BUFF_SIZE": 12, "LOG_ACC_BUFF_SIZE": 13}


def estimates(part, configs):
    """What each core takes, in percent of the part, and whether it fits."""
    Path("cores").mkdir(exist_ok=True)
    files = []
    for number, config in enumerate(configs):
        files.append(f"cores/{number}.json")
        Path(files[-1]).write_text(json.dumps(config))
    run = subprocess.run([os.environ["VANTAGE"], "synth", "--estimate", "--part", part, "--json", "--config", *files],
                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)  # fmt: skip
    answer = json.loads(run.stdout)  # the exit status says whether all fit
    has = answer["available"]
    return [({key: 100 * core["used"][key] / has[key] for key, _ in RESOURCES}, core["fits"])
            for core in answer["cores"]]  # fmt: skip


def percents(shares):
    return [f"{shares[key]:.0f}%" for key, _ in RESOURCES]


def scratchpads(config):
    return "+".join(f"{2 ** config[f'LOG_{name}_BUFF_SIZE'] / 1024:g}" for name in ("UOP", "INP", "WGT", "ACC"))


def smallest_alike(front, shares):
    """Of those with the same tile and bus that are within 0.2 % of the fastest, the one with the fewest RAMs."""
    kept, first, alike = [], None, None
    for m, share in zip(front, shares):
        config = m["design"]["config"]
        here = (pictures.shape(config), config["LOG_BUS_WIDTH"])
        if here != alike or m["values"][0] > 1.002 * first:
            kept.append(None)
            first, alike = m["values"][0], here
        kept[-1] = (m, share)
    return kept


def print_front(part, front, shares):
    print(f"\n{part}: the front, of designs that are alike the smallest; KB of micro-ops, inputs, weights, accumulators")
    rows = []
    for m, (used, _) in smallest_alike(front, shares):
        config = m["design"]["config"]
        rows.append([pictures.shape(config), f"{m['values'][0]:.2f}", 2 ** config["LOG_BUS_WIDTH"],
                     scratchpads(config), f"{m['values'][1]:.0f}"] + percents(used))  # fmt: skip
    pictures.print_table(["tile", "ms", "bus", "KB", "block RAMs"] + [name for _, name in RESOURCES], rows)


def print_tiles(part, config, front):
    """Each tile with the least scratchpads, as what it takes then it takes at least."""
    on_front = {pictures.shape(m["design"]["config"]) for m in front}
    tiles = [dict(config, **SMALLEST, LOG_BLOCK=i, LOG_BLOCK_IN=i, LOG_BLOCK_OUT=o, LOG_BUS_WIDTH=6)
             for o in range(3, 7) for i in range(3, 6) if 8 <= i + o <= 10]  # fmt: skip
    tiles.sort(key=lambda tile: (tile["LOG_BLOCK_IN"] + tile["LOG_BLOCK_OUT"], tile["LOG_BLOCK_OUT"]))
    print(f"\n{part}: what tiles take with the smallest scratchpads")
    rows = []
    for tile, (used, fits) in zip(tiles, estimates(part, tiles)):
        name = pictures.shape(tile)
        macs = 2 ** (tile["LOG_BLOCK_IN"] + tile["LOG_BLOCK_OUT"])
        verdict = "on the front" if name in on_front else "fits" if fits else "does not fit"
        rows.append([name, macs] + percents(used) + [verdict])
    pictures.print_table(["tile", "MACs"] + [name for _, name in RESOURCES] + [""], rows)


def print_binding(part, config):
    """What the fastest design waits for, by what binds the bound of each layer."""
    database = f"{part}.sqlite"
    design = next(row["design"] for row in pictures.results(database) if row["config"] == config)
    rows = pictures.query(database, "SELECT binds, sum(total_cycles) AS cycles, sum(bound * repeats) AS bound FROM "
                          f"layer_results WHERE design = ? AND {pictures.LATEST} GROUP BY binds ORDER BY cycles DESC",
                          design)  # fmt: skip
    total, bound = sum(row["cycles"] for row in rows), sum(row["bound"] for row in rows)
    shares = ", ".join(f"{row['binds']} {100 * row['cycles'] / total:.1f}%" for row in rows)
    print(f"\n{part}: the fastest takes {total:,} cycles, {100 * (total / bound - 1):.1f}% more than its layers take at")
    print(f"least; what binds these, by cycles: {shares}")


def draw(axis, part, proof, front, shares):
    others = [m for m in proof["measured"] if not m["on_front"]]
    axis.scatter([m["values"][1] for m in others], [m["values"][0] for m in others], s=10, color=pictures.GREY,
                 label="measured, and beaten")  # fmt: skip
    ordered = sorted(front, key=lambda m: m["values"][1])
    axis.step([m["values"][1] for m in ordered], [m["values"][0] for m in ordered], where="post",
              color=pictures.GREY, linewidth=0.8)  # fmt: skip
    tiles = {}
    for m in front:
        tiles.setdefault(pictures.shape(m["design"]["config"]), []).append(m["values"])
    for colour, (tile, values) in zip(pictures.COLOURS, tiles.items()):
        axis.scatter([v[1] for v in values], [v[0] for v in values], s=26, color=colour, label=tile, zorder=3)
    axis.set_title(f"{part}: {proof['designs']:,} designs that fit")
    axis.set_xlabel("block RAMs of 36 Kb, by estimate")
    axis.set_ylabel("ms of ResNet-18 at 100 MHz")
    top = max(m["values"][0] for m in front)
    axis.set_ylim(0, 1.25 * top)
    axis.set_xlim(left=0)
    axis.legend()


def main(target, *parts):
    figure, axes = plt.subplots(1, len(parts), figsize=(10, 4))
    for axis, part in zip(axes, parts):
        proof = json.loads(Path(f"{part}.front.json").read_text())
        front = sorted((m for m in proof["measured"] if m["on_front"]), key=lambda m: m["values"])
        configs = [m["design"]["config"] for m in front]
        shares = estimates(part, configs)
        print_front(part, front, shares)
        print_binding(part, configs[0])
        print_tiles(part, configs[0], front)
        draw(axis, part, proof, front, shares)
    figure.tight_layout()
    pictures.save(figure, target)


if __name__ == "__main__":
    main(*sys.argv[1:])
