#!/usr/bin/env bash
# quantized.sh ROOT PROGRAM FOLDER: has onnxruntime quantize networks, wider ones than are recorded, and compares with
# PROGRAM in FOLDER. Says so and skips where it cannot be had.
set -euo pipefail
root=$1 program=$2 folder=$3
here=$root/tests/frontend/onnx
. "$root/tests/support/packages.sh"
install_packages "$folder" onnxruntime "$here/runtime.txt" "$here/requirements.txt" "$here/quantization.txt"
rm -rf "$folder/cases"
"$folder/venv/bin/python" "$here/write_quantized_cases.py" "$folder/cases" 4
"$program" "$folder/cases"
