#!/usr/bin/env bash
# The launcher with stand-ins for dpkg-query, cmake and ninja: what it asks for, when it builds, what it says.
#
#   launcher_test.sh SOURCE_FOLDER
set -uo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"
mkdir "$work/bin" "$work/a tree"
tree="$work/a tree"
mkdir -p "$tree/examples/tutorials" "$tree/docs/studies" "$tree/bench" "$tree/tests/fuzz"
touch "$tree/examples/tutorials/conv2d.cpp" "$tree/examples/tutorials/vector_add.cpp"
touch "$tree/docs/studies/bus.sh" "$tree/docs/studies/shapes.sh"
touch "$tree/tests/fuzz/fuzz_onnx.cpp" "$tree/tests/fuzz/fuzz_config.cpp"
cp "$1/vantage" "$1/packages.txt" "$1/CMakePresets.json" "$tree"
cp "$1/bench/run.sh" "$tree/bench"
export PATH="$work/bin:$PATH" HOME="$work"
unset VANTAGE_NO_INSTALL VANTAGE_JOBS
failures=0

stand_in() { # NAME: reads the script's body
  { echo '#!/usr/bin/env bash'; cat; } >"$work/bin/$1"
  chmod +x "$work/bin/$1"
}

check() { # DESCRIPTION CONDITION...
  local what=$1
  shift
  if "$@"; then return; fi
  echo "FAILED: $what: status $status, stderr: $(cat "$work/err"), stdout: $(cat "$work/out")"
  failures=$((failures + 1))
}

run() {
  "$tree/vantage" "$@" >"$work/out" 2>"$work/err"
  status=$?
}
# The same as someone whom permissions bind, which they do not root.
run_unprivileged() {
  "${unprivileged[@]}" "$tree/vantage" "$@" >"$work/out" 2>"$work/err"
  status=$?
}
unprivileged=()
if [[ $(id -u) -eq 0 ]]; then unprivileged=(setpriv --reuid=65534 --regid=65534 --clear-groups); fi
# shellcheck disable=SC2317  # called by check
says() { grep -qF "$1" "$work/err"; }

# Nothing is installed.
stand_in dpkg-query <<<'true'
export VANTAGE_NO_INSTALL=1
run run gemm
check "missing packages end with status 2" test "$status" = 2
check "missing packages are listed" says "these Debian packages are missing: ccache cmake g++"
check "the command that installs them is named" says "apt-get install --no-install-recommends ccache"
check "what this command does without is not asked for" test -z "$(grep -E 'llvm|grpc|verilator|catch2' "$work/err")"
run test
check "tests want everything" says "libbenchmark-dev catch2 iverilog"
check "nothing is built" test ! -e "$tree/build/release"
for command in test bench fuzz 'fuzz config' cross 'cross armhf' package tutorial study; do
  # shellcheck disable=SC2086  # words
  (cd "$tree" && ./vantage $command --help >"$work/out" 2>"$work/err")
  status=$?
  check "'$command --help' asks for nothing" test "$status" = 0
  check "'$command --help' has examples of how it is called" grep -q "^  ./vantage ${command%% *}" "$work/out"
  check "'$command --help' fits a terminal" test -z "$(grep -E '.{81}' "$work/out")"
done
run help cross
check "'help cross' is 'cross --help'" grep -q "^Usage: .* cross ARCH" "$work/out"

