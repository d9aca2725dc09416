#!/usr/bin/env bash
# Proves the properties of single modules for all inputs and all reachable states, and that the interesting states are
# reached. proofs.txt says how each is proved, mutants.txt which changes of a module must break which property.
#
#   hw/formal/prove.sh [--again] [MODULE...]
#   hw/formal/prove.sh --mutants [MODULE...]
#
# What was proved is not proved again, and what was killed not killed again, unless --again is given: the cache of the tool
# (VANTAGE_CACHE_DIR) keeps a note of each formula that the solver was given and of each mutant's sources, with these
# scripts and the versions of the tools.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
formal=$root/hw/formal
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
notes=${VANTAGE_CACHE_DIR:-${XDG_CACHE_HOME:-${HOME:-/nonexistent}/.cache}/vantage}/proofs
again=0 mutants=0
while [[ ${1:-} == --* ]]; do
  case $1 in
    --again) again=1 ;;
    --mutants) mutants=1 ;;
    *) echo "error: no option '$1'; there are --again and --mutants" >&2 && exit 2 ;;
  esac
  shift
done

source "$formal/model.sh"
source "$formal/solve.sh"
source "$formal/mutate.sh"

# rows FILE: its lines without comments, those of the wanted modules only.
wanted=("$@")
rows() {
  local line
  while IFS= read -r line; do
    [[ -n $line && $line != \#* ]] || continue
    [[ ${#wanted[@]} -eq 0 || " ${wanted[*]} " == *" ${line%%[[:space:]]*} "* ]] && echo "$line"
  done <"$1" || true
}

known=$(awk '/^[^#]/ {print $1}' "$formal/proofs.txt" | sort -u | tr '\n' ' ')
for word; do
  [[ " $known" == *" $word "* ]] || {
    echo "error: '$word' has no proof; these have: ${known% }" >&2
    exit 2
  }
done

if [[ $mutants == 0 ]]; then
  while read -r module method depth reach settings; do
    prove "$module" "$method" "$depth" "$reach" "$settings"
  done < <(rows "$formal/proofs.txt")
else
  survived=0
  while IFS=$'\t' read -r module property from to; do
    kill_mutant "$module" "$property" "$from" "$to" || survived=1
  done < <(rows "$formal/mutants.txt")
  exit $survived
fi
