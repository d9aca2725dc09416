#include "driver/rpc/session_table.h"

#include <openssl/rand.h>

#include <array>

#include "driver/rpc/errors.h"

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

SessionTable::Slot::Slot(SessionTable& table) : table_(table), key_(new_key()) {
  const std::lock_guard lock(table_.mutex_);
  if (table_.closed_) throw SessionOver("the server is stopping");
  if (table_.sessions_.size() >= table_.most_) {
    throw QuotaError(fmt::format("all {} sessions of this server are taken; try again later", table_.most_));
  }
  table_.sessions_.emplace(key_, nullptr);
}

SessionTable::Slot::~Slot() {
  if (session_ != nullptr) session_->close();
  const std::lock_guard lock(table_.mutex_);
  table_.sessions_.erase(key_);
}

void SessionTable::Slot::fill(std::shared_ptr<Session> session) {
  session_ = std::move(session);
  const std::lock_guard lock(table_.mutex_);
  if (table_.closed_) throw SessionOver("the server is stopping");
  table_.sessions_[key_] = session_;
}

std::shared_ptr<Session> SessionTable::find(const std::string& key) const {
  const std::lock_guard lock(mutex_);
  const auto found = sessions_.find(key);
  if (found != sessions_.end() && found->second != nullptr) return found->second;
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
  for (const auto& session : all()) session->close();
}

bool SessionTable::closed() const {
  const std::lock_guard lock(mutex_);
  return closed_;
}

}  // namespace vantage::rpc
