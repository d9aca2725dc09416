#!/usr/bin/env bash
# Checks what the documents refer to: every relative link and anchor of README.md, CONTRIBUTING.md and docs/**/*.md
# leads somewhere, and every path of the tree and every command of the launcher that stands in backticks exists. What
# stands in blocks of code is left alone. Lines have at most 120 characters, and rows of tables 140, but for those of
# docs/hardware.md, which the hardware's own tables print. Every study has its script, its picture and its page. Needs
# nothing but a base system.
#
#   docs_test.sh SOURCE_FOLDER
set -uo pipefail
shopt -s nullglob globstar
export LC_ALL=C  # an anchor of a heading drops what is not ASCII, byte by byte

cd "$1" || exit 1
failures=0
links=0
paths=0

fail() {
  echo "FAILED: $*"
  failures=$((failures + 1))
}

# The text of a page without its blocks of code between fences.
prose() {
  awk '/^ *```/ { inside = !inside; next } !inside' "$1"
}

# Lines of a page that are too long, with their numbers: but for blocks of code, between fences or behind four spaces.
# Bytes that go on with a character are not counted.
long_lines() {
  local rows=140
  [[ $1 != docs/hardware.md ]] || rows=200
  sed 's/[\x80-\xBF]//g' "$1" | awk -v rows=$rows '
    /^ *```/ { fenced = !fenced; next }
    fenced { next }
    /^    / && (empty || code) { code = 1; next }
    { empty = $0 == ""; if (!empty) code = 0 }
    length($0) > (/^ *\|/ ? rows : 120) { print NR }'
}

# The anchors of a page's headings, as GitHub makes them: lower case, no punctuation, hyphens for spaces. A heading that
# comes again gets a number.
anchors() {
  prose "$1" | sed -n 's/^##* \(.*\)$/\1/p' | tr '[:upper:]' '[:lower:]' |
    sed -e 's/\[\([^]]*\)\]([^)]*)/\1/g' -e 's/[^a-z0-9 _-]//g' -e 's/ /-/g' |
    awk '{ print seen[$0]++ ? $0 "-" seen[$0] - 1 : $0 }'
}

# A folder or file, or a pattern that some match.
exists() {
  local -a found
  # shellcheck disable=SC2206  # the pattern is to be expanded
  found=($1)
  [[ ${#found[@]} -gt 0 && -e ${found[0]} ]]
}

# Paths that the documents may name though a checkout lacks them: what builds make, and the folders that
# docs/architecture.md reserves.
reserved=$(sed -n '/^## Reserved folders/,/^## /p' docs/architecture.md | grep -o '`[a-z][a-z_/]*`' | tr -d '`')
[[ -n $reserved ]] || fail "docs/architecture.md has no section \"Reserved folders\" that names one"
may_lack() {
  [[ $1 == build || $1 == build/* ]] || grep -qxF -e "$1" -e "$1/" <<<"$reserved"
}

check_link() {
  local page=$1 target=$2 file anchor
  [[ $target != *://* && $target != mailto:* ]] || return 0
  links=$((links + 1))
  file=${target%%#*}
  if [[ -z $file ]]; then
    file=$page
  else
    file=$(dirname "$page")/$file
  fi
  if [[ ! -e $file ]]; then
    fail "$page: the link $target leads nowhere"
  elif [[ $target == *#* ]]; then
    anchor=${target#*#}
    anchors "$file" | grep -qxF -- "$anchor" || fail "$page: the link $target names no heading of that page"
  fi
}

# What begins with a folder of the root and has a slash is a path of the tree.
check_path() {
  local page=$1 text=$2 folder
  text=${text%% *}  # of a command, the program
  text=${text#./}
  text=${text%/}
  text=${text//NAME/*}  # what a page lets its reader fill in
  [[ $text == */* ]] || return 0
  folder=${text%%/*}
  [[ -n $folder && (-d $folder || $folder == build) ]] || may_lack "$text" || return 0
  paths=$((paths + 1))
  exists "$text" || may_lack "$text" || fail "$page: there is no $text"
}

# What the launcher's own commands are told to make or run has a source.
check_command() {
  local page=$1 launcher command name
  read -r launcher command name _ <<<"$2"
  [[ $launcher == ./vantage && ${name:-} =~ ^[a-z][a-z0-9_]*$ ]] || return 0
  case $command in
    fuzz) exists "tests/fuzz/fuzz_$name.cpp" ;;
    bench) grep -q "^names=(.*\b$name\b" bench/run.sh ;;
    tutorial) exists "examples/tutorials/$name.cpp" ;;
    study) exists "docs/studies/$name.sh" ;;
  esac || fail "$page: nothing belongs to \`$2\`"
}

for page in README.md CHANGELOG.md CONTRIBUTING.md docs/**/*.md; do
  for number in $(long_lines "$page"); do
    fail "$page:$number: the line is too long: 120 characters at most, 140 in a table"
  done
done
for page in README.md CONTRIBUTING.md docs/**/*.md; do
  # Spans of code first, so that C++ in backticks is no link. A span may go on in the next line.
  while IFS= read -r span; do
    check_path "$page" "$span"
    check_command "$page" "$span"
  done < <(prose "$page" | tr '\n' ' ' | grep -o '`[^`]*`' | tr -d '`')
  while IFS= read -r target; do
    check_link "$page" "$target"
  done < <(prose "$page" | tr '\n' ' ' | sed 's/`[^`]*`//g' | grep -o '\]([^)]*)' | sed 's/^](\(.*\))$/\1/')
done

# A study is a script, what draws its picture, and a page that shows both.
for script in docs/studies/*.sh; do
  name=$(basename "$script" .sh)
  bash -n "$script" || fail "$script: is no script"
  [[ -x $script && -x docs/studies/$name.py ]] || fail "$script and $name.py are not both there to be run"
  grep -qF "\$ ./vantage study $name" "docs/studies/$name.md" || fail "docs/studies/$name.md does not say how to run it"
  grep -qF "]($name.svg)" "docs/studies/$name.md" || fail "docs/studies/$name.md does not show $name.svg"
done

# A list that stays empty would find nothing wrong.
[[ $links -ge 100 ]] || fail "only $links links were found in the documents"
[[ $paths -ge 100 ]] || fail "only $paths paths were found in the documents"
[[ $failures == 0 ]] && echo "all $links links and $paths paths of the documents lead somewhere"
exit "$((failures > 0))"
