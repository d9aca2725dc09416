// The sessions of a server: as many as it allows, by their keys.
//
// Thread safety: all members may be called from several threads at once.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "driver/rpc/server/session.h"

namespace vantage::rpc {

class SessionTable {
 public:
  // At most so many, and so many of one identity.
  SessionTable(size_t most, size_t most_of_one) : most_(most), most_of_one_(most_of_one) {}

  // Room for one session, under a key that nobody guesses. It is taken before a device is opened, and given back once
  // that is closed: so there are never more devices than sessions.
  class Slot {
   public:
    // For `who`, an identity. Throws QuotaError when all are taken, SessionOver after close().
    Slot(SessionTable& table, std::string who);
    Slot(const Slot&) = delete;
    Slot& operator=(const Slot&) = delete;
    ~Slot();  // ends the session

    const std::string& key() const { return key_; }
    // From now on find() has it. Throws SessionOver after close().
    void fill(std::shared_ptr<Session> session);

   private:
    SessionTable& table_;
    const std::string key_, who_;
    std::shared_ptr<Session> session_;
  };

  // Throws SessionOver when `who` has none of this key.
  std::shared_ptr<Session> find(const std::string& key, const std::string& who) const;
  std::vector<std::shared_ptr<Session>> all() const;

  // Ends all sessions, and gives no more slots.
  void close();
  bool closed() const;

 private:
  const size_t most_, most_of_one_;
  mutable std::mutex mutex_;                                            // of what follows
  std::unordered_map<std::string, std::shared_ptr<Session>> sessions_;  // null before fill()
  std::map<std::string, size_t> places_;                                // taken, by who has them
  bool closed_ = false;
};

}  // namespace vantage::rpc
