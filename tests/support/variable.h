// A variable of the environment, set while it lives.
#pragma once

#include <cstdlib>
#include <string>
#include <utility>

namespace vantage::test {

class Variable {
 public:
  Variable(std::string name, const std::string& value) : name_(std::move(name)) {
    ::setenv(name_.c_str(), value.c_str(), 1);
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;
  ~Variable() { ::unsetenv(name_.c_str()); }

 private:
  const std::string name_;
};

}  // namespace vantage::test
