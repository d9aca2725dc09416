#!/usr/bin/env bash
# tutorial_test.sh SOURCE_FOLDER NAME PROGRAM: runs a tutorial, compares what it prints with the golden text and, where
# its source has CHECK lines, with these, by LLVM's FileCheck; and checks that every line which docs/tutorials quote of
# it, in blocks that begin with "```text NAME", is among it.
set -euo pipefail
root=$1 name=$2 program=$3
golden=$root/tests/data/golden/tutorial_$name.txt
output=$(mktemp)
trap 'rm -f "$output"' EXIT
"$program" >"$output"
if [[ -n ${VANTAGE_UPDATE_GOLDEN:-} ]]; then
  cp "$output" "$golden"
else
  diff -u "$golden" "$output"
fi
source=$root/examples/tutorials/$name.cpp
if grep -q '// CHECK' "$source"; then FileCheck-19 --input-file="$output" "$source"; fi
quoted=0
while IFS= read -r line; do
  quoted=$((quoted + 1))
  [[ -z $line || $line == "..." ]] || grep -qxF -- "$line" "$output" || {
    echo "FAILED: docs/tutorials quote a line that $name does not print: $line"
    exit 1
  }
done < <(awk -v fence="\`\`\`text $name" '$0 == fence { on = 1; next } /^```$/ { on = 0 } on' "$root"/docs/tutorials/*.md)
[[ $quoted -gt 0 ]] || {
  echo "FAILED: no document quotes what $name prints"
  exit 1
}
