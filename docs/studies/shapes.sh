#!/usr/bin/env bash
# Which shape of 256 multipliers suits which network (docs/studies/shapes.md). `./vantage study shapes` runs this in
# build/studies/shapes; further words are options of the sweep.
set -euo pipefail
"$VANTAGE" sweep all-shapes-of-256-macs --workloads resnet18,mobilenet,bert_base:sequence=128 --best 0 \
  --db shapes.sqlite "$@"
"$(dirname "$0")/shapes.py" shapes.sqlite shapes.svg
