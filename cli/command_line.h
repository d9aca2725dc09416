// The whole command line: what the parser is told before it reads one.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace vantage::cli {

// Makes `app` the tool: every command that this build has, --help, --version. `status` is for the command that is
// chosen; see commands.h.
void make_command_line(CLI::App& app, int& status);

// Throws Error for a list, as `--workloads a,,b`, of which an item is empty: the parser would leave it out, and take
// what follows for one where nothing else is there.
void require_full_lists(const std::vector<std::string>& words, const CLI::App& app);

// The words behind the tool's name with what people leave out or turn round: `help run gemm` is `run gemm --help`, and
// `run PROGRAM` is `run program PROGRAM`.
std::vector<std::string> spelled_out(std::vector<std::string> words, const CLI::App& app);

}  // namespace vantage::cli
