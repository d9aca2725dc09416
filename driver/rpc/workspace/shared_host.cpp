#include "driver/rpc/workspace/shared_host.h"

#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <list>
#include <optional>
#include <thread>

namespace vantage::rpc {

namespace {

// None when the server has gone.
std::optional<HostFiles> receive_files(int socket) {
  std::array<char, 64> control{};
  char byte = 0;
  iovec data{&byte, 1};
  while (true) {
    msghdr message{};
    message.msg_iov = &data;
    message.msg_iovlen = 1;
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    const ssize_t size = ::recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return std::nullopt;
    const cmsghdr* const header = CMSG_FIRSTHDR(&message);
    HostFiles files{};
    if (header == nullptr || header->cmsg_len != CMSG_LEN(sizeof files)) continue;  // this process has no files left
    std::memcpy(&files, CMSG_DATA(header), sizeof files);
    return files;
  }
}

struct Hosted {
  std::atomic<bool> done = false;
  std::thread thread;
};

}  // namespace

void host_shared(int socket, const std::function<std::unique_ptr<Workspace>()>& start, const HostOptions& options) {
  std::list<Hosted> sessions;
  while (const auto files = receive_files(socket)) {
    sessions.remove_if([](Hosted& session) {
      if (session.done) session.thread.join();
      return session.done.load();
    });
    Hosted& session = sessions.emplace_back();
    session.thread = std::thread([&session, &start, &options, files = *files] {
      host_workspace(*start(), files, options);
      session.done = true;
    });
  }
  for (Hosted& session : sessions) session.thread.join();
}

}  // namespace vantage::rpc
