#!/usr/bin/env bash
# A host and a board in network namespaces of their own, with a slow, lossy wire between them: runs come out right; an
# upload that is cut off, a client that goes silent, a client and a server that are killed leave nothing behind that the
# next one would notice.
#
#   network_test.sh VANTAGE_BINARY LOSSY_LINK_BINARY
set -uo pipefail
vantage=$1
lossy_link=$2

skip() {
  echo "SKIPPED: $*"
  exit 77
}
[[ $(id -u) == 0 ]] || skip "network namespaces need root"
command -v ip >/dev/null || skip "there is no ip; the Debian package iproute2 has it"
[[ -c /dev/net/tun ]] || skip "there is no /dev/net/tun"

work=$(mktemp -d)
host=vantage-host-$$
board=vantage-board-$$
failures=0
cleanup() {
  kill $(jobs -p) 2>/dev/null
  wait 2>/dev/null
  ip netns del "$host" 2>/dev/null
  ip netns del "$board" 2>/dev/null
  rm -rf "$work"
}
trap cleanup EXIT

fail() {
  echo "FAILED: $*"
  failures=$((failures + 1))
}
on() { ip netns exec "$@"; }
# What is to be killed is started by its whole command: of a function the shell would give its own process.

ip netns add "$host" && ip netns add "$board" || skip "namespaces cannot be made here"
"$lossy_link" "$host" "$board" 2 0.5 100 >"$work/link" &
link=$!
for _ in {1..50}; do [[ -s $work/link ]] && break; sleep 0.1; done
[[ -s $work/link ]] || skip "tun devices cannot be made here"
on "$host" ip addr add 10.77.0.1 peer 10.77.0.2 dev tun0 && on "$host" ip link set tun0 up
on "$board" ip addr add 10.77.0.2 peer 10.77.0.1 dev tun0 && on "$board" ip link set tun0 up

openssl rand -hex 32 >"$work/token"
export VANTAGE_TOKEN
VANTAGE_TOKEN=$(cat "$work/token")
export VANTAGE_CACHE_DIR=$work/cache
url=rpc://10.77.0.2:9091
start_server() {
  : >"$work/served"
  ip netns exec "$board" "$vantage" serve --listen 10.77.0.2:9091 --token-file "$work/token" >"$work/served" 2>>"$work/log" &
  server=$!
  for _ in {1..100}; do [[ -s $work/served ]] && return; sleep 0.1; done
  fail "the server does not start: $(cat "$work/log")"
}
# Until a line of the server's log, or for half a minute.
logged() {
  for _ in {1..300}; do grep -q "$1" "$work/log" && return; sleep 0.1; done
  return 1
}
small() { on "$host" "$vantage" run gemm --target "$url/fsim" >"$work/out" 2>"$work/err"; }
# 16 MB of weights: more than a second on the wire.
large=("$vantage" run gemm --m 1 --k 4096 --n 4096 --seed 7 --target "$url/fsim")

start_server
small || fail "a run over a lossy wire: $(cat "$work/err")"
grep -q "Successful" "$work/out" || fail "a run over a lossy wire is not right: $(cat "$work/out")"

# The wire is cut in the middle of an upload; the next client sends what is missing.
ip netns exec "$host" "${large[@]}" >"$work/cut.out" 2>"$work/cut.err" &
client=$!
for _ in {1..500}; do compgen -G "$work/cache/contents/*.part" >/dev/null && break; sleep 0.01; done
sleep 0.1
kill -USR1 $link
wait $client
[[ $? == 2 ]] || fail "a client whose wire was cut ends with another status than 2"
grep -q "no server answers" "$work/cut.err" || fail "a client whose wire was cut says: $(cat "$work/cut.err")"
logged "session .*: over" || fail "the server did not notice that its client was cut off"
part=$(compgen -G "$work/cache/contents/*.part")
[[ -n $part && $(stat -c %s "$part") -gt 0 ]] || fail "nothing of the upload that was cut off is there"
kill -USR2 $link
: >"$work/log"
on "$host" "${large[@]}" >"$work/out" 2>"$work/err" || fail "after the cut: $(cat "$work/err")"
grep -q "Successful" "$work/out" || fail "after the cut the result is not right"
grep -q "goes on at byte [1-9]" "$work/log" || fail "the upload was begun anew"
! compgen -G "$work/cache/contents/*.part" >/dev/null || fail "a part of an upload is left"

# A client that is killed in the middle of a run.
: >"$work/log"
ip netns exec "$host" "$vantage" run gemm --blocks --m 4096 --k 4096 --n 4096 --target "$url/fsim" >/dev/null 2>&1 &
client=$!
logged "opened" || fail "the client to be killed had no session"
sleep 0.5
kill -KILL $client
wait $client 2>/dev/null
logged "over" || fail "the server did not notice that its client was killed"
small || fail "after a client was killed: $(cat "$work/err")"

# A client that goes silent: it and its wire stand still while it has a session. The server asks, and hears nothing.
: >"$work/log"
ip netns exec "$host" "$vantage" run gemm --blocks --m 4096 --k 4096 --n 4096 --target "$url/fsim" >/dev/null 2>&1 &
client=$!
logged "opened" || fail "the client to go silent had no session"
kill -STOP $client
kill -USR1 $link
logged "over" || fail "the server did not notice that its client went silent"
kill -USR2 $link
kill -KILL $client
wait $client 2>/dev/null
on "$host" "$vantage" targets "$url" >"$work/out" 2>"$work/err" || fail "after a client went silent: $(cat "$work/err")"
# The table has several lines for a device.
tr -s ' \n' ' ' <"$work/out" | grep -q "/fsim [^;]*; 0 sessions" || fail "the session of a client that went silent is there: $(cat "$work/out")"

# A server that is killed in the middle of an upload, and started again.
rm -rf "$work/cache/contents"
kill -KILL $server
wait $server 2>/dev/null
start_server
ip netns exec "$host" "${large[@]}" >"$work/cut.out" 2>"$work/cut.err" &
client=$!
for _ in {1..500}; do compgen -G "$work/cache/contents/*.part" >/dev/null && break; sleep 0.01; done
kill -KILL $server
wait $server 2>/dev/null
wait $client
[[ $? == 2 ]] || fail "a client whose server was killed ends with another status than 2"
[[ $(wc -l <"$work/cut.err") == 1 ]] || fail "a client whose server was killed says: $(cat "$work/cut.err")"
: >"$work/log"
start_server
on "$host" "${large[@]}" >"$work/out" 2>"$work/err" || fail "after the server was killed: $(cat "$work/err")"
grep -q "Successful" "$work/out" || fail "after the server was killed the result is not right"

[[ $failures == 0 ]] && echo "all came out right"
exit "$((failures > 0))"
