// Where a server's device is: what follows rpc: or rpcs: in a target, whether or not this build can call it.
#pragma once

#include <string>
#include <string_view>

namespace vantage::driver {

// "rpc://HOST:PORT[/DEVICE]", or rpcs:// for TLS. Throws Error for anything else, with what it was given as.
struct ServerAddress {
  explicit ServerAddress(const std::string& uri, std::string_view given_as = "target");

  std::string uri, host_and_port, device;
  bool tls;
};

}  // namespace vantage::driver
