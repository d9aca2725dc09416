// Files and folders that are under way: removed unless they are committed, also when a signal ends the program
// (base/signals.h).
#pragma once

#include <filesystem>
#include <optional>

#include "base/signals.h"

namespace vantage {

// A folder for intermediate files, which only this user may look into; removed with the object.
class TemporaryDirectory {
 public:
  TemporaryDirectory();                                              // where the system keeps such things; throws Error
  explicit TemporaryDirectory(const std::filesystem::path& beside);  // in the same folder as `beside`; throws Error
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  ~TemporaryDirectory();

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  RemovedOnSignal removed_on_signal_;
};

// A directory that appears under its name complete or not at all: fill path(), then commit().
class NewDirectory {
 public:
  // Throws Error like require_new_directory, or when nothing can be created beside `target`.
  explicit NewDirectory(const std::filesystem::path& target);
  NewDirectory(const NewDirectory&) = delete;
  NewDirectory& operator=(const NewDirectory&) = delete;
  ~NewDirectory();  // without commit(), removes what was filled

  const std::filesystem::path& path() const { return temporary_; }
  void commit();  // throws Error

 private:
  std::filesystem::path target_;
  std::filesystem::path temporary_;
  std::optional<RemovedOnSignal> removed_on_signal_;
};

// A file that someone else writes, and that appears under its name complete or not at all: have path() written, then
// commit(). What it replaces leaves it its mode. What else is written beside path() is removed.
class NewFile {
 public:
  // Throws Error like require_new_file, or when nothing can be created beside `target`.
  explicit NewFile(const std::filesystem::path& target);

  const std::filesystem::path& path() const { return path_; }
  void commit();  // throws Error

 private:
  std::filesystem::path target_;
  TemporaryDirectory folder_;
  std::filesystem::path path_;
};

}  // namespace vantage
