#!/usr/bin/env python3
"""Synthesizes random configurations, and keeps what Yosys counts in a table that the fit of the area estimate reads.

    tools/area/collect.py --table FILE --seed N --count N [--large]
                          [--config FILE...] [--tool build/release/cli/vantage] [--board pynq-z1]

Draws configurations from the seed, those that `vantage` refuses left out, and synthesizes each that the table lacks;
then those that are given. A row is written as soon as its synthesis ends, so it can be stopped at any time and started
again. The same seed gives the same configurations: one seed is for the fit, another for the check.
"""
import argparse
import csv
import json
import os
import random
import subprocess
import sys
import tempfile

KEYS = ["LOG_INP_WIDTH", "LOG_WGT_WIDTH", "LOG_ACC_WIDTH", "LOG_BATCH", "LOG_BLOCK_IN", "LOG_BLOCK_OUT",
        "LOG_UOP_BUFF_SIZE", "LOG_INP_BUFF_SIZE", "LOG_WGT_BUFF_SIZE", "LOG_ACC_BUFF_SIZE", "LOG_BUS_WIDTH"]
COUNTS = ["luts", "flip_flops", "dsps", "block_rams"]


def draw(rng, large):
    """A configuration as designers might ask for it, valid or not."""
    keys = {"LOG_INP_WIDTH": 3, "LOG_WGT_WIDTH": 3}
    if rng.random() < 0.4:
        keys["LOG_INP_WIDTH"], keys["LOG_WGT_WIDTH"] = rng.choice([(2, 2), (3, 2), (4, 3), (4, 4)])
    keys["LOG_ACC_WIDTH"] = rng.choice([5, 5, 5, 4])
    keys["LOG_BATCH"] = rng.choice([0, 0, 0, 1, 1, 2])
    keys["LOG_BLOCK_IN"] = rng.randrange(1, 6)
    keys["LOG_BLOCK_OUT"] = keys["LOG_BLOCK_IN"] if rng.random() < 0.5 else rng.randrange(1, 6)
    # Depths rather than bytes, as an element's size follows from the tile
    batch, block_in, block_out = keys["LOG_BATCH"], keys["LOG_BLOCK_IN"], keys["LOG_BLOCK_OUT"]
    keys["LOG_UOP_BUFF_SIZE"] = 2 + rng.randrange(8, 14)
    keys["LOG_INP_BUFF_SIZE"] = max(0, keys["LOG_INP_WIDTH"] + batch + block_in - 3) + rng.randrange(7, 13)
    keys["LOG_WGT_BUFF_SIZE"] = max(0, keys["LOG_WGT_WIDTH"] + block_in + block_out - 3) + rng.randrange(6, 12)
    keys["LOG_ACC_BUFF_SIZE"] = max(0, keys["LOG_ACC_WIDTH"] + batch + block_out - 3) + rng.randrange(7, 13)
    keys["LOG_BUS_WIDTH"] = rng.choice([6, 7, 8, 9] if large else [6, 6, 6, 7, 7, 8])
    lanes, products = batch + block_out, batch + block_in + block_out
    most_lanes, most_products = (7, 11) if large else (4, 7)
    return keys if lanes <= most_lanes and products <= most_products else None


def synthesize(tool, board, keys):
    """The counts of a configuration, or nothing where it is none."""
    config = {"TARGET": "sim", "HW_VER": "0.0.2", **keys, "LOG_BLOCK": keys["LOG_BLOCK_IN"]}
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "config.json")
        with open(path, "w") as file:
            json.dump(config, file)
        if subprocess.run([tool, "config", "check", path], capture_output=True).returncode != 0:
            return None
        run = subprocess.run([tool, "synth", "--config", path, "--board", board, "--json"], capture_output=True)
    if run.returncode not in (0, 1) or not run.stdout:  # 1: it does not fit the board
        sys.exit(run.stderr.decode())
    core = json.loads(run.stdout)["cores"][0]
    return {**core["used"], "seconds": round(core["seconds"])}


def keys_of(path):
    """Of a configuration's file."""
    with open(path) as file:
        config = json.load(file)
    sides = {"LOG_BLOCK_IN": config["LOG_BLOCK"], "LOG_BLOCK_OUT": config["LOG_BLOCK"], "LOG_BUS_WIDTH": 6}
    return {key: {**sides, **config}[key] for key in KEYS}


def append(table, row):
    with open(table, "a") as file:
        file.write(",".join(str(row[k]) for k in KEYS + COUNTS + ["seconds"]) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--table", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=0)
    parser.add_argument("--config", nargs="*", default=[])
    parser.add_argument("--tool", default="build/release/cli/vantage")
    parser.add_argument("--board", default="pynq-z1")
    parser.add_argument("--large", action="store_true", help="arrays of up to 2048 multiplications a cycle, not 128, and buses of up to 512 bits")
    a = parser.parse_args()
    known = set()
    if os.path.exists(a.table):
        with open(a.table) as file:
            known = {tuple(int(row[k]) for k in KEYS) for row in csv.DictReader(file)}
    else:
        with open(a.table, "w") as file:
            file.write(",".join(KEYS + COUNTS + ["seconds"]) + "\n")
    rng = random.Random(a.seed)
    drawn = 0
    while drawn < a.count:
        keys = draw(rng, a.large)
        if keys is None:
            continue
        if tuple(keys[k] for k in KEYS) in known:
            drawn += 1
            continue
        counts = synthesize(a.tool, a.board, keys)
        if counts is None:
            continue
        drawn += 1
        append(a.table, {**keys, **counts})
    for path in a.config:
        keys = keys_of(path)
        if tuple(keys[k] for k in KEYS) in known:
            continue
        counts = synthesize(a.tool, a.board, keys)
        if counts is None:
            sys.exit(f"{path} is no configuration: '{a.tool} config check {path}' says why")
        append(a.table, {**keys, **counts})


if __name__ == "__main__":
    main()
