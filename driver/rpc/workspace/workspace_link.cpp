#include "driver/rpc/workspace/workspace_link.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <system_error>
#include <utility>

#include "base/error.h"
#include "driver/rpc/protocol/errors.h"
#include "driver/rpc/protocol/quota.h"
#include "driver/rpc/workspace/workspace_host.h"

namespace vantage::rpc {

namespace {

int moved(int file) {
  const int higher = ::fcntl(file, F_DUPFD_CLOEXEC, kLeastFile);
  const int error = errno;
  ::close(file);
  if (higher < 0) throw std::system_error(error, std::generic_category(), "a session's socket");
  return higher;
}

std::array<int, 2> socket_pair() {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    throw std::system_error(errno, std::generic_category(), "a session's sockets");
  }
  return {moved(ends[0]), moved(ends[1])};
}

[[noreturn]] void throw_failure(const v1::Failure& failure) {
  switch (failure.kind()) {
    case v1::Failure::QUOTA: throw QuotaError(failure.message());
    case v1::Failure::TOOL: throw ToolError(failure.message(), failure.output());
    case v1::Failure::MEMORY: throw std::bad_alloc();
    case v1::Failure::OWN: throw InternalError(failure.message());
    default: throw Error(failure.message());
  }
}

}  // namespace

LinkEnds::LinkEnds() {
  try {
    for (const size_t first : {size_t{kChannel}, size_t{kControl}}) {
      const auto pair = socket_pair();
      files_.at(first) = pair[0];
      files_.at(first + 1) = pair[1];
    }
  } catch (...) {
    this->~LinkEnds();
    throw;
  }
}

LinkEnds::~LinkEnds() {
  for (const int file : files_) {
    if (file >= 0) ::close(file);
  }
}

int LinkEnds::take(End end) {
  return std::exchange(files_.at(end), -1);
}

WorkspaceLink::WorkspaceLink() : channel_(ends_.take(LinkEnds::kChannel)), control_(ends_.take(LinkEnds::kControl)) {}

void WorkspaceLink::hand_over(const std::function<void(const std::vector<int>& files)>& take) {
  const int channel = ends_.take(LinkEnds::kItsChannel), control = ends_.take(LinkEnds::kItsControl);
  const struct Closed {  // here, so that their end is seen once the other process is gone
    int channel, control;
    ~Closed() {
      ::close(channel);
      ::close(control);
    }
  } closed{channel, control};
  take({channel, control, piece_.file()});
}

WorkspaceLink::~WorkspaceLink() {
  ::close(control_);
}

v1::WorkspaceReply WorkspaceLink::answer(v1::WorkspaceRequest request,
                                         const std::function<void(const std::string&)>& progress,
                                         const std::stop_token& stop) {
  const uint64_t number = next_number_++;
  request.set_number(number);
  v1::WorkspaceReply reply;
  try {
    if (gone_) throw ChannelClosed();
    const std::stop_callback ask(stop, [&] { ::send(control_, &number, sizeof number, MSG_NOSIGNAL | MSG_DONTWAIT); });
    channel_.send(request);
    do {
      channel_.receive(reply);
      if (reply.has_step() && progress) progress(reply.step());
    } while (reply.has_step());
  } catch (const ChannelClosed&) {
    gone_ = true;
    throw SessionOver(
        fmt::format("the session is over, for its process is gone: {}; open the device again", how_it_ended()));
  }
  if (reply.has_failure()) throw_failure(reply.failure());
  return reply;
}

v1::OpenReply WorkspaceLink::open(const v1::OpenRequest& request,
                                  const std::function<void(const std::string&)>& progress,
                                  const std::stop_token& stop) {
  v1::WorkspaceRequest opening;
  *opening.mutable_open() = request;
  return answer(std::move(opening), progress, stop).open();
}

v1::WorkspaceReply WorkspaceLink::call(const v1::WorkspaceRequest& request, const std::stop_token& stop) {
  return answer(request, nullptr, stop);
}

void WorkspaceLink::write(Bytes address, std::span<const std::byte> bytes, const std::stop_token& stop) {
  v1::WorkspaceRequest request;
  do {
    const auto piece = bytes.first(std::min<size_t>(bytes.size(), kPieceBytes));
    std::copy(piece.begin(), piece.end(), piece_.bytes().begin());
    request.mutable_write()->set_address(address.count());
    request.mutable_write()->set_bytes(piece.size());
    answer(request, nullptr, stop);
    bytes = bytes.subspan(piece.size());
    address += Bytes(piece.size());
  } while (!bytes.empty());
}

void WorkspaceLink::read(Bytes address, std::span<std::byte> bytes, const std::stop_token& stop) {
  v1::WorkspaceRequest request;
  do {
    const auto piece = bytes.first(std::min<size_t>(bytes.size(), kPieceBytes));
    request.mutable_read()->set_address(address.count());
    request.mutable_read()->set_bytes(piece.size());
    answer(request, nullptr, stop);
    std::copy_n(piece_.bytes().begin(), piece.size(), piece.begin());
    bytes = bytes.subspan(piece.size());
    address += Bytes(piece.size());
  } while (!bytes.empty());
}

}  // namespace vantage::rpc
