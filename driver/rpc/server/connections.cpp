#include "driver/rpc/server/connections.h"

#include <unistd.h>

#include <utility>

namespace vantage::rpc {

Connections::Connections(ConnectionParts parts) : parts_(std::move(parts)) {
  ConnectionServer::require_possible(parts_);
}

Connections::~Connections() {
  clear();
}

void Connections::add(uint64_t number, int socket) {
  std::unique_ptr<ConnectionServer> server;
  try {
    server = std::make_unique<ConnectionServer>(parts_, socket);
  } catch (const std::exception&) {  // out of threads or memory: this connection is not to be had
    ::close(socket);
    return;
  }
  const std::lock_guard lock(mutex_);
  if (closed_) return end(std::move(server));
  servers_.emplace(number, std::move(server));
}

void Connections::remove(uint64_t number) {
  const std::lock_guard lock(mutex_);
  const auto server = servers_.find(number);
  if (server == servers_.end()) return;
  end(std::move(server->second));
  servers_.erase(server);
}

void Connections::end(std::unique_ptr<ConnectionServer> server) {
  endings_.remove_if([](Ending& ending) {
    if (ending.done) ending.thread.join();
    return ending.done.load();
  });
  Ending& ending = endings_.emplace_back();
  ending.thread = std::thread([server = std::move(server), &ending]() mutable {
    server.reset();
    ending.done = true;
  });
}

void Connections::clear() {
  std::list<Ending> endings;
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    for (auto& [number, server] : servers_) end(std::move(server));
    servers_.clear();
    endings.splice(endings.end(), endings_);
  }
  for (Ending& ending : endings) ending.thread.join();
}

}  // namespace vantage::rpc
