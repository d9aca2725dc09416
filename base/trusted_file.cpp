#include "base/trusted_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/error.h"
#include "base/file.h"
#include "base/replace_file.h"

namespace vantage {

namespace fs = std::filesystem;

namespace {

void require_trusted(const struct stat& status, const std::string& name) {
  if (!S_ISREG(status.st_mode)) fail("{}: is no plain file", name);
  if (status.st_uid != 0 && status.st_uid != ::geteuid()) {
    fail("{}: belongs to user {}, expected this one, {}, or root; make a copy of your own if you trust it", name,
         status.st_uid, ::geteuid());
  }
  if ((status.st_mode & (S_IWGRP | S_IWOTH)) != 0) {
    fail("{}: may be written by others than its owner; if you trust it: chmod go-w {}", name, name);
  }
}

}  // namespace

std::string read_trusted_file(const fs::path& path, Bytes limit) {
  const std::string name = path.string();
  // A pipe in its place is not waited for.
  const OpenFile file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY));
  if (file.get() < 0 && errno == ELOOP) fail("{}: is a symbolic link, expected the file itself", name);
  struct stat status {};
  if (file.get() < 0 || ::fstat(file.get(), &status) != 0) fail("{}: cannot be read: {}", name, std::strerror(errno));
  require_trusted(status, name);
  return read_open_file(file, path, limit);
}

void write_trusted_file(const fs::path& path, std::string_view contents) {
  FileCalls calls;
  replace_file(calls, path, contents, {.temporary = fs::path(path) += ".new", .mode = 0644, .to_disk = true});
}

}  // namespace vantage