# What is mistyped is refused before anything is installed or built.
mistyped() { # ANSWER COMMAND...
  local answer=$1
  shift
  run "$@"
  check "'$*' ends with status 2" test "$status" = 2
  check "'$*' is answered" says "$answer"
  check "'$*' wants nothing" test -z "$(grep packages "$work/err")"
}
mistyped "there is no architecture 'arm'; did you mean 'armhf' or 'arm64'?" cross arm
mistyped "there is no architecture 'amrhf'; did you mean 'armhf'?" cross amrhf
mistyped "there is no architecture 'x86'; known: armhf arm64" cross x86
mistyped "there is no architecture ''; known: armhf arm64" cross
mistyped "there is no word behind 'cross armhf': 'biuld'; did you mean 'build'?" cross armhf biuld
mistyped "there is no kind of test 'unti'; did you mean 'unit'?" test -L unti
mistyped "test takes options of ctest, not 'unit'; -L KIND and -R NAME choose tests" test unit
mistyped "there is no benchmark 'compielr'; did you mean 'compiler'?" bench compielr
mistyped "there is no benchmark 'serach'; did you mean 'search'?" bench serach
mistyped "there is no tutorial 'vectoradd'; did you mean 'vector_add'?" tutorial vectoradd
run tutorial
check "tutorials are listed" grep -qx vector_add "$work/out"
mistyped "there is no study 'shape'; did you mean 'shapes'?" study shape
run study
check "studies are listed" grep -qx shapes "$work/out"
mistyped "there is no fuzz target 'onx'; did you mean 'onnx'?" fuzz onx
run fuzz
check "fuzz targets are listed" grep -qx onnx "$work/out"
run fuzz onnx
check "fuzz targets want their compiler" says "clang-19"
run study shapes
check "studies want what draws" says "python3-matplotlib"
for command in board 'board emulat' 'board emulate' compare serve 'run gemm --target rpc://b:1' 'rtl export' synth; do
  # shellcheck disable=SC2086  # words
  run $command --help
  check "'$command --help' wants the tool" says "these Debian packages are missing: ccache cmake g++"
  check "'$command --help' wants nothing else" test -z "$(grep -E 'llvm|grpc|verilator|qemu|yosys' "$work/err")"
done
run board -h
check "'board -h' wants nothing else" test -z "$(grep -E 'verilator|qemu' "$work/err")"
run board emulat
check "a mistyped command wants nothing else" test -z "$(grep -E 'verilator|qemu' "$work/err")"
run board emulate
check "the emulated board wants the tool for boards" says "crossbuild-essential-armhf"
unset VANTAGE_NO_INSTALL

# No Debian: all that the launcher calls until it looks for packages, but no dpkg-query.
mkdir "$work/elsewhere"
for program in bash dirname id mkdir nproc readlink; do ln -s "$(command -v "$program")" "$work/elsewhere"; done
by_hand() { (cd "$work" && bash -c "$(sed -n 's/.*, then: //p' "$work/err")"); }
PATH=$work/elsewhere run serve
check "without dpkg one is told what to install" says "install what the sections [tool] of "
by_hand
check "and what to type then" test -f "$tree/build/packages/tool"
PATH=$work/elsewhere run fuzz onnx
check "several sections are all named" says "the sections [remote] [processor] [rtl] [bench] [test] of "
by_hand
check "and all remembered" test -f "$tree/build/packages/remote" -a -f "$tree/build/packages/test"
rm -rf "$tree/build"

# Everything is installed, one package on hold; the build makes a program that prints its arguments.
stand_in dpkg-query <<EOF
sed 's/#.*//; s/^[[].*//; s/^/ii  /; s/^ii  ccache/hi  ccache/' '$tree/packages.txt'
EOF
stand_in cmake <<EOF
echo configured >>'$work/log'
echo "\$*" >>'$work/options'
mkdir -p '$tree/build/release/cli'
echo >'$tree/build/release/build.ninja'
echo 'CMAKE_HOME_DIRECTORY:INTERNAL=$tree' >'$tree/build/release/CMakeCache.txt'
EOF
cp "$work/bin/cmake" "$work/cmake"
stand_in ninja <<EOF
for word; do [[ \$word == -n ]] && { [[ -x '$tree/build/release/cli/vantage' ]] && echo 'ninja: no work to do.'; exit 0; }; done
echo built >>'$work/log'
printf '#!/bin/sh\necho "ran \$*"\necho "\$VANTAGE_CALLED_AS" >"%s"\necho "\$VANTAGE_LAUNCHER" >"%s"\n' \
  '$work/called_as' '$work/launchers' >'$tree/build/release/cli/vantage'
chmod +x '$tree/build/release/cli/vantage'
EOF
run run gemm --m 3
check "the first call succeeds" test "$status" = 0
check "the program gets the arguments" grep -qx "ran run gemm --m 3" "$work/out"
check "the first call configures and builds" test "$(cat "$work/log")" = $'configured\nbuilt'
check "it leaves out what takes long and is not needed" grep -q -- "-DVANTAGE_REMOTE=OFF -DVANTAGE_PROCESSOR=OFF" "$work/options"

