// Folders and files for one test.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace vantage::test {

std::filesystem::path source_dir();
std::filesystem::path binary_dir();

// A fresh folder, removed with the object.
class TemporaryFolder {
 public:
  TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder();

  const std::filesystem::path& path() const { return path_; }
  // Writes a file into it and gives its path.
  std::filesystem::path file(std::string_view name, std::string_view contents) const;
  bool empty() const { return std::filesystem::is_empty(path_); }

 private:
  std::filesystem::path path_;
};

}  // namespace vantage::test
