#!/usr/bin/env bash
# Tests the virtual board by itself: bitstreams, registers, the interrupt, memory and the network, as ./selftest tries them in
# the guest. Builds the board if it must. Ends with PASS or FAIL.
#
#   test.sh CACHE_DIR
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source-path=SCRIPTDIR source=tools.sh
source "$here/tools.sh"

[[ $# -eq 1 && $1 != -* ]] || die "usage: test.sh CACHE_DIR"
"$here/build.sh" "$1"
cache=$(cd "$1" && pwd)
work=$(mktemp -d)
peer='' board=''
clean() {
  # shellcheck disable=SC2086  # none, one or two
  kill $board $peer 2>/dev/null || true
  rm -rf "$work"
}
trap clean EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

mkdir -p "$work"/overlay/{etc/vantage,bin}
cp "$here/selftest/start" "$work/overlay/etc/vantage"
python3 "$here/selftest/bitstreams.py" "$work/overlay/lib/firmware"
(
  use_tools "$cache"
  # Linked dynamically, as the driver will be.
  arm-linux-gnueabihf-g++ -std=c++20 -O2 -Wall -Wextra -D_FILE_OFFSET_BITS=64 \
    -o "$work/overlay/bin/guest_checks" "$here/selftest/guest_checks.cpp"
)
"$here/image.sh" "$cache" "$work/overlay" "$work/initramfs"

python3 "$here/selftest/pl_peer.py" "$work/pl" "$work/dram" &
peer=$!
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
"$here/boot.sh" "$cache" "$work/initramfs" "$work/pl" "$work/dram" --forward "$port:5000" --timeout 300 \
  </dev/null >"$work/console" 2>&1 &
board=$!

# Until the guest listens, a connection ends with nothing.
fetched=no
while kill -0 "$board" 2>/dev/null; do
  if timeout 20 cat 2>/dev/null <"/dev/tcp/127.0.0.1/$port" | cmp -s - "$work/overlay/lib/firmware/good.bin"; then
    fetched=yes
    break
  fi
  sleep 0.5
done
wait "$board" || true
board=''

if [[ $fetched == yes ]] && grep -qx 'GUEST-END status=0' "$work/console"; then
  grep '^ok ' "$work/console"
  echo PASS
else
  cat "$work/console"
  [[ $fetched == yes ]] || echo "FAILED nobody answered at the guest's port 5000"
  echo FAIL
  exit 1
fi
