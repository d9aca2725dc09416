#!/usr/bin/env bash
# Boots the virtual board; its console is on stdin and stdout. Ends when the guest does.
#
#   boot.sh CACHE_DIR INITRAMFS SOCKET DRAM_FILE [--forward HOST_PORT:GUEST_PORT]... [--timeout SECONDS] [-- QEMU_ARGUMENTS]
#
# SOCKET: a Unix socket where the PL listens, or will within 10 s. DRAM_FILE: the board's memory, made if it is not there.
# --forward: a TCP port of 127.0.0.1 that leads to the guest's. --timeout: ends with status 124 after so long.
# APPEND="shell" in the environment adds arguments of the kernel's.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source-path=SCRIPTDIR source=tools.sh
source "$here/tools.sh"

usage="usage: boot.sh CACHE_DIR INITRAMFS SOCKET DRAM_FILE [--forward HOST_PORT:GUEST_PORT]... [--timeout SECONDS] [-- QEMU_ARGUMENTS]"
[[ $# -ge 4 && $1 != -* ]] || die "$usage"
cache=$1 initramfs=$2 socket=$3 dram=$4
shift 4
nic=user limit=()
while [[ $# -gt 0 && $1 != -- ]]; do
  if [[ $1 == --forward && ${2-} =~ ^([0-9]+):([0-9]+)$ ]]; then
    nic+=,hostfwd=tcp:127.0.0.1:${BASH_REMATCH[1]}-:${BASH_REMATCH[2]}
  elif [[ $1 == --timeout && ${2-} =~ ^[0-9]+$ ]]; then
    limit=(timeout --foreground "$2")
  else
    die "$usage"
  fi
  shift 2
done
[[ $# -eq 0 ]] || shift

require_built "$cache"
[[ -f $initramfs ]] || die "there is no file $initramfs"
for _ in {1..100}; do
  [[ ! -S $socket ]] || break
  sleep 0.1
done
[[ -S $socket ]] || die "nothing listens at $socket"

# In QEMU's options a comma within a name is doubled.
exec "${limit[@]}" "$cache/qemu/qemu-system-arm" -nographic -no-reboot -serial null -serial mon:stdio \
  -M xilinx-zynq-a9,memory-backend=ddr -m 2G \
  -object "memory-backend-file,id=ddr,size=2G,share=on,mem-path=${dram//,/,,}" \
  -chardev "socket,id=pl,path=${socket//,/,,}" \
  -global driver=xlnx.ps7-dev-cfg,property=idcode,value=0x03727093 \
  -global driver=xlnx.ps7-dev-cfg,property=check-crc,value=on \
  -nic "$nic" \
  -kernel "$cache/kernel/zImage" -dtb "$cache/device_tree/virtual_zynq.dtb" -initrd "$initramfs" \
  -append "console=ttyPS0,115200 mem=512M rootfstype=ramfs panic=-1 uio_pdrv_genirq.of_id=generic-uio HOST_TIME=$(date +%s) ${APPEND-}" \
  "$@"
