#include "cli/options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cstdlib>

#include "driver/device/device.h"
#include "hw/spec/error.h"
#include "hw/spec/suggest.h"

namespace vantage::cli {

namespace fs = std::filesystem;

fs::path project_root() {
  const char* root = std::getenv("VANTAGE_ROOT");
  return root != nullptr ? fs::path(root) : fs::path(VANTAGE_SOURCE_DIR);
}

void ConfigOption::add_to(CLI::App& app) {
  app.add_option("--config", text,
                 "accelerator: a JSON file, or a name from configs/accelerators (default: VTA's default)")
      ->check(not_empty());
}

spec::Config ConfigOption::load() const {
  return given() ? load_config(text) : spec::Config::vta_default();
}

spec::Config load_config(const std::string& file_or_name) {
  if (fs::exists(file_or_name)) return spec::Config::load(file_or_name);
  const fs::path folder = project_root() / "configs" / "accelerators";
  const bool is_name = file_or_name.find_first_of("/.") == std::string::npos;
  if (is_name && fs::exists(folder / (file_or_name + ".json"))) {
    return spec::Config::load(folder / (file_or_name + ".json"));
  }
  std::vector<std::string> names;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  fail("{}: no such file, and no configuration of that name{}", file_or_name, did_you_mean(file_or_name, names));
}

CLI::Validator whole_number(uint64_t min, uint64_t max) {
  const auto check = [min, max](std::string& text) -> std::string {
    uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool ok = error == std::errc() && end == text.data() + text.size() && value >= min && value <= max;
    return ok ? "" : fmt::format("'{}' is not a whole number from {} to {}", text, min, max);
  };
  return {check, max == UINT64_MAX ? fmt::format(">= {}", min) : fmt::format("{}..{}", min, max)};
}

CLI::Validator not_empty() {
  return {[](std::string& text) -> std::string { return text.empty() ? "the value is empty" : ""; }, ""};
}

CLI::Option* add_target_option(CLI::App& app, std::string& uri) {
  std::string kinds;
  for (const auto& kind : driver::device_kinds()) kinds += (kinds.empty() ? "" : ", ") + kind.scheme + ":";
  uri = kDefaultTarget;
  return app.add_option("--target", uri, "device to run on: " + kinds)->capture_default_str();
}

void add_json_flag(CLI::App& app, bool& json) {
  app.add_flag("--json", json, "print one JSON object instead of text (docs/json.md)");
}

}  // namespace vantage::cli
