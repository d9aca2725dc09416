# What solvers are asked, and what is remembered of their answers. Sourced by prove.sh.

# note WORD...: the file that says that the model below $work was proved so. It is named by what the solvers read, so that
# nothing that changes meanwhile is noted as proved.
note() {
  local hash
  hash=$({
    echo "$@" && yosys -V && cvc5 --version && cat "$formal"/*.sh &&
      cat "$work"/{assertions,covers}.aig && sed "s#$work##g" "$work/assertions.smt2"
  } | sha256sum) || return 1
  [[ $hash =~ ^[0-9a-f]{64} ]] || return 1
  echo "$notes/${hash%% *}"
}

# fail MODULE WHAT: with the end of what the solver said.
fail() {
  tail -n 40 "$work/log" >&2
  echo "error: $1: $2" >&2
  exit 1
}

# name_failing: tells which assertions of the model that was read last fail, each alone, within some cycles.
name_failing() {
  local name names
  grep -q 'asserted in frame' "$work/log" || return 0
  yosys -q -p "read_rtlil $work/read.il; tee -o $work/names select -list t:\$assert" || return 0
  mapfile -t names < <(sed 's#^[^/]*/##' "$work/names")
  for name in "${names[@]}"; do
    yosys -q -p "read_rtlil $work/read.il; chformal -cover -remove; delete t:\$assert n:$name %d; $(to_aiger "$work/one.aig")"
    yosys-abc -c "read_aiger $work/one.aig; fold; bmc3 -F 40 -T 20" 2>&1 | grep 'asserted in frame' |
      sed "s/.* was asserted in frame/$name fails in cycle/" >>"$work/log" || true
  done
}

# prove MODULE METHOD DEPTH REACH SETTINGS
#   pdr        every reachable state, by ABC's property-directed reachability; DEPTH is the seconds that it may take
#   induction  the first DEPTH cycles, and after any so many in which all properties held, by yosys-smtbmc and cvc5
# The covers are reached in REACH cycles.
prove() {
  local module=$1 method=$2 depth=$3 reach=$4 settings=$5 proved begin
  begin=$(date +%s%N)
  lay_out "$module" "$settings"
  model "$module" "$settings"
  proved=$(note "$method $depth $reach") || proved=
  if [[ $again == 0 && -n $proved && -f $proved ]]; then
    echo "proved $module ($settings), as before"
    return
  fi
  case $method in
    pdr)
      yosys-abc -c "read_aiger $work/assertions.aig; fold; pdr -T $depth" >"$work/log" 2>&1 || true
      if ! grep -q '^Property proved' "$work/log"; then
        name_failing
        fail "$module" "pdr proves it not"
      fi
      ;;
    induction)
      local smtbmc="yosys-smtbmc -s cvc5 --noprogress -t $depth"
      $smtbmc "$work/assertions.smt2" >"$work/log" || fail "$module" "the first cycles fail"
      $smtbmc -i "$work/assertions.smt2" >"$work/log" || fail "$module" "induction fails"
      ;;
    *) echo "error: proofs.txt: no method '$method'" >&2 && exit 2 ;;
  esac
  yosys-abc -c "read_aiger $work/covers.aig; fold; bmc3 -a -F $((reach + 1))" >"$work/log" 2>&1 || true
  grep -q 'outputs are found to be SAT\|was asserted in frame' "$work/log" || fail "$module" "nothing is reached"
  ! grep -q 'No output asserted\|UNSAT' "$work/log" || fail "$module" "not all that is interesting is reached"
  echo "proved $module ($settings) by $method in $((($(date +%s%N) - begin) / 1000000)) ms"
  [[ -z $proved ]] || { mkdir -p "$notes" && touch "$proved"; } 2>/dev/null || true
}
