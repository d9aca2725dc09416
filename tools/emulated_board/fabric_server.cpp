#include "tools/emulated_board/fabric_server.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "base/error.h"
#include "driver/boards/system.h"

namespace vantage::emulated {

namespace {

constexpr int kLookMilliseconds = 100;  // for a stop

struct Request {
  uint8_t op;
  uint8_t size;
  uint16_t zero;
  uint32_t address;
  uint32_t data;
};
static_assert(sizeof(Request) == 12);

struct Answer {
  uint32_t data;
  uint32_t interrupt;
};

// Whether there is something to read before `stop` is requested.
bool wait_readable(int file, const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    pollfd entry{file, POLLIN, 0};
    if (::poll(&entry, 1, kLookMilliseconds) > 0) return true;
  }
  return false;
}

class Client {
 public:
  explicit Client(int file) : file_(file) {}
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;
  ~Client() { ::close(file_); }

  // False when the client has gone.
  bool read(Request& request, const std::stop_token& stop) const {
    for (size_t have = 0; have < sizeof request;) {
      if (!wait_readable(file_, stop)) return false;
      const ssize_t got = ::read(file_, reinterpret_cast<char*>(&request) + have, sizeof request - have);
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) return false;
      have += static_cast<size_t>(got);
    }
    return true;
  }
  bool write(const Answer& answer) const {
    return ::send(file_, &answer, sizeof answer, MSG_NOSIGNAL) == static_cast<ssize_t>(sizeof answer);
  }

 private:
  const int file_;
};

}  // namespace

FabricServer::FabricServer(std::filesystem::path socket) : path_(std::move(socket)) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string text = path_.string();
  if (text.size() >= sizeof address.sun_path) fail("{}: too long for a socket's name", text);
  std::memcpy(address.sun_path, text.data(), text.size());
  listener_ = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (listener_ < 0 || ::bind(listener_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      ::listen(listener_, 1) != 0) {
    const int error = errno;
    if (listener_ >= 0) ::close(listener_);
    fail("{}: cannot be listened on: {}", text, boards::text_of(error));
  }
}

FabricServer::~FabricServer() {
  ::close(listener_);
  ::unlink(path_.c_str());
}

void FabricServer::serve(Fabric& fabric, uint32_t address, uint32_t bytes, const std::stop_token& stop) {
  if (!wait_readable(listener_, stop)) return;
  const int accepted = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
  if (accepted < 0) fail("{}: no client can be taken: {}", path_.string(), boards::text_of(errno));
  const Client client(accepted);
  Request request{};
  while (client.read(request, stop)) {
    const uint32_t offset = request.address - address;
    const bool inside = offset < bytes;
    Answer answer{};
    switch (request.op) {
      case 'R':
        if (inside) answer.data = fabric.read(offset & ~3U) >> (8 * (offset & 3));
        break;
      case 'W':
        // The cores have registers of whole words.
        if (inside && request.size == 4 && offset % 4 == 0) fabric.write(offset, request.data);
        break;
      case 'P': fabric.tick(); break;
      default: fail("{}: the request 0x{:02x} is none of R, W and P", path_.string(), request.op);
    }
    answer.interrupt = fabric.interrupt() ? 1 : 0;
    if (!client.write(answer)) return;
  }
}

}  // namespace vantage::emulated
