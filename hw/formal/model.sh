# From a module to what solvers read. Sourced by prove.sh.

# sources MODULE: its file and those of the modules below it, each once.
sources() {
  local todo=("$1") done=' ' next used
  while [[ ${#todo[@]} -gt 0 ]]; do
    next=${todo[0]}
    todo=("${todo[@]:1}")
    [[ $done != *" $next "* ]] || continue
    done+="$next "
    used=$(sed -nE 's/^ *(vta_[a-z_]+) (#\(|u_[a-z_]+ \().*/\1/p' "$work/rtl/$next.sv")
    for used in $used; do todo+=("$used"); done
  done
  echo "$done"
}

# lay_out MODULE SETTINGS: the sources below $work/rtl. Of the properties beside the RTL only those of MODULE are
# included: what a module assumes of its users is not to be assumed where they are there.
lay_out() {
  local module=$1 setting name
  rm -rf "$work/rtl"
  mkdir "$work/rtl"
  cp "$root"/hw/rtl/*.sv "$root"/hw/rtl/*.svh "$formal"/*.svh "$formal/vta_pkg.sv" "$work/rtl"
  for setting in $2; do
    name=${setting%%=*}
    case $setting in
      pkg.*)
        name=${name#pkg.}
        grep -q "localparam int $name = " "$work/rtl/vta_pkg.sv" || {
          echo "error: vta_pkg.sv has no $name" >&2
          exit 2
        }
        sed -i "s/localparam int $name = .*;/localparam int $name = ${setting#*=};/" "$work/rtl/vta_pkg.sv"
        ;;
      abstract=*) cp "$formal/abstract/${setting#*=}.sv" "$work/rtl" ;;
    esac
  done
  for name in $(sources "$module"); do
    [[ $name == "$module" ]] || sed -i '/\.formal\.svh"/d' "$work/rtl/$name.sv"
    # Assertions in generate loops, by their indentation
    sed -i 's/^    \+`VTA_ASSERT(/    `VTA_ASSERT_UNNAMED(/' "$work/rtl/$name.sv"
  done
  cat "$formal/unnamed.svh" >>"$work/rtl/vta_assert.svh"
}

# read_design MODULE SETTINGS: yosys commands that make one flat module of $work/rtl.
read_design() {
  local module=$1 setting files='' name parameters=''
  for setting in $2; do
    [[ $setting == pkg.* || $setting == abstract=* ]] || parameters+=" -set ${setting%%=*} ${setting#*=}"
  done
  for name in $(sources "$module"); do files+=" $work/rtl/$name.sv"; done
  echo "read_verilog -formal -sv -I$work/rtl $work/rtl/vta_pkg.sv$files"
  [[ -z $parameters ]] || echo "chparam$parameters $module"
  echo "prep -flatten -top $module; memory_map; opt -fast; dffunmap; setundef -undriven -anyseq"
}

# to_aiger FILE: yosys commands that write the present design as an and-inverter graph with its assertions and
# assumptions.
to_aiger() {
  echo "delete -output; async2sync; opt -fast -nodffe -nosdff; techmap; opt -fast -nodffe -nosdff; abc -g AND -fast"
  echo "opt_clean; write_aiger -zinit -B $1"
}

# model MODULE SETTINGS: assertions.aig and covers.aig below $work, and read.il, what they were made of.
model() {
  {
    read_design "$1" "$2"
    echo "write_rtlil $work/read.il; design -save read; chformal -cover -remove"
    to_aiger "$work/assertions.aig"
    echo "design -load read; chformal -assert -remove; techmap -map $formal/cover.v"
    to_aiger "$work/covers.aig"
  } >"$work/model.ys"
  yosys -q -e "implicitly declared" "$work/model.ys"
}
