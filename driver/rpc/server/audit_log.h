// Who did what on a server, one JSON object a line, for those who must answer for it later (docs/remote.md).
//
// Thread safety: add() may be called from several threads at once.
#pragma once

#include <filesystem>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace vantage::rpc {

class AuditLog {
 public:
  // Adds to the file, which is made, for its owner alone, when there is none; an empty path: to none. Throws Error.
  explicit AuditLog(const std::filesystem::path& path);
  AuditLog(const AuditLog&) = delete;
  AuditLog& operator=(const AuditLog&) = delete;
  ~AuditLog();

  // With the time of day. A file that was moved away, to keep it, is made anew. Throws ServerError when the line cannot
  // be written: what cannot be put down does not happen, and leaves no part of a line.
  void add(const std::string& event, const std::vector<std::pair<std::string, std::string>>& details);

 private:
  void open();
  bool is_in_place() const;

  const std::filesystem::path path_;
  std::mutex mutex_;
  int file_ = -1;
};

}  // namespace vantage::rpc
