#include "tests/compiler/filecheck/ir_case.h"

#include <fmt/format.h>

#include <cstring>
#include <exception>
#include <fstream>
#include <sstream>
#include <string_view>
#include <vector>

#include "base/file.h"

namespace vantage::test {

namespace {

struct Case {
  std::string name;
  std::function<std::string()> text;
};

std::vector<Case>& cases() {
  static std::vector<Case> all;
  return all;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// A line as a pattern: what would begin an expression of FileCheck's is quoted.
std::string quoted(const std::string& line) {
  std::string result;
  for (size_t i = 0; i < line.size(); ++i) {
    const std::string_view two = std::string_view(line).substr(i, 2);
    if (two == "[[" || two == "{{") {
      result += two == "[[" ? "{{\\[\\[}}" : "{{\\{\\{}}";
      ++i;
    } else {
      result += line[i];
    }
  }
  return result;
}

std::string checks_of(const Case& one) {
  std::string checks = fmt::format("// CHECK-LABEL: == {}\n", one.name);
  for (const std::string& line : lines_of(one.text())) {
    checks += line.empty() ? "// CHECK-EMPTY:\n" : fmt::format("// CHECK-NEXT: {}\n", quoted(line));
  }
  return checks;
}

void update(const std::string& path) {
  std::string result;
  for (const std::string& line : lines_of(read_file(path, Bytes{1 << 20}))) {
    if (line.rfind("// CHECK", 0) == 0) continue;
    for (const Case& one : cases()) {
      if (line.rfind(fmt::format("IR_CASE({})", one.name), 0) == 0) result += checks_of(one);
    }
    result += line + "\n";
  }
  write_file(path, result);
}

}  // namespace

IrCase::IrCase(std::string name, std::function<std::string()> text) {
  cases().push_back({std::move(name), std::move(text)});
}

}  // namespace vantage::test

// Without arguments: prints all cases. With "--update FILE": writes their CHECK lines into the source.
int main(int argc, char** argv) {
  using namespace vantage::test;
  try {
    if (argc == 3 && std::strcmp(argv[1], "--update") == 0) {
      update(argv[2]);
      return 0;
    }
    for (const Case& one : cases()) {
      fmt::print(" == {}\n", one.name);
      // A blank before each line stands for the one behind "CHECK-NEXT:".
      for (const std::string& line : lines_of(one.text())) fmt::print("{}{}\n", line.empty() ? "" : " ", line);
    }
  } catch (const std::exception& e) {
    fmt::print(stderr, "{}\n", e.what());
    return 1;
  }
  return 0;
}
