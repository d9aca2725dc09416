#!/usr/bin/env bash
# How much scratchpad ResNet-50 needs (docs/studies/scratchpads.md). `./vantage study scratchpads` runs this in
# build/studies/scratchpads; further words are options of the sweeps.
set -euo pipefail
both=(--workloads resnet50 --db scratchpads.sqlite "$@")
[[ " $* " == *" --search"* ]] || both+=(--search shared)
"$VANTAGE" explore scratchpads --minimize cycles,scratchpad_bytes --certificate scratchpads.front.json "${both[@]}"
"$VANTAGE" sweep scratchpads-one-by-one --best 0 "${both[@]}"
"$(dirname "$0")/scratchpads.py" scratchpads.sqlite scratchpads.front.json scratchpads.svg
