#include "driver/rpc/server/gate.h"

#include <fcntl.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>
#include <vector>

#include "base/error.h"

namespace vantage::rpc {

namespace {

// Numbers of epoll's events beside those of connections, which begin above them.
constexpr uint64_t kWake = 0;
constexpr uint64_t kFirstConnection = 1000;
// Connections taken in one go: then those that are there are heard.
constexpr int kAtOnce = 64;
constexpr auto kLookInterval = std::chrono::milliseconds(20);
constexpr auto kOffenceWindow = std::chrono::seconds(1);

int checked(int file, const char* what) {
  if (file < 0) throw std::system_error(errno, std::generic_category(), what);
  return file;
}

int spare_file() {
  return ::open("/dev/null", O_RDONLY | O_CLOEXEC);
}

void watch(int epoll, int operation, int file, uint64_t number, uint32_t events) {
  epoll_event event{};
  event.events = events;
  event.data.u64 = number;
  VANTAGE_CHECK(::epoll_ctl(epoll, operation, file, &event) == 0 || errno == ENOMEM || errno == ENOSPC);
}

uint64_t bytes_received(int socket) {
  tcp_info info{};
  socklen_t size = sizeof info;
  return ::getsockopt(socket, IPPROTO_TCP, TCP_INFO, &info, &size) == 0 ? info.tcpi_bytes_received : 0;
}

double seconds_since(std::chrono::steady_clock::time_point then) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - then).count();
}

}  // namespace

Gate::Gate(const std::string& listen, GateLimits limits, Refusals& refusals)
    : limits_(limits),
      refusals_(refusals),
      listener_(listen),
      epoll_(checked(::epoll_create1(EPOLL_CLOEXEC), "a server's events")),
      wake_(checked(::eventfd(0, EFD_CLOEXEC), "a server's events")),
      spare_(spare_file()),
      next_(kFirstConnection) {}

Gate::~Gate() {
  close();
  for (const auto& [number, connection] : connections_) ::close(connection.socket);
  for (const int file : {epoll_, wake_, spare_}) {
    if (file >= 0) ::close(file);
  }
}

void Gate::open(Take take, Gone gone) {
  take_ = std::move(take);
  gone_ = std::move(gone);
  watch(epoll_, EPOLL_CTL_ADD, wake_, kWake, EPOLLIN);
  for (size_t i = 0; i < listener_.sockets().size(); ++i) {
    watch(epoll_, EPOLL_CTL_ADD, listener_.sockets()[i], 1 + i, EPOLLIN);
  }
  thread_ = std::thread([this] { run(); });
}

void Gate::close() {
  if (!thread_.joinable()) return;
  const uint64_t one = 1;
  VANTAGE_CHECK(::write(wake_, &one, sizeof one) == sizeof one);
  thread_.join();
  listener_.close();
}

size_t Gate::connections() const {
  const std::lock_guard lock(mutex_);
  return connections_.size();
}

void Gate::run() {
  std::array<epoll_event, 256> events{};
  auto looked = Clock::now();
  while (true) {
    const int count =
        ::epoll_wait(epoll_, events.data(), static_cast<int>(events.size()), static_cast<int>(kLookInterval.count()));
    for (int i = 0; i < count; ++i) {
      const epoll_event& event = events.at(static_cast<size_t>(i));
      if (event.data.u64 == kWake) return;
      if (event.data.u64 >= kFirstConnection) hear(event.data.u64, event.events);
    }
    // After those that are there.
    for (int i = 0; i < count; ++i) {
      const uint64_t number = events.at(static_cast<size_t>(i)).data.u64;
      if (number != kWake && number < kFirstConnection) accept(listener_.sockets()[number - 1]);
    }
    if (Clock::now() - looked >= kLookInterval) {
      looked = Clock::now();
      look();
    }
    tell_of_ended();
  }
}

void Gate::accept(int listening) {
  for (int i = 0; i < kAtOnce; ++i) {
    int socket = ::accept4(listening, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (socket < 0 && (errno == EMFILE || errno == ENFILE) && spare_ >= 0) {
      // Taken to be closed: it would wait here for ever, and wake this thread again and again.
      ::close(spare_);
      socket = ::accept(listening, nullptr, nullptr);
      if (socket >= 0) ::close(socket);
      spare_ = spare_file();
      refusals_.add("files", "a connection was refused: this process has no file descriptors left");
      continue;
    }
    if (socket < 0 && (errno == EINTR || errno == ECONNABORTED)) continue;
    if (socket < 0) return;  // nobody waits, or the system has no memory: the next round tries again
    const std::lock_guard lock(mutex_);
    add(socket);
  }
}

void Gate::add(int socket) {
  const int on = 1;
  ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  if (connections_.size() >= limits_.connections) {
    const uint64_t silent = oldest(State::kSilent), stranger = oldest(State::kStranger);
    if (silent == 0 && stranger == 0) {
      refusals_.add("connections", fmt::format("{} refused: {} connections are as many as this server takes",
                                               peer_of(socket), limits_.connections));
      ::close(socket);
      return;
    }
    end(silent != 0 ? silent : stranger, "made room for a new connection: it had not said who it is");
  }
  if (of_state_[State::kSilent].size() >= limits_.silent) {
    end(oldest(State::kSilent), "made room for a new connection: it had said nothing");
  }
  const uint64_t number = next_++;
  Connection connection{socket, State::kSilent, Clock::now(), peer_of(socket), false, 0, {}};
  by_peer_[connection.peer] = number;
  connections_.emplace(number, std::move(connection));
  of_state_[State::kSilent].insert(number);
  watch(epoll_, EPOLL_CTL_ADD, socket, number, EPOLLIN | EPOLLRDHUP);
}

void Gate::hear(uint64_t number, uint32_t events) {
  std::unique_lock lock(mutex_);
  const auto connection = connections_.find(number);
  if (connection == connections_.end()) return;  // ended in this round
  if ((events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR)) != 0) {
    tell_of_handshake(connection->second);
    return forget(number);
  }
  if (connection->second.state == State::kStranger) return weigh(number);
  if (connection->second.state == State::kKnown) return;
  const int socket = ::fcntl(connection->second.socket, F_DUPFD_CLOEXEC, 0);
  if (socket < 0) return end(number, "refused: this process has no file descriptors left");
  if (of_state_[State::kStranger].size() >= limits_.strangers) {
    end(oldest(State::kStranger), "made room for a new connection: it had not said who it is");
  }
  change(number, State::kStranger);
  // From now on, whenever more comes: gRPC is as quick to read it.
  watch(epoll_, EPOLL_CTL_MOD, connection->second.socket, number, EPOLLIN | EPOLLRDHUP | EPOLLET);
  lock.unlock();
  take_(number, socket);
}

