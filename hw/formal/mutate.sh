# Changes of a module that a property must notice. Sourced by prove.sh.

# mutate MODULE FROM TO: replaces the text FROM, which is there once, in the source below $work/rtl.
mutate() {
  local file=$work/rtl/$1.sv text rest
  text=$(<"$file")
  rest=${text//"$2"/}
  if [[ $((${#text} - ${#rest})) != "${#2}" ]]; then
    echo "error: mutants.txt: '$2' is not in $1.sv once" >&2
    exit 2
  fi
  printf '%s\n' "${text/"$2"/"$3"}" >"$file"
}

# kill_mutant MODULE PROPERTY FROM TO: whether the property, alone, fails in the changed module, in the first setting that
# MODULE is proved with.
kill_mutant() {
  local module=$1 property=$2 from=$3 to=$4 settings name files killed
  settings=$(awk -v m="$module" '$1 == m {$1 = $2 = $3 = $4 = ""; print; exit}' "$formal/proofs.txt")
  lay_out "$module" "$settings"
  mutate "$module" "$from" "$to"
  files=("$work"/rtl/{vta_pkg.sv,vta_assert.svh,"$module.formal.svh"})
  for name in $(sources "$module"); do files+=("$work/rtl/$name.sv"); done
  killed=$(note "$module.$property $settings" "${files[@]}") || killed=
  if is_known "$killed"; then
    echo "killed by $module.$property: $from -> $to, as before"
    return
  fi
  {
    read_design "$module" "$settings"
    echo "select -assert-min 1 t:\$assert n:$property %i"
    echo "chformal -cover -remove; delete t:\$assert n:$property %d"
    to_aiger "$work/mutant.aig"
  } >"$work/mutant.ys"
  rm -f "$work/mutant.aig"
  yosys -q -e "implicitly declared" "$work/mutant.ys" || exit 2
  ask mutant "bmc3 -F 60 -T 60"
  if grep -q 'asserted in frame' "$work/log"; then
    echo "killed by $module.$property: $from -> $to"
    remember "$killed"
  else
    echo "survived $module.$property: $from -> $to" >&2
    return 1
  fi
}
