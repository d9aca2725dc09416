// Whole files in and out. Reading is bounded, so that a wrong path cannot exhaust memory; writing is atomic, so that
// no one ever finds half a file, or half a directory, under its name.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"

namespace vantage {

// The file's bytes. Throws Error when it cannot be read or is larger than `limit`.
std::string read_file(const std::filesystem::path& path, Bytes limit);

// The same through gunzip; `limit` bounds what comes out, so that a small hostile file cannot expand without end.
std::string read_gzip_file(const std::filesystem::path& path, Bytes limit);

// The first `size` bytes of what comes out of gunzip, or all there are; the rest is not looked at.
std::string read_gzip_prefix(const std::filesystem::path& path, Bytes size);

// Replaces `path` by `contents` in one step (a temporary file in the same folder, then a rename), keeping the mode of
// what was there. Throws Error.
void write_file(const std::filesystem::path& path, std::string_view contents);

// Throws Error now if write_file(path, ...) could not work later: callers check before they compute.
void require_writable(const std::filesystem::path& path);

// The same for NewFile, which needs a name that is free or a plain file's: a device cannot be replaced.
void require_new_file(const std::filesystem::path& path);

// Throws Error now if a directory of this name could not be created later; one that exists is never overwritten.
void require_new_directory(const std::filesystem::path& path);

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
};

// A folder for intermediate files, removed with the object.
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
};

// A file that someone else writes, and that appears under its name complete or not at all: have path() written, then
// commit(). What else is written beside path() is removed.
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

// To be called once, as a program starts, before it has threads: when SIGINT, SIGTERM or SIGHUP ends it, what the
// classes and functions above have under way is removed first.
void remove_temporaries_on_signals();

// For programs that have something to end in good order: while it lives, the first of these signals calls `stop`, from
// another thread, instead of ending the program; the second ends it. REQUIRES: remove_temporaries_on_signals() was
// called, and there is one at a time.
class StopOnSignal {
 public:
  explicit StopOnSignal(std::function<void()> stop);
  StopOnSignal(const StopOnSignal&) = delete;
  StopOnSignal& operator=(const StopOnSignal&) = delete;
  ~StopOnSignal();
};

// `contents` as a gzip member, with no name and no time stamp: the same bytes give the same file.
std::string gzip(std::string_view contents);

inline std::string_view as_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}
inline std::span<const std::byte> as_bytes(std::string_view text) {
  return std::as_bytes(std::span(text));
}

}  // namespace vantage
