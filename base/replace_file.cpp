#include "base/replace_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "base/error.h"
#include "base/signals.h"

namespace vantage {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void refuse(const fs::path& path, int why) {
  fail("{}: cannot be written: {}", path.string(), std::generic_category().message(why));
}

// A new file, which is nobody else's.
int create(FileCalls& calls, const fs::path& path, unsigned mode) {
  constexpr int kFlags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC;
  const int file = calls.open(path, kFlags, mode);
  if (file >= 0 || errno != EEXIST || calls.remove(path) != 0) return file;
  return calls.open(path, kFlags, mode);
}

}  // namespace

int FileCalls::open(const fs::path& path, int flags, unsigned mode) {
  return ::open(host_path(path).c_str(), flags | O_CLOEXEC, mode);
}

ssize_t FileCalls::write(int file, const void* bytes, size_t size) {
  return ::write(file, bytes, size);
}

int FileCalls::change_mode(int file, unsigned mode) {
  return ::fchmod(file, mode);
}

int FileCalls::sync_file(int file) {
  return ::fsync(file);
}

int FileCalls::close(int file) {
  return ::close(file);
}

int FileCalls::rename(const fs::path& from, const fs::path& to) {
  return ::rename(host_path(from).c_str(), host_path(to).c_str());
}

int FileCalls::remove(const fs::path& path) {
  return ::unlink(host_path(path).c_str());
}

void sync_folder(FileCalls& calls, const fs::path& path) {
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  const int file = calls.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) refuse(path, errno);
  const int why = calls.sync_file(file) == 0 ? 0 : errno;
  calls.close(file);
  // Some file systems have folders that need none of it, and say so.
  if (why != 0 && why != EINVAL) refuse(path, why);
}

void write_all(FileCalls& calls, int file, const fs::path& path, std::string_view contents) {
  while (!contents.empty()) {
    const ssize_t size = calls.write(file, contents.data(), contents.size());
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) refuse(path, errno);
    if (size == 0) fail("{}: nothing more can be written", path.string());
    contents.remove_prefix(static_cast<size_t>(size));
  }
}

void replace_file(FileCalls& calls, const fs::path& path, std::string_view contents, const Replacement& how) {
  // What is to be private is so from the start.
  const int created = create(calls, how.temporary, how.exact_mode ? 0600 : how.mode);
  if (created < 0) refuse(path, errno);
  const RemovedOnSignal removed_on_signal(calls.host_path(how.temporary));
  int file = created;
  try {
    write_all(calls, file, path, contents);
    if (how.exact_mode && calls.change_mode(file, how.mode) != 0) refuse(path, errno);
    if (how.to_disk && calls.sync_file(file) != 0) refuse(path, errno);
    if (calls.close(std::exchange(file, -1)) != 0) refuse(path, errno);
    if (calls.rename(how.temporary, path) != 0) refuse(path, errno);
  } catch (const Error&) {
    if (file >= 0) calls.close(file);
    calls.remove(how.temporary);
    throw;
  }
  if (how.to_disk) sync_folder(calls, path);
}

}  // namespace vantage
