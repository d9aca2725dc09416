#!/usr/bin/env bash
# random_models.sh ROOT PROGRAM FOLDER [SEED]: 150 random small models by PROGRAM and by onnxruntime, in FOLDER;
# VANTAGE_TEST_EFFORT=N makes it N times as many. What differs is shrunk and kept in FOLDER/failures. Says so and skips
# where onnxruntime cannot be had.
set -euo pipefail
root=$1 program=$2 folder=$3 seed=${4:-1}
here=$root/tests/frontend/onnx
. "$root/tests/support/packages.sh"
install_packages "$folder" onnxruntime "$here/requirements.txt" "$here/runtime.txt"
# Where memory comes from, as sanitizers keep it, takes them a quarter of the time.
export ASAN_OPTIONS=${ASAN_OPTIONS:-malloc_context_size=2}
count=$((150 * ${VANTAGE_TEST_EFFORT:-1}))
"$folder/venv/bin/python" "$here/random/random_models.py" "$program" "$folder" "$count" "$seed"
