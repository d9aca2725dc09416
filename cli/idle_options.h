// Options that would do nothing where they were given. They are refused: who gives one takes its effect for granted.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace vantage::cli {

// Throws Error for the first of these options that was given: "--threads is for --target cpu:; leave it out". `why`
// follows its name. The command need not have all of them.
void refuse_options(const CLI::App& command, const std::vector<std::string>& options, std::string_view why);

// The same for all of the command's options but these.
void refuse_other_options(const CLI::App& command, const std::vector<std::string>& but, std::string_view why);

}  // namespace vantage::cli
