#!/usr/bin/env bash
# What `cmake --install` makes: a tool that runs from wherever it was put, and libraries that a project of someone
# else's finds, compiles and links (examples/cmake_project). Nothing of it may name the tree that it came from.
#
#   install_test.sh SOURCE_FOLDER BUILD_FOLDER [FLAGS]      FLAGS: what the libraries want of whom links them
set -uo pipefail

source=$1
build=$2
flags=${3:-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

# check WHAT COMMAND...: its output is shown when it fails.
check() {
  local what=$1
  shift
  if ! "$@" >"$work/output" 2>&1; then
    echo "FAILED: $what"
    tail -n 20 "$work/output"
    failures=$((failures + 1))
  fi
}
none() { ! "$@"; }
prints() { # EXPECTED COMMAND...
  local expected=$1
  shift
  "$@" | tee /dev/stderr | grep -qF -e "$expected"
}
refuses() { # EXPECTED COMMAND...
  local expected=$1
  shift
  "$@" >"$work/refusal" 2>&1
  [[ $? -eq 2 ]] && grep -F -e "$expected" "$work/refusal"
}

cd "$work" || exit 1
unset VANTAGE_ROOT VANTAGE_CALLED_AS VANTAGE_LAUNCHER
export VANTAGE_CACHE_DIR=$work/cache
check "it is installed" cmake --install "$build" --prefix "$work/first"
# From here on nothing is where it was put.
mv "$work/first" "$work/prefix"
prefix=$work/prefix
# Code with sanitizers names its sources, by whatever path they were compiled.
for place in "$source/" "$build"; do
  check "no file names $place" none grep -rlF ${flags:+-I} -e "$place" "$prefix"
done
check "the tool runs a matrix multiply" prints "Successful matrix multiply test!" "$prefix/bin/vantage" run gemm
check "and a network" prints "10 of 10 are right" "$prefix/bin/vantage" run mlp --images 10
if "$prefix/bin/vantage" explore --help >/dev/null 2>&1; then
  echo '{"parameters": {"LOG_BUS_WIDTH": [6, 7], "LOG_INP_BUFF_SIZE": [14, 15, 16]}}' >space.json
  check "and designs are evolved" prints "designs" "$prefix/bin/vantage" explore space.json --method evolve --designs 5 \
    --workloads gemm:16x32x32 --minimize cycles,luts
fi
check "it knows configurations by name" "$prefix/bin/vantage" config check pynq
check "an emulated board wants a checkout" refuses "no checkout of Vantage" "$prefix/bin/vantage" board emulate
check "there are manual pages" test -s "$prefix/share/man/man1/vantage-run-gemm.1"
check "bash completes it" grep -q "complete -F _vantage vantage" "$prefix/share/bash-completion/completions/vantage"
check "zsh completes it" grep -q "^#compdef vantage" "$prefix/share/zsh/vendor-completions/_vantage"

# Every page's links lead to what is installed beside it.
dead_links() {
  local page link
  while IFS= read -r page; do
    while IFS= read -r link; do
      [[ $link == *://* || $link == mailto:* || $link == '#'* ]] && continue
      [[ -e $(dirname "$page")/${link%%#*} ]] || echo "$page: $link"
    done < <(awk '/^ *```/ { inside = !inside; next } !inside' "$page" | tr '\n' ' ' | sed 's/`[^`]*`//g' |
      grep -o '\]([^)]*)' | sed 's/^](\(.*\))$/\1/')
  done < <(find "$prefix/share/doc" -name '*.md')
}
check "there are pages" test -s "$prefix/share/doc/vantage/docs/index.md"
check "their links lead somewhere" none grep . <(dead_links)

# What server this starts finds its other half.
if [[ -e $prefix/libexec ]]; then
  "$prefix/bin/vantage" serve --device fsim: --listen 127.0.0.1:0 >"$work/serving" 2>&1 &
  server=$!
  for _ in {1..100}; do
    grep -q 'rpc://' "$work/serving" && break
    sleep 0.1
  done
  address=$(grep -o 'rpc://[0-9.:]*' "$work/serving" | head -n 1)
  check "what it serves is reached" prints Successful "$prefix/bin/vantage" run gemm --target "$address/fsim"
  kill "$server"
  wait "$server"
fi

# A project outside.
cp -r "$source/examples/cmake_project" "$work/project"
check "a project finds the libraries" cmake -S "$work/project" -B "$work/project/build" -G Ninja \
  -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_CXX_FLAGS="$flags" -DCMAKE_EXE_LINKER_FLAGS="-fuse-ld=lld $flags"
check "and is built with them" cmake --build "$work/project/build"
check "and runs" prints "The result is that of plain loops." "$work/project/build/one_layer"

# A library by itself says that its headers want C++20, whatever the compiler's default is.
mkdir "$work/alone"
cat >"$work/alone/CMakeLists.txt" <<'EOF'
cmake_minimum_required(VERSION 3.25)
project(alone LANGUAGES CXX)
find_package(vantage 0.1 REQUIRED)
add_executable(alone alone.cpp)
target_link_libraries(alone PRIVATE vantage::schedule)
EOF
cat >"$work/alone/alone.cpp" <<'EOF'
#include "compiler/schedule/schedule.h"
int main() {}
EOF
check "a project finds one library" cmake -S "$work/alone" -B "$work/alone/build" -G Ninja \
  -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_CXX_FLAGS="$flags" -DCMAKE_EXE_LINKER_FLAGS="-fuse-ld=lld $flags"
check "and is built with it" cmake --build "$work/alone/build"

# Every header can be read by itself: none is missing that another includes.
(cd "$prefix/include/vantage" && find . -name '*.h' -printf '#include "%P"\n' | sort) >"$work/project/one_layer.cpp"
check "every header is there" test "$(wc -l <"$work/project/one_layer.cpp")" -gt 200
echo 'int main() {}' >>"$work/project/one_layer.cpp"
check "all headers are read" cmake --build "$work/project/build"

[[ $failures -eq 0 ]]
