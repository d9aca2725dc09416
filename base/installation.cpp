#include "base/installation.h"

#include <fmt/format.h>

#include <cstdlib>

#include "base/error.h"

namespace vantage {

namespace fs = std::filesystem;

namespace {

fs::path prefix() {
  return fs::read_symlink("/proc/self/exe").parent_path().parent_path();
}

}  // namespace

fs::path data_folder() {
  if (const char* root = std::getenv("VANTAGE_ROOT"); root != nullptr && *root != '\0') return root;
  return fs::weakly_canonical(prefix() / "share" / "vantage");
}

fs::path installed_helper(std::string_view name) {
  const fs::path helper = prefix() / "libexec" / "vantage" / name;
  if (!fs::exists(helper)) fail("{}: this part of the tool is missing; install it as a whole", helper.string());
  return helper;
}

}  // namespace vantage
