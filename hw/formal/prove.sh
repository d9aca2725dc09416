#!/usr/bin/env bash
# Proves the properties of the small modules for all inputs, with yosys-smtbmc and cvc5: by induction, and by a bounded check
# that also shows that the interesting states are reached.
#
#   hw/formal/prove.sh [--again] [MODULE...]
#
# A module that was proved is not proved again while it, its properties, this script and the tools are the same, unless
# --again is given. What was proved is noted in the cache of the tool (VANTAGE_CACHE_DIR).
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
notes=${VANTAGE_CACHE_DIR:-${XDG_CACHE_HOME:-${HOME:-/nonexistent}/.cache}/vantage}/proofs
again=0
if [[ ${1:-} == --again ]]; then
  again=1
  shift
fi

# note MODULE PARAMETERS: the file that says that this was proved.
note() {
  local hash
  hash=$({
    echo "$*"
    yosys -V
    cvc5 --version | head -n 1
    cat "$0" "$root/hw/rtl/$1.sv" "$root/hw/formal/$1.formal.svh" "$root"/hw/rtl/*.svh
  } | sha256sum)
  echo "$notes/$1-${hash%% *}"
}

# prove MODULE CYCLES PARAMETER=VALUE...: small parameters keep the proof short; nothing in the modules depends on their size.
prove() {
  local module=$1 depth=$2 parameters= proved
  proved=$(note "$@")
  shift 2
  if [[ $again == 0 && -f $proved ]]; then
    echo "proved $module ($*), as before"
    return
  fi
  for p in "$@"; do parameters+=" -set ${p%%=*} ${p##*=}"; done
  yosys -q -p "read_verilog -formal -sv -I$root/hw/rtl -I$root/hw/formal $root/hw/rtl/$module.sv
    chparam$parameters $module; prep -flatten -top $module; memory_map; opt -fast; dffunmap
    write_smt2 -wires $work/$module.smt2"
  local kind
  for kind in "" "-i" "-c"; do
    if ! yosys-smtbmc -s cvc5 --noprogress -t "$depth" $kind "$work/$module.smt2" >"$work/log"; then
      tail -n 40 "$work/log" >&2
      echo "error: $module: yosys-smtbmc $kind fails" >&2
      exit 1
    fi
  done
  echo "proved $module ($*)"
  mkdir -p "$notes" 2>/dev/null && touch "$proved" 2>/dev/null || true
}

wanted=("$@")
want() { [[ ${#wanted[@]} -eq 0 || " ${wanted[*]} " == *" $1 "* ]]; }
if want vta_fifo; then 
  prove vta_fifo 7 Width=2 Depth=4 BlockRam=0
  prove vta_fifo 7 Width=2 Depth=4 BlockRam=1
fi
if want vta_token_queue; then prove vta_token_queue 11 Width=3; fi
if want vta_arbiter; then prove vta_arbiter 8 N=3; fi