void Gate::tell_of_ended() {
  std::vector<uint64_t> ended;
  {
    const std::lock_guard lock(mutex_);
    ended.swap(ended_);
  }
  for (const uint64_t number : ended) gone_(number);
}

void Gate::look() {
  const std::lock_guard lock(mutex_);
  for (const auto& [state, most] :
       {std::pair{State::kSilent, limits_.silent_seconds}, {State::kStranger, limits_.stranger_seconds}}) {
    for (uint64_t number = oldest(state); number != 0; number = oldest(state)) {
      if (seconds_since(connections_.at(number).since) < most) break;
      end(number, fmt::format("ended: it had not said who it is for {} seconds", most));
    }
  }
}

void Gate::weigh(uint64_t number) {
  if (bytes_received(connections_.at(number).socket) <= limits_.stranger_bytes) return;
  end(number, fmt::format("ended: it sent more than {} bytes without saying who it is", limits_.stranger_bytes));
}

void Gate::tell_of_handshake(const Connection& connection) {
  if (connection.state != State::kStranger || connection.has_called) return;
  const std::string what =
      "left without a call; do both sides use TLS, or neither, and have certificates that the other knows?";
  refusals_.add(what, fmt::format("{} {}", connection.peer, what));
}

void Gate::called(const std::string& grpc_peer) {
  const std::lock_guard lock(mutex_);
  const auto number = by_peer_.find(peer_of(grpc_peer));
  if (number != by_peer_.end()) connections_.at(number->second).has_called = true;
}

void Gate::known(const std::string& grpc_peer) {
  const std::lock_guard lock(mutex_);
  const auto number = by_peer_.find(peer_of(grpc_peer));
  if (number == by_peer_.end()) return;
  const Connection& connection = connections_.at(number->second);
  if (connection.state == State::kKnown) return;
  watch(epoll_, EPOLL_CTL_MOD, connection.socket, number->second, EPOLLRDHUP);
  change(number->second, State::kKnown);
}

void Gate::offence(const std::string& grpc_peer) {
  const std::lock_guard lock(mutex_);
  const auto number = by_peer_.find(peer_of(grpc_peer));
  if (number == by_peer_.end()) return;
  Connection& connection = connections_.at(number->second);
  const auto now = Clock::now();
  if (now - connection.offences_since > kOffenceWindow) {
    connection.offences_since = now;
    connection.offences = 0;
  }
  if (++connection.offences <= limits_.offences) return;
  end(number->second,
      fmt::format("ended: more than {} of its calls in a second were refused or taken back", limits_.offences));
}

void Gate::change(uint64_t number, State state) {
  Connection& connection = connections_.at(number);
  of_state_[connection.state].erase(number);
  connection.state = state;
  connection.since = Clock::now();
  of_state_[state].insert(number);
}

uint64_t Gate::oldest(State state) const {
  const auto numbers = of_state_.find(state);
  return numbers == of_state_.end() || numbers->second.empty() ? 0 : *numbers->second.begin();
}

void Gate::end(uint64_t number, const std::string& why) {
  const Connection& connection = connections_.at(number);
  refusals_.add(why, fmt::format("{} {}", connection.peer, why));
  // Shut down alone, gRPC would first read what has come; disconnected, that is gone too.
  sockaddr none{};
  none.sa_family = AF_UNSPEC;
  ::connect(connection.socket, &none, sizeof none);
  forget(number);
}

void Gate::forget(uint64_t number) {
  const auto connection = connections_.find(number);
  of_state_[connection->second.state].erase(number);
  const auto peer = by_peer_.find(connection->second.peer);
  if (peer != by_peer_.end() && peer->second == number) by_peer_.erase(peer);
  ::close(connection->second.socket);  // which takes it out of epoll
  if (connection->second.state != State::kSilent) ended_.push_back(number);
  connections_.erase(connection);
}

}  // namespace vantage::rpc
