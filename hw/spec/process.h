// Running another program and waiting for it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace vantage {

// Runs argv[0], found on PATH, in folder `cwd` with its output and its errors in the file `log`. Returns its exit
// status, or 128 plus the number of the signal that ended it. Throws Error, naming the Debian package `package` that
// has it, when there is no such program.
int run_process(const std::vector<std::string>& argv, const std::filesystem::path& cwd,
                const std::filesystem::path& log, const std::string& package);

// The same for a step that must succeed: its output goes to a file in `folder`, and Error carries the end of it.
void run_tool(const std::vector<std::string>& argv, const std::filesystem::path& folder, const std::string& package);

// Whether PATH has a program of this name.
bool have_program(const std::string& name);

}  // namespace vantage
