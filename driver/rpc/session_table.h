// The sessions of a server: as many as it allows, by their keys.
//
// Thread safety: all members may be called from several threads at once.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "driver/rpc/session.h"

namespace vantage::rpc {

class SessionTable {
 public:
  explicit SessionTable(size_t most) : most_(most) {}

  // Room for one session, under a key that nobody guesses. It is taken before a device is opened, and given back once
  // that is closed: so there are never more devices than sessions.
  class Slot {
   public:
    // Throws QuotaError when all are taken, SessionOver after close().
    explicit Slot(SessionTable& table);
    Slot(const Slot&) = delete;
    Slot& operator=(const Slot&) = delete;
    ~Slot();  // ends the session

    const std::string& key() const { return key_; }
    // From now on find() has it. Throws SessionOver after close().
    void fill(std::shared_ptr<Session> session);

   private:
    SessionTable& table_;
    const std::string key_;
    std::shared_ptr<Session> session_;
  };

  // Throws SessionOver when there is none of this key.
  std::shared_ptr<Session> find(const std::string& key) const;
  std::vector<std::shared_ptr<Session>> all() const;

  // Ends all sessions, and gives no more slots.
  void close();
  bool closed() const;

 private:
  const size_t most_;
  mutable std::mutex mutex_;                                            // of what follows
  std::unordered_map<std::string, std::shared_ptr<Session>> sessions_;  // null while one is opened
  bool closed_ = false;
};

}  // namespace vantage::rpc
