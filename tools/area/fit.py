#!/usr/bin/env python3
"""Fits the estimate of a core's size to tables of syntheses, and says how far it is off on others.

    tools/area/fit.py --fit TABLE... --check TABLE... --columns TABLE --model configs/area/xc7.json
                      [--tool build/release/cli/vantage]

Least squares of relative errors, with coefficients that are not negative, of what is left when the counted parts are
taken away. The terms are those that `vantage synth --estimate --json` prints, so the tool must be built from the same
sources; what it takes from the model that it was built with are the columns alone, so new ones take two runs.
"""
import argparse
import csv
import json
import os
import statistics
import subprocess
import sys
import tempfile

from collect import COUNTS, KEYS

FITTED = ["luts", "flip_flops", "dsps"]


def rows_of(tables):
    rows = []
    for table in tables:
        with open(table) as file:
            rows += [{key: int(value) for key, value in row.items()} for row in csv.DictReader(file)]
    return rows


def estimates(tool, rows):
    """What the tool says of each row's configuration."""
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for i, row in enumerate(rows):
            config = {"TARGET": "sim", "HW_VER": "0.0.2", **{key: row[key] for key in KEYS}}
            config["LOG_BLOCK"] = config["LOG_BLOCK_IN"]
            paths.append(os.path.join(folder, f"{i}.json"))
            with open(paths[-1], "w") as file:
                json.dump(config, file)
        run = subprocess.run([tool, "synth", "--estimate", "--json", "--config"] + paths, capture_output=True)
    if not run.stdout:
        sys.exit(run.stderr.decode())
    return [core["estimate"] for core in json.loads(run.stdout)["cores"]]


def fitted(samples, wanted, weights):
    """Coefficients, none of them negative, by descent along one after the other."""
    terms = list(samples[0])
    coefficients = dict.fromkeys(terms, 0.0)
    rest = [w * y for w, y in zip(weights, wanted)]
    scaled = {t: [w * sample[t] for w, sample in zip(weights, samples)] for t in terms}
    squares = {t: sum(x * x for x in scaled[t]) for t in terms}
    for _ in range(20000):
        for t in terms:
            if squares[t] == 0:
                continue
            step = sum(x * r for x, r in zip(scaled[t], rest)) / squares[t]
            step = max(step, -coefficients[t])
            coefficients[t] += step
            rest = [r - step * x for r, x in zip(rest, scaled[t])]
    return coefficients


def summed(coefficients, estimate, resource):
    return estimate["counted"][resource] + round(sum(c * estimate["terms"][t] for t, c in coefficients.items()))


def show_errors(title, rows, known, models):
    print(f"{title}: {len(rows)} configurations")
    for resource in COUNTS:
        errors = []
        for row, estimate in zip(rows, known):
            value = summed(models[resource], estimate, resource) if resource in models else estimate["counted"][resource]
            errors.append(abs(value - row[resource]) / max(row[resource], 1))
        print(f"  {resource:<12} median {100 * statistics.median(errors):5.2f} %  largest {100 * max(errors):5.2f} %")


def columns_of(table):
    columns = []
    for row in rows_of([table]):
        columns.append({"together": row["columns"], "inp": row["LOG_INP_WIDTH"], "wgt": row["LOG_WGT_WIDTH"],
                        "acc": row["LOG_ACC_WIDTH"], "depth": row["LOG_BLOCK_IN"],
                        **{resource: row[resource] for resource in FITTED}})
    return columns


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fit", nargs="+", required=True)
    parser.add_argument("--check", nargs="+", required=True)
    parser.add_argument("--columns", required=True)
    parser.add_argument("--model", required=True)
    parser.add_argument("--tool", default="build/release/cli/vantage")
    a = parser.parse_args()
    rows = rows_of(a.fit)
    known = estimates(a.tool, rows)
    samples = [estimate["terms"] for estimate in known]
    models = {}
    for resource in FITTED:
        wanted = [row[resource] - estimate["counted"][resource] for row, estimate in zip(rows, known)]
        models[resource] = fitted(samples, wanted, [1 / max(row[resource], 1) for row in rows])
        print(resource, {t: round(c, 3) for t, c in models[resource].items()})
    show_errors("fitted", rows, known, models)
    checked = rows_of(a.check)
    show_errors("held out", checked, estimates(a.tool, checked), models)
    with open(a.model) as file:
        model = json.load(file)
    for resource in FITTED:
        model[resource] = {t: round(c, 4) for t, c in models[resource].items()}
    # Where the rows for the fit lie; widths of the tile's sides beyond them are the terms' business.
    model["range"] = {key: [min(row[key] for row in rows + checked), max(row[key] for row in rows + checked)]
                      for key in KEYS if key.endswith("WIDTH") or "BLOCK" in key or "BATCH" in key}
    model["columns"] = columns_of(a.columns)
    with open(a.model, "w") as file:
        text = json.dumps({key: value for key, value in model.items() if key != "columns"}, indent=2)[:-2]
        entries = ",\n    ".join(json.dumps(column) for column in model["columns"])
        file.write(text + ',\n  "columns": [\n    ' + entries + "\n  ]\n}\n")


if __name__ == "__main__":
    main()
