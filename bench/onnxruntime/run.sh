#!/usr/bin/env bash
# run.sh ROOT VANTAGE FOLDER [--json]: `vantage run` and onnxruntime on the same networks, in FOLDER. Says so and skips
# where onnxruntime cannot be had.
set -euo pipefail
root=$1 vantage=$2 folder=$3
shift 3
. "$root/tests/support/packages.sh"
install_packages "$folder" onnxruntime "$root/bench/onnxruntime/requirements.txt"
"$folder/venv/bin/python" "$root/bench/onnxruntime/compare.py" "$vantage" "$folder" "$@"
