#include "driver/rpc/workspace/shared_process.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <system_error>

#include "base/error.h"
#include "driver/rpc/protocol/errors.h"
#include "driver/rpc/workspace/spawn.h"
#include "driver/rpc/workspace/workspace_host.h"
#include "driver/rpc/workspace/workspace_link.h"

namespace vantage::rpc {

namespace {

// A session on a device that others have too.
class SharedLink : public WorkspaceLink {
 public:
  explicit SharedLink(const std::function<void(const std::vector<int>&)>& take) { hand_over(take); }
};

void send_files(int socket, const std::vector<int>& files) {
  std::array<char, 64> control{};
  VANTAGE_CHECK(CMSG_SPACE(files.size() * sizeof(int)) <= control.size());
  char byte = 0;
  iovec data{&byte, 1};
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = CMSG_SPACE(files.size() * sizeof(int));
  cmsghdr* const header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(files.size() * sizeof(int));
  std::memcpy(CMSG_DATA(header), files.data(), files.size() * sizeof(int));
  if (::sendmsg(socket, &message, MSG_NOSIGNAL) == 1) return;
  throw SessionOver("the process that holds the device is gone; the server must be started again");
}

}  // namespace

std::vector<std::string> SharedDevice::arguments() const {
  return {uri, boards.string(), manifest.string(), bitstreams.string(),
          allow_unverified ? "flash-unverified"
          : allow_flash    ? "flash"
                           : "no-flash"};
}

SharedDevice SharedDevice::parse(const std::vector<std::string>& arguments) {
  VANTAGE_CHECK(arguments.size() == 5);
  const bool unverified = arguments[4] == "flash-unverified";
  return {arguments[0], arguments[1], arguments[2], arguments[3], unverified || arguments[4] == "flash", unverified};
}

SharedProcess::SharedProcess(const std::filesystem::path& program, const SharedDevice& device) {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    throw std::system_error(errno, std::generic_category(), "a device's sockets");
  }
  socket_ = ends[0];
  const int its = ::fcntl(ends[1], F_DUPFD_CLOEXEC, kLeastFile);
  ::close(ends[1]);
  try {
    spawn(program, device.arguments(), {its});
  } catch (...) {
    ::close(its);
    ::close(socket_);
    throw;
  }
  ::close(its);
}

SharedProcess::~SharedProcess() {
  ::close(socket_);
}

std::unique_ptr<Workspace> SharedProcess::start() {
  return std::make_unique<SharedLink>([this](const std::vector<int>& files) {
    const std::lock_guard lock(mutex_);
    send_files(socket_, files);
  });
}

void SharedProcess::flash(const boards::FlashJob& job, const std::function<void(const std::string&)>& step,
                          const std::stop_token& stop) {
  v1::WorkspaceRequest request;
  v1::BitstreamJob& message = *request.mutable_flash();
  message.set_name(job.name);
  message.set_bitstream(job.bitstream);
  message.set_config_json(job.config_json);
  message.set_register_map(job.register_map);
  message.set_clock_mhz(job.clock_mhz);
  message.set_force(job.force);
  SharedLink link([this](const std::vector<int>& files) {
    const std::lock_guard lock(mutex_);
    send_files(socket_, files);
  });
  link.answer(std::move(request), step, stop);
}

}  // namespace vantage::rpc