# The program knows how it was called, and what the launcher knows besides.
(cd "$tree" && ./vantage targets) >"$work/out" 2>"$work/err"
check "the program is told how it was called" grep -qxF ./vantage "$work/called_as"
(cd / && PATH=$tree:$PATH vantage targets) >"$work/out" 2>"$work/err"
check "also when it was found by its name alone" grep -qxF vantage "$work/called_as"
check "the program is told the launcher's commands" grep -q "^cross	.*	armhf arm64$" "$work/launchers"

# Nothing changed: nothing is asked.
cp "$work/bin/ninja" "$work/ninja"
stand_in ninja <<<"echo asked >>'$work/asked'; echo 'ninja: no work to do.'"
mkdir "$tree/base"
touch -d '1 minute ago' "$tree/base/file.cpp" "$tree/base"
run targets
check "the second call only runs" test "$(cat "$work/log")" = $'configured\nbuilt'
check "the second call says nothing of its own" test ! -s "$work/err"
check "the second call asks no build tool" test ! -e "$work/asked"

# Place and route wants a program that Debian lacks, and nothing else does.
VANTAGE_NO_INSTALL=1 run synth --route
check "without nextpnr a command that wants it ends with status 2" test "$status" = 2
check "and says how to install it" says "install --require-hashes -r"
VANTAGE_NO_INSTALL=1 run synth
check "a command that does not want it runs" test "$status" = 0
stand_in nextpnr-ecp5 <<<'true'
VANTAGE_NO_INSTALL=1 run synth --route
check "one that is there is taken" test "$status" = 0
rm "$work/bin/nextpnr-ecp5"

touch -d '1 minute' "$tree/base/file.cpp"
run targets
check "a changed source is looked at" test -s "$work/asked"
touch -d '1 minute ago' "$tree/base/file.cpp"

# What a command needs besides is added once, and kept.
: >"$work/options"
run serve
check "gRPC is added by the first command that needs it" grep -q -- "-DVANTAGE_REMOTE=ON -DVANTAGE_PROCESSOR=OFF" "$work/options"
: >"$work/options"
run compare
check "what was added stays" grep -q -- "-DVANTAGE_REMOTE=ON -DVANTAGE_PROCESSOR=ON" "$work/options"
: >"$work/options"
rm "$work/asked"
run targets
check "then nothing is configured anew" test ! -s "$work/options"

# A checkout that was built and cannot be written to, seen by someone who is not root.
# The system has had packages since, and nobody has looked for those of some sections.
if "${unprivileged[@]}" true 2>/dev/null; then
  rm -r "$tree/build/packages"
  find "$tree" -exec touch -d 2001-01-01 {} +
  touch -d 2001-01-02 "$tree/build/release/.built"
  chmod -R a-w "$tree"
  for command in targets compare 'rtl list'; do
    # shellcheck disable=SC2086  # words
    run_unprivileged $command
    check "a tree that cannot be written to runs $command" grep -qx "ran $command" "$work/out"
  done
  check "without a build" test ! -e "$work/asked"
  chmod -R u+w "$tree"
else
  echo "SKIPPED: a tree that cannot be written to, as ${unprivileged[*]} does not work here" >&2
fi
mv "$work/ninja" "$work/bin/ninja"
ln -s "$tree/vantage" "$work/link"
(cd / && "$work/link" targets) >"$work/out" 2>"$work/err"
check "a symbolic link from another folder works" grep -qx "ran targets" "$work/out"

# A copied tree must not build the original.
printf 'remote processor\n/elsewhere\n' >"$tree/build/release/.built"
echo "CMAKE_HOME_DIRECTORY:INTERNAL=/elsewhere" >"$tree/build/release/CMakeCache.txt"
run targets
check "a moved tree is configured anew" test "$(tail -n 1 "$work/log")" = configured

