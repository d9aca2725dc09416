// Runs the command-line tool as a user would.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "tests/catch.h"

namespace vantage::test {

struct CliResult {
  int status;       // exit status; 128 + signal when killed
  std::string out;  // standard output
  std::string err;  // standard error
};

std::string cli_path();

CliResult run_cli(const std::vector<std::string>& arguments);

// Checks that the tool takes this for a user's mistake: status 2, nothing on stdout, one line on stderr that says this.
inline void check_refused(const std::vector<std::string>& arguments, const std::string& message) {
  const auto result = run_cli(arguments);
  INFO(result.err);
  CHECK(result.status == 2);
  CHECK(result.out == "");
  CHECK(result.err.starts_with("error: "));
  CHECK(std::count(result.err.begin(), result.err.end(), '\n') == 1);
  CHECK_THAT(result.err, ContainsSubstring(message));
}

}  // namespace vantage::test
