#!/usr/bin/env bash
# The best accelerators for two boards (docs/studies/boards.md). `./vantage study boards` runs this in
# build/studies/boards; further words are options of explore.
set -euo pipefail
search=(--search shared)
[[ " $* " != *" --search"* ]] || search=()
for part in xc7z020 xczu3eg; do
  "$VANTAGE" explore "for-$part" --part "$part" --minimize ms,block_rams "${search[@]}" "$@" \
    --db "$part.sqlite" --certificate "$part.front.json"
  "$VANTAGE" explore --verify "$part.front.json" --measure-again 2 "$@"
done
"$(dirname "$0")/boards.py" boards.svg xc7z020 xczu3eg
