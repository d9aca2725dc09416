#!/usr/bin/env bash
# Runs the commands of docs/start.md as they are written there, and looks for what the page shows in what they print: every
# line that stands behind a command, but for errors of somebody's mistakes, and every time and number of cycles.
#
#   start_test.sh SOURCE_FOLDER VANTAGE_BINARY
set -uo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
page=$1/docs/start.md
mkdir -p "$work/configs"
cp -r "$1/configs/accelerators" "$work/configs"
ln -s "$2" "$work/vantage"
cd "$work" || exit 1
failures=0
count=0

fail() {
  echo "FAILED: $*"
  failures=$((failures + 1))
}

while IFS= read -r command; do
  [[ $command != "./vantage test"* ]] || continue
  count=$((count + 1))
  bash -c "$command" >>printed 2>err
  status=$?
  expected=0
  [[ $command != *"config diff"* ]] || expected=1
  [[ $status == "$expected" ]] || fail "$command: status $status: $(cat err)"
done < <(sed -nE 's/^    ((\.\/vantage|cp|sed) .*)$/\1/p' "$page")

while IFS= read -r line; do
  grep -qxF -- "$line" printed || fail "docs/start.md shows what nothing prints: $line"
done < <(sed -n 's/^    //p' "$page" | grep -vE '^((\./vantage|cp|sed|error:) .*|\.\.\.|[[:space:]]*)$')
while IFS= read -r number; do
  grep -qwF -- "${number//,/}" printed || fail "docs/start.md says what nothing prints: $number"
done < <(grep -oE '[0-9][0-9,.]* (us|cycles)' "$page" | sed 's/ .*//')

[[ $count -ge 10 ]] || fail "only $count commands were found in docs/start.md"
[[ $failures == 0 ]] && echo "all $count commands of docs/start.md print what it shows"
exit "$((failures > 0))"
