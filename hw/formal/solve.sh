# What solvers are asked, and what is remembered of their answers. Sourced by prove.sh.

# note WHAT FILE...: the file that says that WHAT was found of the files. It is named by all that it depends on, so that
# nothing that changes meanwhile is taken for known.
note() {
  local hash what=$1
  shift
  hash=$({
    echo "$what" && yosys -V && cat "$formal"/*.sh "$@"
  } | sha256sum) || return 1
  [[ $hash =~ ^[0-9a-f]{64} ]] || return 1
  echo "$notes/${hash%% *}"
}

# is_known NOTE: whether it is there, and may be believed.
is_known() {
  [[ $again == 0 && -n $1 && -f $1 ]]
}

# remember NOTE: for the next time, if there is a place for it.
remember() {
  [[ -z $1 ]] || { mkdir -p "$notes" && touch "$1"; } 2>/dev/null || true
}

# fail MODULE WHAT: with the end of what the solver said.
fail() {
  tail -n 40 "$work/log" >&2
  echo "error: $1: $2" >&2
  exit 1
}

# ask MODEL COMMANDS: what ABC says of it, in $work/log. Assumptions are folded into what is to be proved.
ask() {
  yosys-abc -c "read_aiger $work/$1.aig; fold; $2" >"$work/log" 2>&1 || true
}

# name_failing: tells which assertions of the model that was read last fail, each alone, within some cycles.
name_failing() {
  local name names
  grep -q 'asserted in frame' "$work/log" || return 0
  yosys -q -p "read_rtlil $work/read.il; tee -o $work/names select -list t:\$assert" || return 0
  mapfile -t names < <(sed 's#^[^/]*/##' "$work/names")
  for name in "${names[@]}"; do
    yosys -q -p "read_rtlil $work/read.il; chformal -cover -remove; delete t:\$assert n:$name %d; $(to_aiger "$work/one.aig")"
    if yosys-abc -c "read_aiger $work/one.aig; fold; bmc3 -F 16 -T 10" 2>&1 | grep -q 'asserted in frame'; then
      echo "$name fails" >>"$work/log"
    fi
  done
}

# prove MODULE METHOD DEPTH REACH SETTINGS
#   pdr        every reachable state, by ABC's property-directed reachability; DEPTH is the seconds that it may take
#   induction  the first DEPTH cycles, and after any so many in which all properties held, by ABC as well
# The covers are reached in REACH cycles.
prove() {
  local module=$1 method=$2 depth=$3 reach=$4 settings=$5 proved begin covers
  begin=$(date +%s%N)
  lay_out "$module" "$settings"
  model "$module" "$settings"
  # By what the solvers read: a comment makes no new proof
  proved=$(note "$method $depth $reach" "$work"/{assertions,covers}.aig) || proved=
  if is_known "$proved"; then
    echo "proved $module ($settings), as before"
    return
  fi
  case $method in
    pdr)
      ask assertions "pdr -T $depth"
      if ! grep -q '^Property proved' "$work/log"; then
        name_failing
        fail "$module" "pdr proves it not"
      fi
      ;;
    induction)
      ask assertions "bmc3 -F $depth"
      grep -q 'No output asserted' "$work/log" || fail "$module" "the first cycles fail"
      ask assertions "orpos; ind -F $depth -C 0"
      grep -q '^Networks are equivalent' "$work/log" || fail "$module" "induction fails"
      ;;
    *) echo "error: proofs.txt: no method '$method'" >&2 && exit 2 ;;
  esac
  ask covers "bmc3 -a -F $((reach + 1))"
  # The seventh word of the graph's first line is the number of covers
  covers=$(head -n 1 "$work/covers.aig" | cut -d ' ' -f 7)
  [[ $covers -gt 0 && $(grep -c 'was asserted in frame' "$work/log") == "$covers" ]] ||
    fail "$module" "not all that is interesting is reached"
  echo "proved $module ($settings) by $method in $((($(date +%s%N) - begin) / 1000000)) ms"
  remember "$proved"
}
