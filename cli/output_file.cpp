#include "cli/output_file.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace vantage::cli {

namespace fs = std::filesystem;

namespace {

// What is said to be written. A database is gone on with.
constexpr std::array<std::string_view, 9> kWritten = {"output", "out",          "html",        "trace",    "vcd",
                                                      "record", "save-mapping", "certificate", "audit-log"};

// The file that a value names, which may stand behind a tensor's name.
std::string file_in(const std::string& value) {
  std::error_code none;
  const size_t equals = value.find('=');
  return equals == std::string::npos || fs::exists(value, none) ? value : value.substr(equals + 1);
}

bool is_same_path(const fs::path& a, const fs::path& b) {
  std::error_code none;
  if (fs::equivalent(a, b, none)) return true;
  const fs::path canonical = fs::weakly_canonical(a, none);
  return !canonical.empty() && canonical == fs::weakly_canonical(b, none);
}

}  // namespace

void require_inputs_stay(const CLI::App& command) {
  std::vector<std::pair<std::string, std::string>> written;
  std::vector<std::string> read;
  for (const CLI::Option* option : command.get_options()) {
    const std::string kind = option->get_type_name();
    if (kind.find("FILE") == std::string::npos && kind.find("DIR") == std::string::npos && !option->get_positional()) {
      continue;
    }
    const std::string& name = option->get_single_name();
    const bool is_written = std::find(kWritten.begin(), kWritten.end(), name) != kWritten.end();
    for (const std::string& value : option->results()) {
      if (value.empty()) continue;
      if (is_written) {
        written.emplace_back("--" + name, file_in(value));
      } else if (std::error_code none; fs::exists(file_in(value), none)) {
        read.push_back(file_in(value));
      }
    }
  }
  for (const auto& [option, output] : written) {
    for (const std::string& input : read) require_other_file(option, output, input);
  }
}

void require_other_file(const std::string& option, const fs::path& output, const fs::path& input) {
  std::error_code none;
  const bool is_input = is_same_path(output, input);
  const bool is_inside = fs::is_directory(input, none) && fs::exists(output, none) &&
                         fs::equivalent(fs::absolute(output, none).parent_path(), input, none);
  if (!is_input && !is_inside) return;
  fail("{} {} would replace {} {}, which is read; name another file", option, output.string(),
       is_input ? "the input" : "a file of", input.string());
}

void require_file_name(const std::string& option, const std::string& output) {
  if (output == "-") fail("{} - names no file; name one, such as {} page.html", option, option);
}

}  // namespace vantage::cli
