#!/usr/bin/env bash
# Builds the virtual board: Linux 6.1 for Zynq-7000 with a device tree and a module, and QEMU 7.2 with a Zynq whose PL is a socket.
#
#   build.sh CACHE_DIR
#
# Debian's packages are downloaded and unpacked in CACHE_DIR; nothing is installed. A stage is a function below and a folder
# there. It is done again when the function, the files that it reads or an earlier stage have changed, and when it was
# interrupted: its stamp is written last.
set -euo pipefail
shopt -s inherit_errexit
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source-path=SCRIPTDIR source=tools.sh
source "$here/tools.sh"

# What the machine itself must have: a program or a file, and the Debian package that it is in.
requirements="
  bc bc
  bzip2 bzip2
  gcc gcc
  /usr/include/stdio.h libc6-dev
  /usr/include/zlib.h zlib1g-dev
  make make
  ninja ninja-build
  patch patch
  perl perl
  pkg-config pkg-config
  /usr/bin/python3 python3
  /usr/lib/python3.11/distutils/core.py python3-distutils
  xz xz-utils"

require_host() {
  local missing=() what package
  grep -qs '^VERSION_CODENAME=bookworm$' /etc/os-release ||
    die "this is not Debian 12 (bookworm), whose Linux 6.1 and QEMU 7.2 sources the board is made of"
  while read -r what package; do
    [[ -z $what || -e $what ]] || command -v "$what" >/dev/null || missing+=("$package")
  done <<<"$requirements"
  [[ ${#missing[@]} -eq 0 ]] ||
    die "Debian packages are missing; install them with: apt-get install --no-install-recommends ${missing[*]}"
}

# Downloads, with lists of packages of our own: for two architectures and for sources, and without root. The places to
# download from are the machine's; backports are left out, for the patch is for QEMU 7.2.
packages() {
  local architecture apt from
  architecture=$(dpkg --print-architecture)
  mkdir -p apt/{sources,lists/partial,cache/archives/partial} tools board qemu qemu-source linux-source
  for from in /etc/apt/sources.list.d/*.sources; do
    [[ ! -e $from ]] || sed 's/^Types:.*/Types: deb deb-src/' "$from" >"apt/sources/${from##*/}"
  done
  for from in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
    [[ ! -e $from ]] || sed -n '/^deb /{p;s/^deb /deb-src /p}' "$from" >"apt/sources/${from##*/}.list"
  done
  apt=(apt-get -q -t bookworm
    -o APT::Sandbox::User=root
    -o APT::Architectures::="$architecture" -o APT::Architectures::=armhf
    -o Dir::Etc::SourceList=/dev/null -o Dir::Etc::SourceParts="$PWD/apt/sources"
    -o Dir::State::Lists="$PWD/apt/lists" -o Dir::Cache="$PWD/apt/cache")
  # Sources that have nothing to do with Debian may well have nothing for us.
  "${apt[@]}" update || echo "some lists of packages are missing"

  (cd linux-source && "${apt[@]}" download linux-source-6.1)
  (cd qemu-source && "${apt[@]}" source --download-only qemu)
  (cd board && "${apt[@]}" download busybox-static:armhf)
  (cd tools && "${apt[@]}" download bison cpio flex m4 \
    binutils-arm-linux-gnueabihf cpp-12-arm-linux-gnueabihf cpp-arm-linux-gnueabihf gcc-12-arm-linux-gnueabihf \
    gcc-arm-linux-gnueabihf g++-12-arm-linux-gnueabihf g++-arm-linux-gnueabihf libc6-armhf-cross libc6-dev-armhf-cross \
    libgcc-12-dev-armhf-cross libgcc-s1-armhf-cross libstdc++-12-dev-armhf-cross libstdc++6-armhf-cross \
    libatomic1-armhf-cross libgomp1-armhf-cross linux-libc-dev-armhf-cross)
  (cd qemu && "${apt[@]}" download libfdt1 libfdt-dev libglib2.0-0 libglib2.0-dev libglib2.0-dev-bin libpcre2-8-0 \
    libpcre2-dev libpixman-1-0 libpixman-1-dev libslirp0 libslirp-dev meson)
  rm -r apt
}

# The packages as they would be installed, each set below a root of its own.
tools() {
  local set deb
  for set in tools:build board:board qemu:qemu; do
    mkdir "${set#*:}"
    for deb in "$cache/packages/${set%:*}"/*.deb; do dpkg -x "$deb" "${set#*:}"; done
  done
  # These name their libraries by where they would be installed; by name alone they are found here.
  sed -i 's#/usr/arm-linux-gnueabihf/lib/##g' build/usr/arm-linux-gnueabihf/lib/libc.so
  sed -i "s#^prefix=.*#prefix=$PWD/qemu/usr#" qemu/usr/lib/*/pkgconfig/*.pc
}

kernel() {
  local wanted
  use_tools "$cache"
  export ARCH=arm CROSS_COMPILE=arm-linux-gnueabihf-
  mkdir source build
  dpkg --fsys-tarfile "$cache"/packages/linux-source/linux-source-6.1_*.deb |
    tar -xO ./usr/src/linux-source-6.1.tar.xz | tar -xJ -C source --strip-components=1
  make -s -C source O="$PWD/build" allnoconfig
  source/scripts/kconfig/merge_config.sh -m -O build build/.config "$here/kernel.config"
  make -s -C build olddefconfig
  while read -r wanted; do
    grep -qxF "$wanted" build/.config || { echo "error: the kernel does not take $wanted"; return 1; }
  done < <(grep -E '^(CONFIG_|# CONFIG_.* is not set)' "$here/kernel.config")
  make -s -C build -j"$(nproc)" zImage modules
  cp build/arch/arm/boot/zImage .
}

module() {
  use_tools "$cache"
  export ARCH=arm CROSS_COMPILE=arm-linux-gnueabihf-
  mkdir build
  cp "$here"/module/* build
  make -s -C "$cache/kernel/build" M="$PWD/build" modules
  cp build/fpga_mgr_sysfs.ko .
}

device_tree() {
  local source=$cache/kernel/source
  cpp -nostdinc -undef -x assembler-with-cpp -I "$source/arch/arm/boot/dts" -I "$source/include" \
    "$here/virtual_zynq.dts" | "$cache/kernel/build/scripts/dtc/dtc" -q -I dts -O dtb -o virtual_zynq.dtb
}

qemu() {
  local root=$cache/tools/qemu/usr patch libraries
  libraries=$root/lib/$(gcc -print-multiarch)
  mkdir source build
  tar -xJf "$cache"/packages/qemu-source/qemu_7.2*.orig.tar.xz -C source --strip-components=1
  tar -xJf "$cache"/packages/qemu-source/qemu_7.2*.debian.tar.xz -C source
  cd source
  while read -r patch; do patch -s -p1 -N <"debian/patches/$patch"; done < <(grep -v '^#' debian/patches/series)
  patch -p1 <"$here/qemu-7.2-zynq-pl.patch"
  # QEMU's Arm emulation does not link without ARM_V7M and semihosting.
  printf 'CONFIG_%s=y\n' ZYNQ ARM_V7M SEMIHOSTING ARM_COMPATIBLE_SEMIHOSTING >configs/devices/arm-softmmu/zynq.mak
  cd ../build
  export PATH=/usr/bin:$PATH PYTHONPATH=$root/lib/python3/dist-packages PKG_CONFIG_PATH=$libraries/pkgconfig
  ../source/configure --meson="$root/bin/meson" --target-list=arm-softmmu --without-default-features \
    --without-default-devices --with-devices-arm=zynq --enable-tcg --enable-system --disable-user --enable-fdt=system \
    --enable-slirp --disable-docs --disable-tools --disable-guest-agent --disable-werror \
    --extra-cflags="-I$root/include" --extra-ldflags="-L$libraries -Wl,--disable-new-dtags,-rpath,$libraries"
  ninja qemu-system-arm
  cp qemu-system-arm ..
}

# stage NAME MINUTES EARLIER_STAGES FILE...: brings a stage up to date; the files are relative to this folder.
stage() {
  local name=$1 minutes=$2 earlier=$3 key done_key='' before
  shift 3
  key=$(
    {
      echo "$cache"
      declare -f "$name" use_tools
      for before in $earlier; do cat "$cache/$before/stamp"; done
      [[ $# -eq 0 ]] || (cd "$here" && sha256sum -- "$@")
    } | sha256sum | cut -d' ' -f1
  )
  [[ ! -e $cache/$name/stamp ]] || read -r done_key _ <"$cache/$name/stamp"
  [[ $done_key != "$key" ]] || return 0

  log=$cache/logs/$name.log
  running=$name
  echo "virtual_zynq: $name, about $minutes min (log: $log)" >&2
  rm -f "$cache/$name/stamp"
  rm -rf "${cache:?}/$name"
  mkdir "$cache/$name"
  (
    cd "$cache/$name"
    set -x
    "$name"
  ) >"$log" 2>&1 </dev/null
  # With the time, so that later stages see that this one was done again.
  echo "$key $(date +%s.%N)" >"$cache/$name/stamp"
  running=
}

# The subshell of a stage ends with set -e, or with a signal.
report() {
  local status=$?
  [[ -n $running ]] || return 0
  if [[ $status -gt 128 ]]; then
    echo "error: $running: interrupted; the next run does it again" >&2
  else
    tail -n 20 "$log" >&2
    echo "error: $running failed; its output is in $log" >&2
  fi
}

# A function, so that bash has read all of this file before it begins.
main() {
  [[ $# -eq 1 && $1 != -* ]] || die "usage: build.sh CACHE_DIR"
  require_host
  mkdir -p "$1/logs" || die "cannot write to $1"
  cache=$(cd "$1" && pwd)
  exec 9>"$cache/lock"
  if ! flock -n 9; then
    echo "virtual_zynq: waiting for another build.sh in $cache" >&2
    flock 9
  fi

  running='' log=''
  trap report EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM
  stage packages 0.5 ""
  stage tools 0.5 "packages"
  stage kernel 5 "packages tools" kernel.config
  stage module 0.1 "tools kernel" module/Makefile module/fpga_mgr_sysfs.c
  stage device_tree 0.1 "kernel" virtual_zynq.dts
  stage qemu 4 "packages tools" qemu-7.2-zynq-pl.patch
}

main "$@"
