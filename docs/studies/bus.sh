#!/usr/bin/env bash
# How wide a bus and how near a memory an accelerator needs (docs/studies/bus.md). `./vantage study bus` runs this in
# build/studies/bus; further words are options of the sweep.
set -euo pipefail
"$VANTAGE" sweep bus-and-latency --workloads resnet18,mobilenet,gemm:1x768x3072 --best 0 --db bus.sqlite "$@"
"$(dirname "$0")/bus.py" bus.sqlite bus.svg
