#!/usr/bin/env bash
# run.sh ROOT VANTAGE FOLDER: how fast a page about 100,000 designs filters and draws, in FOLDER (pages.py). Says so and
# skips where there is no headless Chromium.
set -euo pipefail
root=$1 vantage=$2 folder=$3
. "$root/tests/support/browser.sh"
require_browser
mkdir -p "$folder"
PYTHONPATH="$root/tests/report" "$python" "$root/bench/pages/pages.py" "$vantage" "$folder"
