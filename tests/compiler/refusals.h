// A list of what is refused and in which words, for a golden text.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/error.h"
#include "tests/catch.h"

namespace vantage::test {

class Refusals {
 public:
  // Does what must be refused; notes the message, which is one line.
  void add(const std::string& what, const std::function<void()>& act) {
    std::string message = "(is not refused)";
    try {
      act();
    } catch (const Error& error) {
      message = error.what();
    }
    INFO(what);
    CHECK(message != "(is not refused)");
    CHECK(message.find('\n') == std::string::npos);
    text_ += what + "\n    " + message + "\n";
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

}  // namespace vantage::test
