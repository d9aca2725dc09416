# shellcheck shell=bash
# Sourced by the scripts of this folder: errors, and what build.sh leaves in the cache.

die() {
  echo "error: $*" >&2
  exit 2
}

# require_built CACHE_DIR: nothing is missing there.
require_built() {
  local stage
  for stage in kernel module device_tree qemu; do
    [[ -e $1/$stage/stamp ]] || die "there is no virtual board in $1; run build.sh first"
  done
}

# use_tools CACHE_DIR: the cross compiler, the kernel's build tools and cpio, for this process and those that it starts.
use_tools() {
  local root=$1/tools/build
  export PATH=$root/usr/bin:$root/bin:$PATH
  export LD_LIBRARY_PATH
  LD_LIBRARY_PATH=$root/usr/lib/$(gcc -print-multiarch)
  export M4=$root/usr/bin/m4 BISON_PKGDATADIR=$root/usr/share/bison
}
