#!/usr/bin/env bash
# Proves the properties of the small modules for all inputs, with yosys-smtbmc and cvc5: by induction, and by a check
# that the interesting states are reached.
#
#   hw/formal/prove.sh [--again] [MODULE...]
#
# What was proved is not proved again, unless --again is given: the cache of the tool (VANTAGE_CACHE_DIR) keeps a note of
# each formula that the solver was given, with this script and the versions of the tools.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
script=$root/hw/formal/prove.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
notes=${VANTAGE_CACHE_DIR:-${XDG_CACHE_HOME:-${HOME:-/nonexistent}/.cache}/vantage}/proofs
again=0
if [[ ${1:-} == --again ]]; then
  again=1
  shift
fi

# note FILE CYCLES: the file that says that these properties were proved. It is named by what the solver reads, so that
# nothing that changes meanwhile is noted as proved.
note() {
  local hash
  hash=$({ echo "$2" && yosys -V && cvc5 --version && cat "$script" && sed "s#$root##g" "$1"; } | sha256sum) || return 1
  [[ $hash =~ ^[0-9a-f]{64} ]] || return 1
  echo "$notes/${hash%% *}"
}

# solve MODULE WHAT OPTION...
solve() {
  local module=$1 what=$2
  shift 2
  if ! yosys-smtbmc -s cvc5 --noprogress "$@" "$work/$module.smt2" >"$work/log"; then
    tail -n 40 "$work/log" >&2
    echo "error: $module: $what fails (yosys-smtbmc $*)" >&2
    exit 1
  fi
}

# prove MODULE CYCLES REACHED PARAMETER=VALUE...: what holds in the first CYCLES cycles, and after any so many in which
# it held, holds always; the interesting states are reached in REACHED. Small parameters keep the proof short; nothing in
# the modules depends on their size.
prove() {
  local module=$1 cycles=$2 reached=$3 parameters='' proved p
  shift 3
  for p in "$@"; do parameters+=" -set ${p%%=*} ${p##*=}"; done
  yosys -q -p "read_verilog -formal -sv -I$root/hw/rtl -I$root/hw/formal $root/hw/rtl/$module.sv
    chparam$parameters $module; prep -flatten -top $module; memory_map; opt -fast; dffunmap
    write_smt2 -wires $work/$module.smt2"
  proved=$(note "$work/$module.smt2" "$cycles $reached") || proved=
  if [[ $again == 0 && -n $proved && -f $proved ]]; then
    echo "proved $module ($*), as before"
    return
  fi
  solve "$module" "the first cycles" -t "$cycles"
  solve "$module" "induction" -t "$cycles" -i
  solve "$module" "reaching what is interesting" -t "$reached" -c
  echo "proved $module ($*)"
  [[ -z $proved ]] || { mkdir -p "$notes" && touch "$proved"; } 2>/dev/null || true
}

modules=(vta_fifo vta_token_queue vta_arbiter)
for word; do
  [[ " ${modules[*]} " == *" $word "* ]] || {
    echo "error: '$word' has no proof; these have: ${modules[*]}" >&2
    exit 2
  }
done
wanted=("$@")
want() { [[ ${#wanted[@]} -eq 0 || " ${wanted[*]} " == *" $1 "* ]]; }
if want vta_fifo; then
  prove vta_fifo 7 7 Width=2 Depth=4 BlockRam=0
  prove vta_fifo 7 7 Width=2 Depth=4 BlockRam=1
fi
if want vta_token_queue; then prove vta_token_queue 4 11 Width=3; fi
if want vta_arbiter; then prove vta_arbiter 4 8 N=3; fi
