#include "base/temporary.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "base/error.h"
#include "base/file.h"
#include "base/replace_file.h"

namespace vantage {

namespace fs = std::filesystem;

namespace {

// A new folder named `prefix`.XXXXXX, for this user alone.
fs::path make_private_folder(const fs::path& prefix) {
  std::string name = prefix.string() + ".XXXXXX";
  if (::mkdtemp(name.data()) == nullptr) fail("{}: cannot be created: {}", name, std::strerror(errno));
  return name;
}

// The same with the permissions that the system gives a new folder: those that are to stay.
fs::path make_ordinary_folder(const fs::path& prefix) {
  while (true) {
    fs::path name = unused_name_beside(prefix);
    if (::mkdir(name.c_str(), 0777) == 0) return name;
    if (errno != EEXIST) fail("{}: cannot be created: {}", name.string(), std::strerror(errno));
  }
}

// Checks first, so that nothing is made beside a name that cannot be had.
fs::path checked_target(const fs::path& path) {
  require_new_file(path);
  return file_behind_links(path);
}

}  // namespace

TemporaryDirectory::TemporaryDirectory() : TemporaryDirectory(fs::temp_directory_path() / "vantage") {}

TemporaryDirectory::TemporaryDirectory(const fs::path& beside)
    : path_(make_private_folder(beside)), removed_on_signal_(path_) {}

TemporaryDirectory::~TemporaryDirectory() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

NewDirectory::NewDirectory(const fs::path& target) : target_(target.has_filename() ? target : target.parent_path()) {
  require_new_directory(target);
  temporary_ = make_ordinary_folder(target_);
  removed_on_signal_.emplace(temporary_);
}

NewDirectory::~NewDirectory() {
  std::error_code ignored;
  if (!temporary_.empty()) fs::remove_all(temporary_, ignored);
}

void NewDirectory::commit() {
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) {
    fail("{}: cannot be created: {}", target_.string(), std::strerror(errno));
  }
  FileCalls calls;
  sync_folder(calls, target_);
  removed_on_signal_.reset();
  temporary_.clear();
}

NewFile::NewFile(const fs::path& target)
    : target_(checked_target(target)), folder_(target_), path_(folder_.path() / "file") {}

void NewFile::commit() {
  struct stat old {};
  if (::stat(target_.c_str(), &old) == 0 && ::chmod(path_.c_str(), old.st_mode & 07777) != 0) {
    fail("{}: cannot be written: {}", target_.string(), std::strerror(errno));
  }
  // Whoever wrote it has closed it; what it holds must be on the disk before it has its name.
  const OpenFile written(::open(path_.c_str(), O_RDONLY | O_CLOEXEC));
  if (written.get() < 0 || ::fsync(written.get()) != 0 || ::rename(path_.c_str(), target_.c_str()) != 0) {
    fail("{}: cannot be written: {}", target_.string(), std::strerror(errno));
  }
  FileCalls calls;
  sync_folder(calls, target_);
}

}  // namespace vantage
