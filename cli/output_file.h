// Files that are written, which must not be those that are read.
#pragma once

#include <filesystem>
#include <string>

namespace CLI {
class App;
}

namespace vantage::cli {

// Throws Error when one of a parsed command's options that name files to be written (--html, --output, ...) would
// replace a file that another of its arguments names, or one in a folder that another names.
void require_inputs_stay(const CLI::App& command);

// Throws Error when `output`, the value of `option`, is the file `input`, whatever they are called, or lies in the
// folder `input` and would replace a file there. Neither needs to be there yet.
void require_other_file(const std::string& option, const std::filesystem::path& output,
                        const std::filesystem::path& input);

// Throws Error for "-", which is no file here: nothing is written to standard output in place of one.
void require_file_name(const std::string& option, const std::string& output);

}  // namespace vantage::cli
