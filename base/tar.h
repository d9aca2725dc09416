// Tar archives, through libarchive: several files as one.
//
// Thread safety: values and functions without state.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/temporary.h"
#include "base/units.h"

struct archive;

namespace vantage {

// A file that appears under its name complete or not at all: add what is in it, then commit(). The same files give the
// same bytes: there are no times and no owners. What it replaces leaves it its mode; nobody but its owner can write it.
class TarWriter {
 public:
  // Throws Error like require_new_file (base/file.h), or when nothing can be created beside `target`.
  explicit TarWriter(const std::filesystem::path& target);

  // A file of these bytes, one piece after another. Throws Error when they cannot be written.
  void add(const std::string& name, const std::vector<std::string_view>& pieces);
  void commit();  // throws Error

 private:
  struct Free {
    void operator()(archive* stream) const;
  };

  std::filesystem::path target_;
  NewFile file_;
  std::unique_ptr<archive, Free> stream_;
};

// Whether bytes begin as an archive of this kind does.
bool is_tar(std::string_view bytes);

// The plain files of an archive by their names. Throws Error, beginning with `source`, for bytes that are none, a name
// that appears twice, what is no plain file, and more than `limit` bytes in all.
std::map<std::string, std::string, std::less<>> read_tar(std::string_view bytes, std::string_view source, Bytes limit);

}  // namespace vantage
