// JSON files that are named by their path, or by their name alone where the project keeps its own.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace vantage {

// The file itself, or `folder`/NAME.json; `what` is it ("board"). Throws Error that suggests a near name.
std::filesystem::path find_settings(const std::string& file_or_name, const std::filesystem::path& folder,
                                    std::string_view what);

// The names in `folder`, sorted; empty without one.
std::vector<std::string> settings_in(const std::filesystem::path& folder);

}  // namespace vantage
