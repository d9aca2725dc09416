#!/usr/bin/env bash
# How long one waits for a build: the figures of docs/performance.md that Google Benchmark does not measure.
#
#   bench/build_times.sh first-run   ./vantage run gemm from nothing on a fresh Debian 12, packages included, in a
#                                    folder that debootstrap fills. Needs root, debootstrap and a mirror of Debian.
#   bench/build_times.sh test        ./vantage test in a clone with every cache empty, then in another with what the
#                                    first left in the caches. Packages must be there.
#
# What is measured is the last commit of this checkout. TMPDIR may name a folder with room: 3 GB, or 10 GB for test.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

usage() {
  sed -n '2,/^set/s/^#\( \|$\)//p' "${BASH_SOURCE[0]}" >&2
  exit 2
}

# timed NAME LIMIT_S COMMAND...: runs it with its output in a file, and says how long it took. Fails if it fails, or
# takes longer than that.
timed() {
  local name=$1 limit=$2 begin end
  shift 2
  begin=$(date +%s)
  if ! "$@" >"$work/output" 2>&1; then
    tail -n 40 "$work/output" >&2
    echo "error: $name failed" >&2
    return 1
  fi
  end=$(($(date +%s) - begin))
  printf '%-6s %-52s %2d min %02d s (wanted <= %d min)\n' "$([[ $end -le $limit ]] && echo ok || echo MISSED)" \
    "$name" $((end / 60)) $((end % 60)) $((limit / 60))
  [[ $end -le $limit ]]
}

clone() {
  git clone -q "$root" "$1"
  # Recorded programs and data beside the project, where there are any: tests use them.
  [[ ! -d $root/../shared ]] || ln -sfn "$(cd "$root/../shared" && pwd)" "$(dirname "$1")/shared"
}

[[ $# -eq 1 ]] || usage
work=$(mktemp -d)
trap 'rm -rf --one-file-system "$work"' EXIT
case $1 in
  first-run)
    [[ $(id -u) -eq 0 ]] || { echo "error: a folder with a system in it wants root" >&2 && exit 2; }
    command -v debootstrap >/dev/null || {
      echo "error: debootstrap is missing; apt-get install debootstrap" >&2
      exit 2
    }
    system=$work/debian
    debootstrap --variant=minbase bookworm "$system" >"$work/output" 2>&1 || { tail "$work/output" >&2 && exit 1; }
    # The mirror is reached as this system reaches it.
    grep -ls '^Acquire::' /etc/apt/apt.conf.d/* | xargs -r cp -t "$system/etc/apt/apt.conf.d" || true
    cp /etc/resolv.conf "$system/etc/" 2>/dev/null || true
    git clone -q "$root" "$system/root/vantage"
    # shellcheck disable=SC2016  # of the inner shell
    timed "./vantage run gemm on a fresh Debian 12" 300 unshare --mount bash -c '
      mount -t proc proc "$0/proc"
      exec chroot "$0" /usr/bin/env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin /root/vantage/vantage run gemm
    ' "$system"
    ;;
  test)
    mkdir "$work/first" "$work/second"
    clone "$work/first/main"
    clone "$work/second/main"
    export CCACHE_DIR=$work/ccache VANTAGE_CACHE_DIR=$work/cache
    status=0
    timed "./vantage test with empty caches" 1200 "$work/first/main/vantage" test || status=1
    rm -rf "$work/first"
    timed "./vantage test in another clone" 360 "$work/second/main/vantage" test || status=1
    exit "$status"
    ;;
  *) usage ;;
esac
