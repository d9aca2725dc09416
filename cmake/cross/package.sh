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
if [[ -f $folder/.begun ]] && [[ -z $(find "$build/cli/vantage" "$sysroot/.packages" "$script" \
  "$project/configs" "$project/bitstreams" -newer "$folder/.begun" -print -quit) ]]; then exit 0; fi

work=$folder.new
rm -rf "$work"
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"/{bin,lib}
touch "$work/.begun"
cp "$build/cli/vantage" "$work/bin/vantage"
cp -r "$project/configs" "$project/bitstreams" "$work"

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
take "$work/bin/vantage"
loader=$(readelf -l "$work/bin/vantage" | sed -n 's/.*interpreter: \(.*\)\]/\1/p')
[[ -e $work/lib/${loader##*/} ]] || cp -L "$sysroot$loader" "$work/lib/${loader##*/}"

cat >"$work/vantage" <<EOF
#!/bin/sh
# Runs the tool with the libraries beside it.
here=\$(cd "\$(dirname "\$(readlink -f "\$0")")" && pwd)
export VANTAGE_ROOT="\$here" VANTAGE_CALLED_AS="\$0"
exec "\$here/lib/${loader##*/}" --library-path "\$here/lib" "\$here/bin/vantage" "\$@"
EOF
chmod +x "$work/vantage"
rm -rf "$folder"
mv "$work" "$folder"
