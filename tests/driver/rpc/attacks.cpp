#include "tests/driver/rpc/attacks.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <deque>
#include <utility>

#include "base/error.h"

namespace vantage::test {

namespace {

enum class Frame : uint8_t { kHeaders = 1, kReset = 3, kSettings = 4 };
constexpr uint8_t kEndStream = 1, kEndHeaders = 4;

std::string big_endian(uint32_t value, int bytes) {
  std::string text;
  for (int i = bytes - 1; i >= 0; --i) text += static_cast<char>(value >> (8 * i) & 0xff);
  return text;
}

std::string frame(Frame type, uint8_t flags, uint32_t stream, const std::string& payload) {
  return big_endian(static_cast<uint32_t>(payload.size()), 3) + static_cast<char>(type) + static_cast<char>(flags) +
         big_endian(stream, 4) + payload;
}

// A string as HPACK has it: its length, of less than 127, and its bytes.
std::string hpack(const std::string& text) {
  VANTAGE_CHECK(text.size() < 127);
  return static_cast<char>(text.size()) + text;
}

}  // namespace

Attacker::Attacker(int port) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) return;
  ::close(socket_);
  fail("the server does not listen on port {}", port);
}

Attacker::Attacker(Attacker&& other) noexcept : socket_(std::exchange(other.socket_, -1)) {}

Attacker::~Attacker() {
  if (socket_ >= 0) ::close(socket_);
}

bool Attacker::send(const std::string& bytes) {
  for (size_t sent = 0; sent < bytes.size();) {
    const ssize_t size = ::send(socket_, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
    if (size < 0) return false;
    sent += static_cast<size_t>(size);
  }
  return true;
}

bool Attacker::is_open() const {
  pollfd file{socket_, POLLRDHUP, 0};
  return ::poll(&file, 1, 0) == 0;
}

std::string Attacker::read_all() {
  std::string all;
  std::array<char, 4096> piece{};
  for (ssize_t size = 0; (size = ::recv(socket_, piece.data(), piece.size(), 0)) > 0;) {
    all.append(piece.data(), static_cast<size_t>(size));
  }
  return all;
}

std::string http2_preface() {
  return "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(Frame::kSettings, 0, 0, "");
}

std::string http2_call(uint32_t stream, const std::string& path, bool ends) {
  // Fields of HPACK's static table by their numbers; then one of a name of its own.
  const std::string fields = std::string("\x83\x86", 2) + '\x04' + hpack(path) + '\x01' + hpack("localhost") +
                             std::string("\x0f\x10", 2) + hpack("application/grpc") + std::string(1, '\0') +
                             hpack("te") + hpack("trailers");
  return frame(Frame::kHeaders, ends ? kEndStream | kEndHeaders : kEndHeaders, stream, fields);
}

std::string http2_reset(uint32_t stream) {
  constexpr uint32_t kCancel = 8;
  return frame(Frame::kReset, 0, stream, big_endian(kCancel, 4));
}

void open_and_drop(int port, size_t connections, size_t at_once, const std::string& bytes) {
  std::deque<Attacker> open;
  for (size_t i = 0; i < connections; ++i) {
    if (open.size() == at_once) open.pop_front();
    open.emplace_back(port).send(bytes);
  }
}

std::vector<Attacker> hold_streams(int port, size_t connections, size_t streams, const std::string& path) {
  std::vector<Attacker> open;
  for (size_t i = 0; i < connections; ++i) {
    std::string bytes = http2_preface();
    for (uint32_t stream = 0; stream < streams; ++stream) bytes += http2_call(2 * stream + 1, path, false);
    open.emplace_back(port).send(bytes);
  }
  return open;
}

size_t rapid_reset(int port, size_t calls, const std::string& path) {
  constexpr size_t kBatch = 100;
  Attacker attacker(port);
  if (!attacker.send(http2_preface())) return 0;
  for (size_t sent = 0; sent < calls; sent += kBatch) {
    std::string bytes;
    for (size_t i = sent; i < sent + kBatch; ++i) {
      const auto stream = static_cast<uint32_t>(2 * i + 1);
      bytes += http2_call(stream, path, true) + http2_reset(stream);
    }
    if (!attacker.send(bytes)) return sent;
  }
  return calls;
}

int port_of(const std::string& uri) {
  return std::stoi(uri.substr(uri.rfind(':') + 1));
}

}  // namespace vantage::test
