// What the commands print: results on stdout, everything else on stderr.
#pragma once

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <sstream>
#include <string>
#include <utility>

#include "base/error.h"
#include "base/one_line.h"

namespace vantage::cli {

[[noreturn]] inline void refuse_output() {
  const bool is_full = errno == ENOSPC || errno == EDQUOT;
  fail("the output cannot be written: {}{}", std::strerror(errno), is_full ? "; send it to a place with room" : "");
}

// As fmt::print on stdout. Throws Error when it takes no more, as a full disk or a reader that went away.
template <typename... T>
void print_out(fmt::format_string<T...> format, T&&... arguments) {
  const std::string text = fmt::format(format, std::forward<T>(arguments)...);
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) refuse_output();
}

// As fmt::print on stderr. Nothing more can be said when this is not heard: the exit status stands.
template <typename... T>
void print_error(fmt::format_string<T...> format, T&&... arguments) {
  const std::string text = fmt::format(format, std::forward<T>(arguments)...);
  std::fwrite(text.data(), 1, text.size(), stderr);
}

// "error: ..." in a line on stderr, and below it what another program said, if one did.
inline void print_failure(const Error& error) {
  print_error("error: {}\n", one_line(error.what()));
  const auto* of_tool = dynamic_cast<const ToolError*>(&error);
  std::istringstream output(of_tool == nullptr ? "" : of_tool->output());
  for (std::string line; std::getline(output, line);) print_error("  | {}\n", one_line(line));
}

// What is still on its way goes out: until then nobody knows whether it can. Throws Error.
inline void flush_out() {
  if (std::fflush(stdout) != 0) refuse_output();
}

}  // namespace vantage::cli
