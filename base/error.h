// The two kinds of failure. `Error` is the user's: its text says what was wrong, where, and what would be
// right, and a command-line tool that catches it exits with status 2. `InternalError` is ours: an invariant of
// this code base did not hold. Libraries throw; nothing below cli/ prints or exits, except that base/signals.h ends
// the process on a signal.
#pragma once

#include <fmt/core.h>

#include <stdexcept>
#include <string>
#include <utility>

namespace vantage {

class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The same, with what another program said about it: lines of text, shown below the message.
class ToolError : public Error {
 public:
  ToolError(const std::string& message, std::string output) : Error(message), output_(std::move(output)) {}
  const std::string& output() const { return output_; }

 private:
  std::string output_;
};

class InternalError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

[[noreturn]] void fail_with(fmt::string_view format, fmt::format_args arguments);

// Throws Error with a formatted message: one sentence that names the file, key or value, and the remedy.
template <typename... Args>
[[noreturn]] void fail(fmt::format_string<Args...> format, Args&&... args) {
  fail_with(format, fmt::make_format_args(args...));
}

[[noreturn]] void internal_check_failed(const char* condition, const char* file, int line);

}  // namespace vantage

// Checks an invariant of our own code (never the user's input), in every build type.
#define VANTAGE_CHECK(condition) \
  ((condition) ? void(0) : ::vantage::internal_check_failed(#condition, __FILE__, __LINE__))
