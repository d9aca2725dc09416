#!/usr/bin/env bash
# Makes the root file system that the virtual board boots from: busybox, the C and C++ libraries for armhf, fpga_mgr_sysfs,
# ./init, and whatever OVERLAY_DIR holds, copied over the root; its /etc/vantage/start is what init runs.
#
#   image.sh CACHE_DIR OVERLAY_DIR OUT_INITRAMFS
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source-path=SCRIPTDIR source=tools.sh
source "$here/tools.sh"

[[ $# -eq 3 && $1 != -* ]] || die "usage: image.sh CACHE_DIR OVERLAY_DIR OUT_INITRAMFS"
cache=$1 overlay=$2 out=$3
require_built "$cache"
[[ -d $overlay ]] || die "there is no folder $overlay"
use_tools "$cache"

work=$(mktemp -d)
trap 'rm -rf "$work" "$out.new"' EXIT
root=$work/root
mkdir -p "$root"/{bin,sbin,usr/bin,usr/sbin,lib/firmware,etc/vantage,proc,sys,dev,tmp,root,var,run}
cp "$cache/tools/board/bin/busybox" "$root/bin"
cp -a "$cache"/tools/build/usr/arm-linux-gnueabihf/lib/*.so.* "$root/lib"
cp "$cache/module/fpga_mgr_sysfs.ko" "$root/lib"
install -m 755 "$here/init" "$root"
echo "root:x:0:0:root:/root:/bin/sh" >"$root/etc/passwd"
echo "root:x:0:" >"$root/etc/group"
echo "127.0.0.1 localhost" >"$root/etc/hosts"
cp -a "$overlay/." "$root"

# Under another name at first: what is there is whole.
(cd "$root" && find . -print0 | LC_ALL=C sort -z | cpio --null -o -H newc --owner=+0:+0 --quiet) | gzip -1n >"$out.new"
mv "$out.new" "$out"
