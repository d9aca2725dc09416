// Putting a file in place, or what it holds anew, in one step: nobody ever finds half of it under its name. All that
// writes files does it here.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <filesystem>
#include <string_view>

namespace vantage {

// The system calls that it takes, errno included, as POSIX says: tests put faults here, or another root.
class FileCalls {
 public:
  virtual ~FileCalls() = default;

  virtual int open(const std::filesystem::path& path, int flags, unsigned mode = 0);
  virtual ssize_t write(int file, const void* bytes, size_t size);
  virtual int change_mode(int file, unsigned mode);
  virtual int sync_file(int file);  // to the disk
  virtual int close(int file);
  virtual int rename(const std::filesystem::path& from, const std::filesystem::path& to);
  virtual int remove(const std::filesystem::path& path);

  // Where the calls above find what they are told of as `path`.
  virtual std::filesystem::path host_path(const std::filesystem::path& path) const { return path; }
};

struct Replacement {
  // In the same folder, where it is written first. What is left there is removed, so two writers that may be at work at
  // once must not share one name: they take unused_name_beside (base/file.h), or a lock.
  std::filesystem::path temporary;
  unsigned mode = 0666;
  bool exact_mode = false;  // otherwise less what the process's umask, or the folder, takes away
  bool to_disk = false;     // what was written is found even after the power went
};

// Replaces `path`, which is a plain file or free, by `contents`. Throws Error that names `path` and what the system
// said; then what was there is there still, and nothing else. Only when all of that is done and the folder cannot be
// brought to the disk has `path` its new contents, which a loss of power may take back.
void replace_file(FileCalls& calls, const std::filesystem::path& path, std::string_view contents,
                  const Replacement& how);

// Brings a folder's names to the disk: that of `path`, which lies in it. Throws Error.
void sync_folder(FileCalls& calls, const std::filesystem::path& path);

// Writes all of `contents` into an open file, whatever pieces the system takes. Throws Error that names `path`.
void write_all(FileCalls& calls, int file, const std::filesystem::path& path, std::string_view contents);

}  // namespace vantage
