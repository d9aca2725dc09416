#!/usr/bin/env bash
# Starts the emulated board and compares the blocked matrix multiply on it with rtl:, counters and cycles. The first run
# builds Linux and QEMU, so this is no part of ./vantage test:
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
"$root/vantage" targets >/dev/null # builds the tool that is called by its own name from here on
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
# All but the target's name.
if diff <(grep -v '"target"' "$work/board.json") <(grep -v '"target"' "$work/rtl.json"); then
  grep '"cycles"' "$work/board.json" | head -n 1
  echo "PASS: the board's results, counters and cycles are those of rtl:"
else
  echo "FAIL: the board and rtl: differ"
  exit 1
fi
