#!/usr/bin/env bash
# The Debian packages of `./vantage package` on a Debian 12 with nothing but a base system, in a folder that debootstrap
# fills: the first runs `vantage run gemm`, with the second a project of someone else's is built (examples/cmake_project).
# Needs root, debootstrap and a mirror of Debian; takes minutes. TMPDIR may name a folder with room: 4 GB.
#
#   tests/install/debian_test.sh FOLDER      where the packages are: build/debian
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)

packages=$(cd "${1:?the folder with the packages}" && pwd)
[[ $(id -u) -eq 0 ]] || { echo "error: a folder with a system in it wants root" >&2 && exit 2; }
command -v debootstrap >/dev/null || { echo "error: debootstrap is missing; apt-get install debootstrap" >&2 && exit 2; }
work=$(mktemp -d)
trap 'rm -rf --one-file-system "$work"' EXIT

# step WHAT COMMAND...: says what it does, and shows its output when it fails.
step() {
  echo "$1 ..."
  shift
  "$@" >"$work/output" 2>&1 || { tail -n 40 "$work/output" >&2 && exit 1; }
}
# In the new system, where nothing is known of this one.
inside() {
  # shellcheck disable=SC2016  # of the inner shell
  unshare --mount bash -c '
    mount -t proc proc "$0/proc"
    exec chroot "$0" /usr/bin/env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive "$@"
  ' "$work/debian" "$@"
}
installed() { inside apt-get install -y --no-install-recommends "$@"; }
says() { grep -F -e "$1" "$work/output" || { cat "$work/output" >&2 && exit 1; }; }

step "a bare Debian 12" debootstrap --variant=minbase bookworm "$work/debian"
# The mirror is reached as this system reaches it.
grep -ls '^Acquire::' /etc/apt/apt.conf.d/* | xargs -r cp -t "$work/debian/etc/apt/apt.conf.d" || true
cp /etc/resolv.conf "$work/debian/etc/" 2>/dev/null || true
cp "$packages"/*.deb "$work/debian/tmp/"
cp -r "$root/examples/cmake_project" "$work/debian/root/project"
step "lists of packages" inside apt-get update
step "apt-get install vantage" installed /tmp/"$(cd "$packages" && ls vantage_*.deb)"
step "vantage run gemm" inside vantage run gemm
says "Successful matrix multiply test!"
step "vantage compare matmul" inside vantage compare matmul --m 64 --n 64 --k 64 --dtype int8 \
  --targets fsim:,cpu:,onednn:
step "apt-get install libvantage-dev" installed /tmp/"$(cd "$packages" && ls libvantage-dev_*.deb)"
step "cmake" inside cmake -S /root/project -B /root/project/build
step "make" inside cmake --build /root/project/build
step "one_layer" inside /root/project/build/one_layer
says "The result is that of plain loops."
