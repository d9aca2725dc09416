#!/usr/bin/env bash
# What a program for another architecture is built against: Debian packages of that architecture, unpacked into a folder.
# Nothing is installed, and no foreign architecture is added to this machine, whose own packages may be of other versions.
#
#   cmake/cross/sysroot.sh armhf|arm64 FOLDER
#
# Does nothing when FOLDER holds what packages.txt beside this script names.
set -euo pipefail

here=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd)
architecture=${1:?an architecture: armhf or arm64}
folder=$(realpath -m "${2:?a folder}")

list=$(sed 's/#.*//' "$here/packages.txt" | xargs)
wanted=$(printf '%s %s' "$architecture" "$list" | sha256sum | cut -d' ' -f1)
if [[ $(cat "$folder/.packages" 2>/dev/null) == "$wanted" ]]; then exit 0; fi

work=$folder.new
rm -rf "$work"
mkdir -p "$work"/{apt/lists/partial,apt/archives/partial,root}
trap 'rm -rf "$work"' EXIT
touch "$work/apt/status"
apt=(apt-get -q -y
  -o "APT::Architecture=$architecture" -o "APT::Architectures=$architecture"
  -o "Dir::State=$work/apt" -o "Dir::State::lists=$work/apt/lists" -o "Dir::State::status=$work/apt/status"
  -o "Dir::Cache=$work/apt" -o "Dir::Cache::archives=$work/apt/archives"
  -o APT::Install-Recommends=false -o Debug::NoLocking=true -o APT::Sandbox::User=root)
# A list that a mirror has only half of is left out; what it would name is then of an earlier release.
"${apt[@]}" update >"$work/apt/update.log" 2>&1 || true
# shellcheck disable=SC2086  # names of packages, to be split
if ! "${apt[@]}" --download-only install $list >"$work/apt/download.log" 2>&1; then
  tail -n 20 "$work/apt/update.log" "$work/apt/download.log" >&2
  echo "error: the packages for $architecture could not be downloaded" >&2
  exit 1
fi
for package in "$work"/apt/archives/*.deb; do dpkg-deb -x "$package" "$work/root"; done
# Links to absolute paths would lead out of the folder.
find "$work/root" -type l -lname '/*' | while read -r link; do
  ln -snf "$(realpath -m --relative-to="$(dirname "$link")" "$work/root$(readlink "$link")")" "$link"
done
echo "$wanted" >"$work/root/.packages"
rm -rf "$folder"
mv "$work/root" "$folder"
