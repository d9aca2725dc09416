#include "driver/rpc/server/audit_log.h"

#include <fcntl.h>
#include <fmt/chrono.h>
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
  file_ = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (file_ < 0) fail("{}: cannot be written: {}", path.string(), std::strerror(errno));
}

AuditLog::~AuditLog() {
  if (file_ >= 0) ::close(file_);
}

void AuditLog::add(const std::string& event, const std::vector<std::pair<std::string, std::string>>& details) {
  if (file_ < 0) return;
  const auto now = std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
  Json line = {{"time", fmt::format("{:%Y-%m-%dT%H:%M:%S}Z", now)}, {"event", event}};
  for (const auto& [name, value] : details) line[name] = value;
  // What clients say need not be UTF-8. One call: lines of several threads do not mix.
  const std::string text = line.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  if (::write(file_, text.data(), text.size()) == static_cast<ssize_t>(text.size())) return;
  throw ServerError("the server could not put down what was to be done",
                    fmt::format("{}: {}", path_.string(), std::strerror(errno)));
}

}  // namespace vantage::rpc
