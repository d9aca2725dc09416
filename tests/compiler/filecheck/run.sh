#!/usr/bin/env bash
# run.sh SOURCE PROGRAM: compares what PROGRAM prints with the CHECK lines of SOURCE.
set -euo pipefail
source=$1 program=$2
[[ -z ${VANTAGE_UPDATE_GOLDEN:-} ]] || "$program" --update "$source"
output=$(mktemp)
trap 'rm -f "$output"' EXIT
"$program" >"$output"
FileCheck-19 --strict-whitespace --match-full-lines --input-file="$output" "$source"
# FileCheck skips what has no CHECK line; every case must have its own.
diff <(grep '^ == ' "$output") <(sed -n 's|^// CHECK-LABEL:||p' "$source")
