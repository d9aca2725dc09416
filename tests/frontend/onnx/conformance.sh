#!/usr/bin/env bash
# conformance.sh ROOT PROGRAM FOLDER: runs the ONNX project's own tests of operators with PROGRAM, in FOLDER, and
# compares what passes, and what of that runs on the accelerator, with docs/onnx-conformance.md, which lists every other
# one with its reason; VANTAGE_UPDATE_GOLDEN=1 writes that anew. Says so and skips where their package cannot be had.
set -euo pipefail
root=$1 program=$2 folder=$3
here=$root/tests/frontend/onnx
. "$root/tests/support/packages.sh"
install_packages "$folder" "the ONNX project's tests" "$here/requirements.txt"
empty_folder "$folder/cases"
"$folder/venv/bin/python" "$here/write_cases.py" "$folder/cases" 2>/dev/null
ls "$folder/cases" >"$folder/names"
# A share of the cases for each processor.
jobs=$(nproc)
# Where memory comes from, as sanitizers keep it, takes them a quarter of the time.
export ASAN_OPTIONS=${ASAN_OPTIONS:-malloc_context_size=2}
seq 1 "$jobs" | xargs -P "$jobs" -I '{}' sh -c \
  "awk 'NR % $jobs == {} - 1' '$folder/names' |
    xargs -n 100 '$program' --accelerator '$folder/cases' >'$folder/results.{}'"
sort "$folder"/results.* >"$folder/results"
[[ $(wc -l <"$folder/results") -eq $(wc -l <"$folder/names") ]] || {
  echo "FAILED: of $(wc -l <"$folder/names") cases $(wc -l <"$folder/results") came to an end"
  exit 1
}
if grep $'\t\\(wrong\\|error\\)\t' "$folder/results"; then
  exit 1
fi
"$folder/venv/bin/python" "$here/report.py" "$folder/results" "$folder/cases" >"$folder/report.md"
if [[ -n ${VANTAGE_UPDATE_GOLDEN:-} ]]; then
  cp "$folder/report.md" "$root/docs/onnx-conformance.md"
else
  diff -u "$root/docs/onnx-conformance.md" "$folder/report.md"
fi
grep -c $'\tpassed' "$folder/results"
