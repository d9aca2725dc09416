// Messages between a server and one of its sessions' processes.
//
// Thread safety: one thread may send while another receives.
#pragma once

#include <google/protobuf/message_lite.h>

#include <stdexcept>
#include <string>

namespace vantage::rpc {

// The other process is gone.
class ChannelClosed : public std::runtime_error {
 public:
  ChannelClosed() : std::runtime_error("the other process is gone") {}
};

class Channel {
 public:
  // One end of a pair of stream sockets, which is closed with this.
  explicit Channel(int socket) : socket_(socket) {}
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;
  ~Channel();

  // Both throw ChannelClosed; receive() waits for a whole message.
  void send(const google::protobuf::MessageLite& message);
  void receive(google::protobuf::MessageLite& message);

 private:
  // Until there are so many bytes in the buffer.
  void fill(size_t size);

  const int socket_;
  std::string received_;  // and not taken yet
};

}  // namespace vantage::rpc
