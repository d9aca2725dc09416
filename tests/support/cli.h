// Runs the command-line tool as a user would.
#pragma once

#include <string>
#include <vector>

namespace vantage::test {

struct CliResult {
  int status;       // exit status; 128 + signal when killed
  std::string out;  // standard output
  std::string err;  // standard error
};

std::string cli_path();

CliResult run_cli(const std::vector<std::string>& arguments);

}  // namespace vantage::test
