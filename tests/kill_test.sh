#!/usr/bin/env bash
# Ends the tool by SIGKILL at random moments of what it does. The next time the same command must give the right result,
# and nothing half made may be left where the next one would take it for whole.
#
#   kill_test.sh VANTAGE_BINARY [MOMENTS [SEED]]
#
# VANTAGE_TEST_EFFORT=N takes N times as many moments. CONTRIBUTING.md has the result of 200.
set -uo pipefail
vantage=$1
moments=$((${2:-7} * ${VANTAGE_TEST_EFFORT:-1}))
RANDOM=${3:-1}

work=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null; wait; rm -rf "$work"' EXIT
export VANTAGE_CACHE_DIR=$work/cache
failures=0

# One multiplier, so that its model is built in seconds.
cat >"$work/small.json" <<'JSON'
{"TARGET": "sim", "HW_VER": "0.0.2", "LOG_INP_WIDTH": 3, "LOG_WGT_WIDTH": 3, "LOG_ACC_WIDTH": 5, "LOG_BATCH": 0,
 "LOG_BLOCK": 0, "LOG_UOP_BUFF_SIZE": 4, "LOG_INP_BUFF_SIZE": 2, "LOG_WGT_BUFF_SIZE": 1, "LOG_ACC_BUFF_SIZE": 4}
JSON
# A .bit file for a Zynq-7020: its header, a sync word, and a few words more.
{
  printf '\0\011\017\360\017\360\017\360\017\360\0\0\001'
  printf 'a\0\004vta\0b\0\0147z020clg400\0c\0\0132019/05/07\0d\0\01115:04:05\0e\0\0\0\020'
  printf '\252\231\125\146\040\0\0\0\040\0\0\0\040\0\0\0'
} >"$work/small.bit"

# The commands, each by a name; what they write besides their output lies in $work/out, which is new for each.
command_line() {
  case $1 in
  run) echo "run gemm --m 64 --k 64 --n 64 --target fsim:" ;;
  record) echo "run gemm --m 64 --k 64 --n 64 --target systemc: --record $work/out/bundle --trace $work/out/run.json" ;;
  rtl-build) echo "rtl build --config $work/small.json" ;;
  fetch) echo "bitstream fetch vta-pynq-0.0.2-1x16 --from file://$work/small.bit" ;;
  # Of a server that goes on, or of one that is killed; what is sent is new at each moment.
  upload | serve) echo "run gemm --m 64 --k 2048 --n 2048 --seed $((1000 + i)) --target $address/fsim" ;;
  flash) echo "flash vta-pynq-0.0.2-1x16 --board pynq-z1 --force --dry-run" ;;
  esac
}

# Starts a server with the contents that the last one left: its process and address.
serve() {
  rm -f "$work/serving"  # or the address of the last server is read
  setsid "$vantage" serve --device fsim: --listen 127.0.0.1:0 --quiet >"$work/serving" 2>"$work/complaint" &
  server=$!
  address=
  for ((tries = 0; tries < 200; ++tries)); do
    address=$(grep -os 'rpc://[0-9.:]*' "$work/serving" | head -n 1)
    [[ -z $address ]] || return 0
    sleep 0.1
  done
  return 1
}

# Runs it to its end: the time that it took, in milliseconds, and its output in $work/said.
finish() {
  local begin=${EPOCHREALTIME/[.,]/}
  rm -rf "$work/out" && mkdir "$work/out"
  # shellcheck disable=SC2046  # words
  "$vantage" $(command_line "$1") 2>"$work/complaint" | sed 's#rpc://[0-9.:]*#SERVER#' >"$work/said" ||
    return 1
  took=$(((${EPOCHREALTIME/[.,]/} - begin) / 1000))
}

fail() {
  echo "FAILED: $*"
  sed 's/^/  | /' "$work/complaint"
  failures=$((failures + 1))
}

# The command under way, in a group of processes of its own, and which of all that is killed.
start() {
  # shellcheck disable=SC2046  # words
  setsid "$vantage" $(command_line "$1") >/dev/null 2>&1 &
  client=$!
  killed=$client
  if [[ $1 == serve ]]; then killed=$server; fi
}

# Nothing but what a command that ended leaves.
leftovers() {
  find "$work/cache" "$work/out" \( -name '*.new' -o -name '*.work' -o -name '*.part' -o -regex '.*\.[a-z0-9]\{8\}' \) \
    2>/dev/null
}

declare -A takes expected
commands=(run record rtl-build fetch flash upload serve)
i=-1
serve || fail "serve does not work"
for name in "${commands[@]}"; do
  finish "$name" || fail "$name does not work"
  takes[$name]=$took
  expected[$name]=$(cat "$work/said")
done

for ((i = 0; i < moments; ++i)); do
  name=${commands[i % ${#commands[@]}]}
  # Something is made only where there is nothing, or where what there was is cut off.
  if [[ $name == fetch ]]; then rm -rf "$work/cache/bitstreams"; fi
  if [[ $name == rtl-build ]]; then
    case $((RANDOM % 3)) in
    0) rm -rf "$work/cache/rtl" "$work/cache/seal-key" ;;
    1) for file in "$work"/cache/rtl/*.so; do truncate -s 5000 "$file"; done ;;
    2) for file in "$work"/cache/rtl/*.json; do truncate -s 50 "$file"; done ;;
    esac
  fi
  moment=$((RANDOM * 32768 + RANDOM))
  moment=$((moment % (takes[$name] + takes[$name] / 10 + 1)))
  rm -rf "$work/out" && mkdir "$work/out"
  start "$name"
  sleep "$(printf '%d.%03d' $((moment / 1000)) $((moment % 1000)))"
  # Half of the time with the tools that it started, which otherwise end in their own time.
  if ((RANDOM % 2)); then kill -KILL -- "-$killed" 2>/dev/null; else kill -KILL "$killed" 2>/dev/null; fi
  wait "$killed" 2>/dev/null
  if [[ $name == serve ]]; then
    wait "$client"  # which notices
    serve || fail "moment $i, $moment ms into $name: the next server does not start"
  fi
  # What has its name is whole.
  if [[ -e $work/out/bundle ]]; then
    "$vantage" replay "$work/out/bundle" --target fsim: >/dev/null 2>"$work/complaint" ||
      fail "moment $i, $moment ms into $name: the bundle that was left is not whole"
  fi
  finish "$name" || fail "moment $i, $moment ms into $name: the next $name fails"
  [[ $(cat "$work/said") == "${expected[$name]}" ]] ||
    fail "moment $i, $moment ms into $name: the next $name says otherwise"
  left=$(leftovers)
  [[ -z $left ]] || fail "moment $i, $moment ms into $name: left behind: $left"
done
echo "$moments moments, $failures failures"
((failures == 0))
