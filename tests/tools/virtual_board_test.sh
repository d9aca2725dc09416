#!/usr/bin/env bash
# Starts the emulated board and compares the blocked matrix multiply on it with rtl:, counters and cycles, and a network
# whose programs and functions both run there with what this machine makes of it. The first run builds Linux and QEMU, so
# this is no part of ./vantage test:
#
#   tests/tools/virtual_board_test.sh
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
port=${PORT:-9292}
work=$(mktemp -d)
board=''
# shellcheck disable=SC2317  # called by the trap
clean() {
  [[ -z $board ]] || kill "$board" 2>/dev/null || true
  wait || true
  rm -rf "$work"
}
trap clean EXIT

"$root/vantage" cross armhf build
# Builds the parts of the tool that is called by its own name from here on; nobody serves anything there.
"$root/vantage" compile lenet --processor host,armhf -o "$work/lenet.tar" >/dev/null
"$root/vantage" run gemm --target rpc://127.0.0.1:1/none >/dev/null 2>&1 || true
export VANTAGE_ROOT=$root
tool=$root/build/release/cli/vantage
"$tool" board emulate --port "$port" >"$work/ready" 2>"$work/console" &
board=$!
while [[ ! -s $work/ready ]]; do
  kill -0 "$board" 2>/dev/null || {
    tail -n 30 "$work/console"
    echo FAIL: the board went off
    exit 1
  }
  sleep 1
done
export VANTAGE_TOKEN=virtual-zynq-on-loopback
"$tool" run gemm --target "rpc://127.0.0.1:$port/pynq" --json >"$work/board.json"
"$tool" run gemm --target rtl: --json >"$work/rtl.json"
# All but the names of the target and of its memory, which a server keeps to itself.
if diff <(grep -v '"target"\|"memory"' "$work/board.json") <(grep -v '"target"\|"memory"' "$work/rtl.json"); then
  grep '"cycles"' "$work/board.json" | head -n 1
  echo "PASS: the board's results, counters and cycles are those of rtl:"
else
  echo "FAIL: the board and rtl: differ"
  exit 1
fi

"$tool" run "$work/lenet.tar" --random 1 --target fsim: --output "$work/here.npy" >/dev/null
"$tool" run "$work/lenet.tar" --random 1 --layers --output "$work/there.npy" \
  --target "rpc://127.0.0.1:$port/pynq" --processor "rpc://127.0.0.1:$port/cpu"
# Ten shares of float32 at the end of each file; a Cortex-A9 rounds the exponential's products, which has no fused ones.
if python3 - "$work/here.npy" "$work/there.npy" <<'EOF'; then
import struct, sys
here, there = (struct.unpack("<10f", open(name, "rb").read()[-40:]) for name in sys.argv[1:])
assert abs(sum(here) - 1) < 1e-5, here
sys.exit(any(abs(x - y) > 1e-6 for x, y in zip(here, there)))
EOF
  echo "PASS: the board's classes are those of this machine"
else
  echo "FAIL: the board's classes differ"
  exit 1
fi
