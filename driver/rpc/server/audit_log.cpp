#include "driver/rpc/server/audit_log.h"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>

#include "base/error.h"
#include "base/json.h"
#include "driver/rpc/protocol/errors.h"

namespace vantage::rpc {

AuditLog::AuditLog(const std::filesystem::path& path) : path_(path) {
  if (path.empty()) return;
  open();
  if (file_ < 0) fail("{}: cannot be written: {}", path.string(), std::strerror(errno));
}

AuditLog::~AuditLog() {
  if (file_ >= 0) ::close(file_);
}

void AuditLog::open() {
  file_ = ::open(path_.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
}

bool AuditLog::is_in_place() const {
  struct stat here = {}, there = {};
  if (file_ < 0 || ::fstat(file_, &here) != 0) return false;
  // Another user than the one who opened it may not be let to look.
  if (::lstat(path_.c_str(), &there) != 0) return errno != ENOENT;
  return here.st_dev == there.st_dev && here.st_ino == there.st_ino;
}

void AuditLog::add(const std::string& event, const std::vector<std::pair<std::string, std::string>>& details) {
  if (path_.empty()) return;
  const auto now = std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
  Json line = {{"time", fmt::format("{:%Y-%m-%dT%H:%M:%S}Z", now)}, {"event", event}};
  for (const auto& [name, value] : details) line[name] = value;
  // What clients say need not be UTF-8.
  const std::string text = line.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  const auto refuse = [&](int error) {
    throw ServerError("the server could not put down what was to be done",
                      fmt::format("{}: {}", path_.string(), std::strerror(error)));
  };
  const std::lock_guard lock(mutex_);
  if (!is_in_place()) {
    if (file_ >= 0) ::close(file_);
    open();
    if (file_ < 0) refuse(errno);
  }
  const off_t end = ::lseek(file_, 0, SEEK_END);
  for (size_t done = 0; done < text.size();) {
    const ssize_t count = ::write(file_, text.data() + done, text.size() - done);
    if (count > 0) done += static_cast<size_t>(count);
    if (count > 0 || (count < 0 && errno == EINTR)) continue;
    const int error = errno;
    // Of a full disk: the next line must not be added to a part of this one.
    if (end >= 0) (void)!::ftruncate(file_, end);
    refuse(error);
  }
}

}  // namespace vantage::rpc
