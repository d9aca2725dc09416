#include "cli/completion.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>

#include "base/shell_word.h"

namespace vantage::cli {

namespace {

std::string first_sentence(const std::string& text) {
  return text.substr(0, text.find_first_of(":;("));
}

// One arm of a case: prints a word and what it is, one such pair a line.
std::string arm(const std::string& pattern, const std::vector<std::pair<std::string, std::string>>& words) {
  std::string text = fmt::format("    {}) printf '%s\\n'", pattern);
  for (const auto& [word, meaning] : words) {
    text += " " + shell_word(meaning.empty() ? word : fmt::format("{}\t{}", word, meaning));
  }
  return text + " ;;\n";
}

// What may stand for a value: names that are known, and whether files or folders may as well.
std::string value_words(const OptionEntry& option) {
  std::string text = fmt::format("{}", fmt::join(option.values, " "));
  if (option.takes_file()) {
    text += " FILE";
  } else if (option.takes_folder()) {
    text += " DIR";
  }
  return text;
}

// Three functions that both shells understand, with all that there is to say: the commands and the options of a command
// by its words, and the values of an option or argument by the command's words and the option's name.
std::string tables(const CommandEntry& top) {
  std::string commands, options;
  std::map<std::string, std::vector<std::string>> values;  // patterns by what they offer
  for_each_command(top, [&](const CommandEntry& command) {
    const std::string path = command.name("");
    std::vector<std::pair<std::string, std::string>> below, here;
    for (const CommandEntry& one : command.commands) below.emplace_back(one.words.back(), first_sentence(one.text));
    if (!below.empty()) commands += arm(shell_word(path), below);
    for (const OptionEntry& option : command.options) {
      for (const std::string& name : option.names) {
        here.emplace_back(name, first_sentence(option.text));
        if (!option.value.empty()) values[value_words(option)].push_back(shell_word(fmt::format("{} {}", path, name)));
      }
    }
    options += arm(shell_word(path), here);
    for (const OptionEntry& argument : command.arguments) {
      values[value_words(argument)].push_back(shell_word(fmt::format("{} ", path)));
    }
  });
  std::string text = "_vantage_commands() {\n  case $1 in\n" + commands + "  esac\n}\n";
  text += "_vantage_options() {\n  case $1 in\n" + options + "  esac\n}\n";
  text += "# Fails for what takes no value. FILE and DIR stand for the user's own.\n";
  text += "_vantage_values() {\n  case $1 in\n";
  for (const auto& [words, patterns] : values) {
    text += fmt::format("    {}) echo {} ;;\n", fmt::join(patterns, "|"), shell_word(words));
  }
  return text + "    *) return 1 ;;\n  esac\n}\n";
}

constexpr const char* kBash = R"sh(
_vantage() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} path='' word values index
  # The shell cuts --option=value into three words.
  if [[ $current == = ]]; then
    current=
  elif [[ $previous == = && $COMP_CWORD -gt 2 ]]; then
    previous=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  for ((index = 1; index < COMP_CWORD; ++index)); do
    word=${COMP_WORDS[index]}
    _vantage_commands "$path" | cut -f 1 | grep -qxF -e "$word" || break
    path+=" $word"
  done
  COMPREPLY=()
  if [[ $previous == -* ]] && values=$(_vantage_values "$path $previous"); then
    :
  elif [[ $current == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$(_vantage_options "$path" | cut -f 1)" -- "$current")
    return
  elif ! values=$(_vantage_values "$path "); then
    mapfile -t COMPREPLY < <(compgen -W "$(_vantage_commands "$path" | cut -f 1)" -- "$current")
    return
  fi
  case " $values " in
    *' FILE '*) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
    *' DIR '*) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -d -- "$current") ;;
  esac
  values=" $values "
  values=${values// FILE / }
  values=${values// DIR / }
  mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -W "$values" -- "$current")
  [[ ${#COMPREPLY[@]} != 1 || ${COMPREPLY[0]} != *: ]] || compopt -o nospace 2>/dev/null
}
complete -F _vantage vantage
)sh";

constexpr const char* kZsh = R"sh(
_vantage_describe() { # TAG, and lines of a word and what it is
  local -a entries
  local line
  while IFS= read -r line; do
    [[ -n $line ]] && entries+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}")
  done
  _describe "$1" entries
}
_vantage() {
  local current=${words[CURRENT]} previous=${words[CURRENT - 1]} path_so_far='' index values
  for ((index = 2; index < CURRENT; ++index)); do
    _vantage_commands "$path_so_far" | cut -f 1 | grep -qxF -e "${words[index]}" || break
    path_so_far+=" ${words[index]}"
  done
  if [[ $current == --*=* ]]; then
    previous=${current%%=*}
    compset -P '*='
  fi
  if [[ $previous == -* ]] && values=$(_vantage_values "$path_so_far $previous"); then
    :
  elif [[ $current == -* ]]; then
    _vantage_options "$path_so_far" | _vantage_describe option
    return
  elif ! values=$(_vantage_values "$path_so_far "); then
    _vantage_commands "$path_so_far" | _vantage_describe command
    return
  fi
  local -a known
  known=(${(s: :)values})
  [[ -n ${known[(r)FILE]} ]] && _files
  [[ -n ${known[(r)DIR]} ]] && _files -/
  known=(${known:#(FILE|DIR)})
  compadd -a known
}
if [[ ${zsh_eval_context[-1]} == loadautofunc ]]; then
  _vantage "$@"  # read from $fpath, when it is first needed
else
  compdef _vantage vantage
fi
)sh";

std::string head(const char* shell) {
  return fmt::format("# Completion of vantage for {0}; written by `vantage completion {0}`.\n", shell);
}

}  // namespace

std::string bash_completion(const CommandEntry& top) {
  return head("bash") + tables(top) + kBash;
}

std::string zsh_completion(const CommandEntry& top) {
  return "#compdef vantage\n" + head("zsh") + tables(top) + kZsh;
}

}  // namespace vantage::cli
