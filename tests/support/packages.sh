# packages.sh, for tests that need packages of PyPI to source. Each is given its lists of packages, with the version of
# every one, so that pip has nothing to choose; a folder keeps them until a list changes.

# install_packages FOLDER WHAT LIST...: a Python of its own in FOLDER/venv with these packages.
install_packages() {
  local folder=$1 what=$2
  shift 2
  packages_are_there "$folder/venv" "$@" && return
  rm -rf "$folder/venv"
  {
    python3 -m venv "$folder/venv" &&
      "$folder/venv/bin/pip" install "${packages_options[@]}" "${@/#/--requirement=}"
  } >"$folder/pip.log" 2>&1 || skip_without_packages "$folder" "$what"
  keep_packages "$folder/venv" "$@"
}

# download_packages FOLDER WHAT LIST...: these packages as files in FOLDER/wheels. REQUIRES: FOLDER/venv.
download_packages() {
  local folder=$1 what=$2
  shift 2
  packages_are_there "$folder/wheels" "$@" && return
  rm -rf "$folder/wheels"
  "$folder/venv/bin/pip" download "${packages_options[@]}" --dest "$folder/wheels" "${@/#/--requirement=}" \
    >"$folder/pip.log" 2>&1 || skip_without_packages "$folder" "$what"
  keep_packages "$folder/wheels" "$@"
}

# empty_folder FOLDER: an empty one, whatever it was.
empty_folder() {
  rm -rf "$1"
  mkdir -p "$1"
}

packages_options=(--quiet --disable-pip-version-check --only-binary=:all: --no-deps)

packages_are_there() {
  local to=$1
  shift
  mkdir -p "$(dirname "$to")"
  cat "$@" | cmp -s - "$to/.packages"
}

keep_packages() {
  local to=$1
  shift
  cat "$@" >"$to/.packages"
}

# As CTest knows what was skipped.
skip_without_packages() {
  tail -n 3 "$1/pip.log"
  echo "SKIPPED: $2 cannot be had"
  exit 77
}
