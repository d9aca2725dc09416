// What the commands print as their results.
#pragma once

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>
#include <utility>

#include "base/error.h"

namespace vantage::cli {

[[noreturn]] inline void refuse_output() {
  fail("the output cannot be written: {}; send it to a place with room", std::strerror(errno));
}

// As fmt::print on stdout. Throws Error when it takes no more, as a full disk or a reader that went away.
template <typename... T>
void print_out(fmt::format_string<T...> format, T&&... arguments) {
  const std::string text = fmt::format(format, std::forward<T>(arguments)...);
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) refuse_output();
}

// What is still on its way goes out: until then nobody knows whether it can. Throws Error.
inline void flush_out() {
  if (std::fflush(stdout) != 0) refuse_output();
}

}  // namespace vantage::cli
