#include "base/settings.h"

#include <algorithm>

#include "base/error.h"
#include "base/suggest.h"

namespace vantage {

namespace fs = std::filesystem;

fs::path find_settings(const std::string& file_or_name, const fs::path& folder, std::string_view what) {
  // What happens to lie here under a setting's name does not hide it: the project's own launcher is called `vantage`.
  const bool is_name = file_or_name.find_first_of("/.") == std::string::npos;
  const fs::path named = folder / (file_or_name + ".json");
  if (is_name && fs::exists(named)) return named;
  if (fs::exists(file_or_name) && !(is_name && fs::is_directory(file_or_name))) return file_or_name;
  fail("{}: no such file, and no {} of that name{}", file_or_name, what,
       did_you_mean(file_or_name, settings_in(folder)));
}

std::vector<std::string> settings_in(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    if (entry.path().extension() == ".json") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace vantage
