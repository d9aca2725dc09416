#!/usr/bin/env bash
# Makes of a tool that was built for boards a folder that runs on any image of theirs: the tool, the C library and the others
# that it was linked against (images have older ones), the project's configurations.
#
#   cmake/cross/package.sh BUILD_FOLDER SYSROOT FOLDER
#
# Does nothing when FOLDER is newer than all that goes into it: an emulated board may be reading it.
set -euo pipefail

build=${1:?the folder of the build}
sysroot=${2:?the folder of sysroot.sh}
folder=${3:?the folder to make}
project=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.." && pwd)

script=$project/cmake/cross/package.sh
if [[ -f $folder/.begun ]] && [[ -z $(find "$build/cli/vantage" "$build/libexec" "$sysroot/.packages" "$script" \
  "$project/configs" "$project/bitstreams" -newer "$folder/.begun" -print -quit) ]]; then exit 0; fi

work=$folder.new
rm -rf "$work"
trap 'rm -rf "$work"' EXIT
# The places that base/installation.h names; the programs themselves lie with the libraries that they are run by.
mkdir -p "$work"/{bin,lib,libexec/vantage,share/vantage}
touch "$work/.begun"
cp -r "$project/configs" "$project/bitstreams" "$work/share/vantage"

# The libraries of a program or library, and those of these in turn.
needed() { readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'; }
take() {
  local name file
  for name in $(needed "$1"); do
    [[ ! -e $work/lib/$name ]] || continue
    file=$(find "$sysroot/lib" "$sysroot/usr/lib" -name "$name" -print -quit)
    [[ -n $file ]] || {
      echo "error: $name is not in $sysroot" >&2
      exit 1
    }
    cp -L "$file" "$work/lib/$name"
    take "$work/lib/$name"
  done
}
# program FILE PLACE UP: the program in lib, and at PLACE, which is UP from the root, a script that runs it with the
# libraries beside it. By their loader, whose process it is as far as the system knows: it finds what belongs to it
# from lib as it would from bin.
program() {
  local name=${1##*/} place=$work/$2 loader
  cp "$1" "$work/lib/$name"
  take "$work/lib/$name"
  loader=$(readelf -l "$work/lib/$name" | sed -n 's/.*interpreter: \(.*\)\]/\1/p')
  loader=${loader##*/}
  [[ -e $work/lib/$loader ]] || cp -L "$(find "$sysroot/lib" "$sysroot/usr/lib" -name "$loader" -print -quit)" "$work/lib"
  cat >"$place" <<EOF
#!/bin/sh
here=\$(cd "\$(dirname "\$(readlink -f "\$0")")/$3" && pwd)
export VANTAGE_CALLED_AS="\$0"
exec "\$here/lib/$loader" --library-path "\$here/lib" "\$here/lib/$name" "\$@"
EOF
  chmod +x "$place"
}
program "$build/cli/vantage" bin/vantage ..
program "$build/libexec/vantage/vantage-workspace" libexec/vantage/vantage-workspace ../..
ln -s bin/vantage "$work/vantage"
rm -rf "$folder"
mv "$work" "$folder"