# Configuring that was interrupted: what it removes first is missing, or what it makes last.
touch -d '1 minute' "$tree/base/file.cpp"
printf '%s\n' 'remote processor' "$tree" >"$tree/build/release/.built"
rm -f "$tree/build/release/CMakeCache.txt"
: >"$work/log"
run targets
check "without CMake's cache it is configured" grep -qx configured "$work/log"
stand_in cmake <<<'exit 1'
touch -d '2 minutes' "$tree/CMakePresets.json"
run targets
check "configuring that fails is said" says "configuring release failed"
cp "$work/cmake" "$work/bin/cmake"
touch -d '1 minute ago' "$tree/CMakePresets.json"
: >"$work/log"
run targets
check "configuring that failed is done again" grep -qx configured "$work/log"
touch -d '1 minute ago' "$tree/base/file.cpp"

# Two at once: a build that takes its time, in which another command begins that needs another part.
cp "$work/bin/ninja" "$work/ninja"
stand_in ninja <<EOF
for word; do [[ \$word == -n ]] && exit 0; done
touch '$work/building'
sleep 1
exec '$work/ninja' "\$@"
EOF
two_at_once() { # COMMAND COMMAND
  rm -f "$work/building"
  : >"$work/log"
  "$tree/vantage" "$1" >"$work/first" 2>&1 &
  for ((i = 0; i < 200; ++i)); do [[ ! -e $work/building ]] || break; sleep 0.05; done
  run "$2"
  wait $!
}
rm -r "$tree/build/release"
two_at_once serve compare
check "of two launchers at once the first runs" grep -qx "ran serve" "$work/first"
check "of two launchers at once the second runs" grep -qx "ran compare" "$work/out"
check "of two launchers at once the second waits" says "waiting for another"
check "what was built for the first is kept" grep -q "remote processor" "$tree/build/release/.built"
check "by the build for the second" \
  test "$(tail -n 1 "$work/options" | grep -c -- '-DVANTAGE_REMOTE=ON -DVANTAGE_PROCESSOR=ON')" = 1
rm -r "$tree/build/release"
two_at_once targets replay
check "what another launcher has just built is not built again" test "$(cat "$work/log")" = $'configured\nbuilt'
check "but run" grep -qx "ran replay" "$work/out"
mv "$work/ninja" "$work/bin/ninja"

# The tool for boards, made twice at once.
mkdir -p "$tree/cmake/cross"
printf '#!/bin/sh\necho unpacking >>"%s"\nsleep 0.5\n' "$work/log" >"$tree/cmake/cross/sysroot.sh"
printf '#!/bin/sh\necho packed >>"%s"\n' "$work/log" >"$tree/cmake/cross/package.sh"
chmod +x "$tree/cmake/cross/"*.sh
cp "$work/bin/dpkg-query" "$work/dpkg-query"
stand_in dpkg-query <<EOF
'$work/dpkg-query' "\$@"
echo 'ii  crossbuild-essential-armhf'
echo 'ii  qemu-user'
EOF
: >"$work/log"
"$tree/vantage" cross armhf build >"$work/first" 2>&1 &
sleep 0.2
run cross armhf build
wait $! || status=$?
check "two that make the tool for boards take turns" \
  test "$(grep -E 'unpacking|packed' "$work/log")" = $'unpacking\npacked\nunpacking\npacked'
check "both succeed" test "$status" = 0
run board emulate
check "the emulated board has the tool for boards" test "$(grep -c packed "$work/log")" = 3
check "and runs" grep -qx "ran board emulate" "$work/out"
: >"$work/log"
run board emulate --help
check "its help makes none" test ! -s "$work/log"

# A build that fails.
rm "$tree/build/release/cli/vantage"
# shellcheck disable=SC2016  # for the stand-in to expand
stand_in ninja <<<'for word; do [[ $word == -n ]] && exit 0; done; echo "the compiler says no"; exit 1'
run targets
check "a failed build ends with status 2" test "$status" = 2
check "a failed build shows why" says "the compiler says no"
check "a failed build names the log" says "build.log"
VANTAGE_JOBS=many run targets
check "a wrong number of jobs is refused" says "VANTAGE_JOBS is 'many', expected a number from 1"

[[ $failures == 0 ]] && echo "all launcher checks passed"
exit "$((failures > 0))"
