#include "tests/support/temporary.h"

#include <stdlib.h>

#include <fstream>

#include "base/error.h"

namespace vantage::test {

namespace fs = std::filesystem;

fs::path source_dir() {
  return VANTAGE_SOURCE_DIR;
}
fs::path binary_dir() {
  return VANTAGE_BINARY_DIR;
}

TemporaryFolder::TemporaryFolder() {
  std::string name = (fs::temp_directory_path() / "vantage-test.XXXXXX").string();
  VANTAGE_CHECK(::mkdtemp(name.data()) != nullptr);
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

fs::path TemporaryFolder::file(std::string_view name, std::string_view contents) const {
  const fs::path path = path_ / name;
  std::ofstream(path, std::ios::binary) << contents;
  return path;
}

}  // namespace vantage::test
