#!/usr/bin/env bash
# The launcher with stand-ins for dpkg-query, cmake and ninja: what it asks for, when it builds, what it says.
#
#   launcher_test.sh SOURCE_FOLDER
set -uo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin" "$work/a tree"
tree="$work/a tree"
cp "$1/vantage" "$1/packages.txt" "$1/CMakePresets.json" "$tree"
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
check "tests want everything" says "libbenchmark-dev catch2 cvc5 iverilog"
check "nothing is built" test ! -e "$tree/build/release"
unset VANTAGE_NO_INSTALL

# Everything is installed, one package on hold; the build makes a program that prints its arguments.
stand_in dpkg-query <<EOF
sed 's/#.*//; s/^[[].*//; s/^/ii  /; s/^ii  ccache/hi  ccache/' '$tree/packages.txt'
EOF
stand_in cmake <<EOF
echo configured >>'$work/log'
echo "\$*" >>'$work/options'
mkdir -p '$tree/build/release/cli'
echo >'$tree/build/release/build.ninja'
EOF
stand_in ninja <<EOF
for word; do [[ \$word == -n ]] && { [[ -x '$tree/build/release/cli/vantage' ]] && echo 'ninja: no work to do.'; exit 0; }; done
echo built >>'$work/log'
printf '#!/bin/sh\necho "ran \$*"\n' >'$tree/build/release/cli/vantage'
chmod +x '$tree/build/release/cli/vantage'
EOF
run run gemm --m 3
check "the first call succeeds" test "$status" = 0
check "the program gets the arguments" grep -qx "ran run gemm --m 3" "$work/out"
check "the first call configures and builds" test "$(cat "$work/log")" = $'configured\nbuilt'
check "it leaves out what takes long and is not needed" grep -q -- "-DVANTAGE_REMOTE=OFF -DVANTAGE_PROCESSOR=OFF" "$work/options"

# Nothing changed: nothing is asked.
cp "$work/bin/ninja" "$work/ninja"
stand_in ninja <<<"echo asked >>'$work/asked'; echo 'ninja: no work to do.'"
mkdir "$tree/base"
touch -d '1 minute ago' "$tree/base/file.cpp" "$tree/base"
run targets
check "the second call only runs" test "$(cat "$work/log")" = $'configured\nbuilt'
check "the second call says nothing of its own" test ! -s "$work/err"
check "the second call asks no build tool" test ! -e "$work/asked"
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
chmod -R a-w "$tree"
run targets
check "a tree that cannot be written to runs" grep -qx "ran targets" "$work/out"
check "without a build" test ! -e "$work/asked"
chmod -R u+w "$tree"
mv "$work/ninja" "$work/bin/ninja"
ln -s "$tree/vantage" "$work/link"
(cd / && "$work/link" targets) >"$work/out" 2>"$work/err"
check "a symbolic link from another folder works" grep -qx "ran targets" "$work/out"

# A copied tree must not build the original.
printf 'remote processor\n/elsewhere\n' >"$tree/build/release/.built"
echo "CMAKE_HOME_DIRECTORY:INTERNAL=/elsewhere" >"$tree/build/release/CMakeCache.txt"
run targets
check "a moved tree is configured anew" test "$(tail -n 1 "$work/log")" = configured

# A build that fails.
rm "$tree/build/release/cli/vantage"
stand_in ninja <<<'for word; do [[ $word == -n ]] && exit 0; done; echo "the compiler says no"; exit 1'
run targets
check "a failed build ends with status 2" test "$status" = 2
check "a failed build shows why" says "the compiler says no"
check "a failed build names the log" says "build.log"
VANTAGE_JOBS=many run targets
check "a wrong number of jobs is refused" says "VANTAGE_JOBS is 'many', expected a number from 1"

[[ $failures == 0 ]] && echo "all launcher checks passed"
exit "$((failures > 0))"
