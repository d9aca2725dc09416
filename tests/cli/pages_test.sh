#!/usr/bin/env bash
# What others read of the commands: bash and zsh complete command lines by the scripts of `vantage completion`, groff
# and mandoc read the pages of `vantage man` without a warning, and the examples of help, typed one after another into an
# empty folder, work.
#
#   pages_test.sh VANTAGE_BINARY
set -uo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin" "$work/here"
ln -s "$1" "$work/bin/vantage"
export PATH="$work/bin:$PATH" VANTAGE_CACHE_DIR=$work/cache
unset VANTAGE_CALLED_AS VANTAGE_LAUNCHER
cd "$work/here" || exit 1
failures=0
checks=0

fail() {
  echo "FAILED: $*"
  failures=$((failures + 1))
}

# completes SHELL EXPECTED WORD...: the last word becomes each of the expected ones, and perhaps others.
completes() {
  local shell=$1 expected=$2 got word
  shift 2
  checks=$((checks + 1))
  got=$("complete_$shell" "$@")
  for word in $expected; do
    grep -qxF -e "$word" <<<"$got" || fail "$shell: '$*' does not become $word but: ${got//$'\n'/ }"
  done
}
# shellcheck disable=SC2317  # called by their names
complete_bash() {
  bash -c 'source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _vantage; printf "%s\n" "${COMPREPLY[@]}"' \
    "$work/bash" "$@" 2>&1
}
# The parts of zsh that complete want a terminal; what they would be given is printed instead.
# shellcheck disable=SC2317
complete_zsh() {
  zsh -f -c 'compdef() { }; compadd() { shift 2; print -l -- $known; }; _files() { print -l -- *(N); }
    _describe() { print -l -- "${(@)entries%%:*}"; }; compset() { }
    source "$0"; words=("$@"); CURRENT=$#; _vantage' "$work/zsh" "$@" 2>&1
}

vantage completion bash >"$work/bash" || fail "completion bash"
vantage completion zsh >"$work/zsh" || fail "completion zsh"
bash -n "$work/bash" || fail "bash does not read its script"
touch a.vta
for shell in bash zsh; do
  if ! command -v $shell >/dev/null; then
    echo "SKIPPED: there is no $shell here" >&2
    continue
  fi
  completes $shell 'run rtl replay' vantage r
  completes $shell 'gemm conv program' vantage run ''
  completes $shell '--config --virtual-threads' vantage run gemm --
  completes $shell 'pynq default 8x8' vantage run gemm --m 3 --config ''
  completes $shell 'm64 ddr3' vantage run gemm --memory ''
  completes $shell 'C2 C11' vantage run conv --layer C
  completes $shell 'pynq-z1' vantage synth --board ''
  completes $shell 'add mul min max' vantage run elementwise --op ''
  completes $shell 'bash zsh' vantage completion ''
  completes $shell 'a.vta' vantage disasm ''
  completes $shell 'pynq a.vta' vantage config show ''
done
[[ $(complete_bash vantage run gemm --target sys) == systemc: ]] || fail "bash: --target sys"
[[ $(complete_bash vantage run gemm --memory = m) == *m64* ]] || fail "bash: --memory=m"

vantage man man1 >/dev/null || fail "man"
[[ -s man1/vantage.1 && -s man1/vantage-run-gemm.1 ]] || fail "there are no pages of man"
if command -v groff >/dev/null; then
  warnings=$(groff -man -ww -z man1/*.1 2>&1)
  [[ -z $warnings ]] || fail "groff: $warnings"
  checks=$((checks + 1))
else
  echo "SKIPPED: there is no groff here" >&2
fi
if command -v mandoc >/dev/null; then
  warnings=$(mandoc -T lint -W warning man1/*.1 2>&1 | grep -v 'missing date')
  [[ -z $warnings ]] || fail "mandoc: $warnings"
fi

# Of all commands whose examples take no minutes and no board.
rm -rf man1 a.vta
for command in 'run program' asm disasm verify replay config 'rtl registers' man; do
  mkdir "$work/$command" && cd "$work/$command" || exit 1
  # shellcheck disable=SC2086  # words
  while IFS= read -r line; do
    checks=$((checks + 1))
    [[ $line != man\ * ]] || command -v man >/dev/null || continue
    MANPAGER='cat' bash -c "$line" >out 2>err
    status=$?
    [[ $status == 0 || ($line == *"config diff"* && $status == 1) ]] || fail "example of $command: $line: $(cat err)"
  done < <(vantage $command --help | sed -n '/^Examples:/,$ s/^  \([^#].*\)$/\1/p')
done

[[ $checks -ge 30 ]] || fail "only $checks things were looked at"
[[ $failures == 0 ]] && echo "all $checks completions, pages and examples are right"
exit "$((failures > 0))"
