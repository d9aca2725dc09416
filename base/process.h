// Running another program and waiting for it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace vantage {

// Runs argv[0], found on PATH, in folder `cwd` with its output and its errors in the file `log`. Returns its exit
// status, or 128 plus the number of the signal that ended it. Throws Error, naming the Debian package `package` that
// has it, when there is no such program. The program speaks English (LC_ALL=C) and ends when this one does.
int run_process(const std::vector<std::string>& argv, const std::filesystem::path& cwd,
                const std::filesystem::path& log, const std::string& package);

// The same for a step that must succeed, in folder `folder`. Returns what it wrote, output and errors; throws ToolError
// with the end of that otherwise.
std::string run_tool(const std::vector<std::string>& argv, const std::filesystem::path& folder,
                     const std::string& package);

// Throws Error, naming the Debian package, when PATH has no program of this name.
void require_program(const std::string& name, const std::string& package);

// Whether PATH has a program of this name.
bool have_program(const std::string& name);

}  // namespace vantage
