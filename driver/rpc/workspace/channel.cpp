#include "driver/rpc/workspace/channel.h"

#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>

#include "base/error.h"
#include "driver/rpc/protocol/quota.h"

namespace vantage::rpc {

namespace {

using Length = uint32_t;
// Of a message: a little more than what a client may send. What the other side says to be longer would only fill
// memory.
constexpr Length kLongest = Length{kLargestMessage} + (1 << 20);

}  // namespace

Channel::~Channel() {
  ::close(socket_);
}

void Channel::send(const google::protobuf::MessageLite& message) {
  const auto length = static_cast<Length>(message.ByteSizeLong());
  std::string bytes(sizeof length, '\0');
  std::memcpy(bytes.data(), &length, sizeof length);
  VANTAGE_CHECK(message.AppendToString(&bytes));
  for (size_t sent = 0; sent < bytes.size();) {
    const ssize_t size = ::send(socket_, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) throw ChannelClosed();
    sent += static_cast<size_t>(size);
  }
}

void Channel::receive(google::protobuf::MessageLite& message) {
  Length length = 0;
  fill(sizeof length);
  std::memcpy(&length, received_.data(), sizeof length);
  if (length > kLongest) throw ChannelClosed();
  fill(sizeof length + length);
  // The other side is of this build, but what it does may have been bent by what it was given.
  if (!message.ParseFromArray(received_.data() + sizeof length, static_cast<int>(length))) throw ChannelClosed();
  received_.erase(0, sizeof length + length);
}

void Channel::fill(size_t size) {
  std::array<char, size_t{64} << 10> piece;  // NOLINT(*-member-init): filled by recv
  while (received_.size() < size) {
    const ssize_t got = ::recv(socket_, piece.data(), piece.size(), 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) throw ChannelClosed();
    received_.append(piece.data(), static_cast<size_t>(got));
  }
}

}  // namespace vantage::rpc
