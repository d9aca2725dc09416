#include "cli/version.h"

#include <fmt/format.h>

namespace vantage::cli {

namespace {

// A part that a build may leave out.
std::string part(bool built, const char* name) {
  return built ? fmt::format(", {}", name) : "";
}

}  // namespace

std::string version() {
  return VANTAGE_VERSION;
}

std::string full_version() {
  return commit().empty() ? version() : version() + " " + commit();
}

std::string version_page() {
  std::string text = fmt::format("vantage {}\n", version());
  if (!commit().empty()) text += fmt::format("commit: {}\n", commit());
  text += fmt::format("parts: {}{}{}", VANTAGE_HAS_TIME ? "simulators" : "board",
                      part(VANTAGE_HAS_REMOTE, "remote devices (serve)"),
                      part(VANTAGE_HAS_PROCESSOR, "processors (compare)"));
  return text;
}

}  // namespace vantage::cli
