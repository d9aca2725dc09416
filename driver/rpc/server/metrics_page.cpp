#include "driver/rpc/server/metrics_page.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <vector>

#include "base/error.h"

namespace vantage::rpc {

namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kPatience = std::chrono::seconds(1);
constexpr int kLookMilliseconds = 100;  // for the end

bool wait_for(int socket, short events, Clock::time_point end) {
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now());
  pollfd file{socket, events, 0};
  return left.count() > 0 && ::poll(&file, 1, static_cast<int>(left.count())) > 0;
}

void answer(int socket, const std::function<std::string()>& text) {
  const auto end = Clock::now() + kPatience;
  // The first line says what is asked for; nothing that comes after it matters.
  std::string request;
  std::array<char, 1024> piece{};
  while (request.find('\n') == std::string::npos && request.size() < piece.size()) {
    if (!wait_for(socket, POLLIN, end)) return;
    const ssize_t size = ::recv(socket, piece.data(), piece.size(), 0);
    if (size <= 0) return;
    request.append(piece.data(), static_cast<size_t>(size));
  }
  const bool is_page = request.starts_with("GET /metrics ") || request.starts_with("GET / ");
  const std::string body = is_page ? text() : "the only page is /metrics\n";
  const std::string reply =
      fmt::format("HTTP/1.0 {}\r\nContent-Type: text/plain; version=0.0.4\r\nContent-Length: {}\r\n\r\n{}",
                  is_page ? "200 OK" : "404 Not Found", body.size(), body);
  for (size_t sent = 0; sent < reply.size();) {
    if (!wait_for(socket, POLLOUT, end)) return;
    const ssize_t size = ::send(socket, reply.data() + sent, reply.size() - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (size < 0) return;
    sent += static_cast<size_t>(size);
  }
  // Read to its end, what was asked is not taken back by a reset that overtakes the answer.
  ::shutdown(socket, SHUT_WR);
  while (wait_for(socket, POLLIN, end) && ::recv(socket, piece.data(), piece.size(), 0) > 0) {
  }
}

const std::string& require_loopback(const std::string& address) {
  if (is_loopback(address)) return address;
  fail(
      "{} is reached from other machines, and the page of metrics asks nobody who he is; expected a loopback address, "
      "as 127.0.0.1:9092",
      address);
}

}  // namespace

MetricsPage::MetricsPage(const std::string& listen, std::function<std::string()> text)
    : listener_(require_loopback(listen)), text_(std::move(text)) {
  thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

MetricsPage::~MetricsPage() = default;

void MetricsPage::run(const std::stop_token& stop) {
  std::vector<pollfd> files;
  for (const int socket : listener_.sockets()) files.push_back({socket, POLLIN, 0});
  while (!stop.stop_requested()) {
    if (::poll(files.data(), files.size(), kLookMilliseconds) <= 0) continue;
    for (const pollfd& file : files) {
      const int socket = file.revents == 0 ? -1 : ::accept4(file.fd, nullptr, nullptr, SOCK_CLOEXEC);
      if (socket < 0) continue;
      answer(socket, text_);
      ::close(socket);
    }
  }
}

}  // namespace vantage::rpc
