#!/usr/bin/env bash
# Runs the commands of the README as they are written there, in a folder that looks like a fresh checkout, and compares the
# transcripts that it prints. The launcher's own commands (test, bench, package) are left to people.
#
#   readme_test.sh SOURCE_FOLDER VANTAGE_BINARY
set -uo pipefail

work=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null; wait; rm -rf "$work"' EXIT
source_folder=$1
ln -s "$source_folder/configs" "$source_folder/examples" "$work"
ln -s "$2" "$work/vantage"
cd "$work" || exit 1
failures=0
count=0

fail() {
  echo "FAILED: $*"
  failures=$((failures + 1))
}

while IFS= read -r command; do
  case $command in
    "./vantage test"* | "./vantage bench"* | "./vantage package"*) continue ;;
    "./vantage serve")
      VANTAGE_CACHE_DIR=$work/cache ./vantage serve >served 2>served.log &
      for _ in {1..100}; do [[ -s served ]] && break; sleep 0.1; done
      [[ -s served ]] || fail "$command: $(cat served.log)"
      count=$((count + 1))
      continue
      ;;
  esac
  count=$((count + 1))
  bash -c "$command" >out 2>err
  status=$?
  expected=0
  [[ $command != *"config diff"* ]] || expected=1
  [[ $status == "$expected" ]] || fail "$command: status $status: $(cat err)"
  # What the README shows of these is what they print.
  if [[ $command == "./vantage run gemm" || $command == "./vantage run mlp" || $command == "./vantage run conv --layer C8" || $command == *"--memory m64" || $command == "./vantage compare designs"* ]]; then
    while IFS= read -r line; do
      [[ -n $line ]] || continue
      grep -qxF "    $line" "$source_folder/README.md" || fail "the README does not show what $command prints: $line"
    done <out
  fi
done < <(sed -n 's/^    \(\$ \)\?\(\.\/vantage .*\)$/\2/p' "$source_folder/README.md")

[[ $count -ge 12 ]] || fail "only $count commands were found in the README"
[[ $failures == 0 ]] && echo "all $count commands of the README work"
exit "$((failures > 0))"
