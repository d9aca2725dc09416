#include "driver/rpc/server/session_table.h"

#include <openssl/rand.h>

#include <array>

#include "driver/rpc/protocol/errors.h"

namespace vantage::rpc {

namespace {

// 128 random bits: nobody guesses another's.
std::string new_key() {
  std::array<unsigned char, 16> bytes{};
  VANTAGE_CHECK(RAND_bytes(bytes.data(), static_cast<int>(bytes.size())) == 1);
  std::string key;
  for (const unsigned char byte : bytes) key += fmt::format("{:02x}", byte);
  return key;
}

}  // namespace

SessionTable::Slot::Slot(SessionTable& table, std::string who) : table_(table), key_(new_key()), who_(std::move(who)) {
  const std::lock_guard lock(table_.mutex_);
  if (table_.closed_) throw SessionOver("the server is stopping");
  if (table_.sessions_.size() >= table_.most_) {
    throw QuotaError(fmt::format("all {} sessions of this server are taken; try again later", table_.most_));
  }
  size_t& places = table_.places_[who_];
  if (places >= table_.most_of_one_) {
    throw QuotaError(
        fmt::format("{} has {} sessions, which is as many as this server gives to one; close some", who_, places));
  }
  ++places;
  table_.sessions_.emplace(key_, nullptr);
}

SessionTable::Slot::~Slot() {
  if (session_ != nullptr) session_->close();
  const std::lock_guard lock(table_.mutex_);
  table_.sessions_.erase(key_);
  if (--table_.places_[who_] == 0) table_.places_.erase(who_);
}

void SessionTable::Slot::fill(std::shared_ptr<Session> session) {
  session_ = std::move(session);
  const std::lock_guard lock(table_.mutex_);
  if (table_.closed_) throw SessionOver("the server is stopping");
  table_.sessions_[key_] = session_;
}

std::shared_ptr<Session> SessionTable::find(const std::string& key, const std::string& who) const {
  const std::lock_guard lock(mutex_);
  const auto found = sessions_.find(key);
  if (found != sessions_.end() && found->second != nullptr && found->second->who() == who) return found->second;
  throw SessionOver("there is no such session, or it is over; open the device again");
}

std::vector<std::shared_ptr<Session>> SessionTable::all() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::shared_ptr<Session>> sessions;
  for (const auto& [key, session] : sessions_) {
    if (session != nullptr) sessions.push_back(session);
  }
  return sessions;
}

void SessionTable::close() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  const auto sessions = this->all();
  for (const auto& session : sessions) session->stop();  // all at once, and then they are waited for
  for (const auto& session : sessions) session->close();
}

bool SessionTable::closed() const {
  const std::lock_guard lock(mutex_);
  return closed_;
}

}  // namespace vantage::rpc
