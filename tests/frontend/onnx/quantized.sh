#!/usr/bin/env bash
# quantized.sh ROOT PROGRAM FOLDER: has onnxruntime quantize networks, wider ones than are recorded, and compares with
# PROGRAM in FOLDER. Says so and skips where it cannot be had.
set -euo pipefail
root=$1 program=$2 folder=$3
here=$root/tests/frontend/onnx
mkdir -p "$folder"
if ! cat "$here/runtime.txt" "$here/requirements.txt" | cmp -s - "$folder/.installed"; then
  python3 -m venv --clear "$folder/venv"
  "$folder/venv/bin/pip" install --quiet --disable-pip-version-check --only-binary :all: -r "$here/runtime.txt" \
    -r "$here/requirements.txt" sympy >"$folder/pip.log" 2>&1 || {
    tail -n 3 "$folder/pip.log"
    echo "SKIPPED: onnxruntime cannot be had"
    exit 77
  }
  cat "$here/runtime.txt" "$here/requirements.txt" >"$folder/.installed"
fi
rm -rf "$folder/cases"
"$folder/venv/bin/python" "$here/write_quantized_cases.py" "$folder/cases" 4
"$program" "$folder/cases"
