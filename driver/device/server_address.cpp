#include "driver/device/server_address.h"

#include <algorithm>
#include <charconv>

#include "base/error.h"

namespace vantage::driver {

ServerAddress::ServerAddress(const std::string& text, std::string_view given_as)
    : uri(text), tls(text.starts_with("rpcs://")) {
  const std::string scheme = tls ? "rpcs://" : "rpc://";
  const auto refuse = [&] {
    fail("{} '{}' is no address; expected rpc://HOST:PORT or rpc://HOST:PORT/DEVICE", given_as, uri);
  };
  if (!text.starts_with(scheme)) refuse();
  const std::string rest = text.substr(scheme.size());
  const size_t slash = std::min(rest.find('/'), rest.size());
  host_and_port = rest.substr(0, slash);
  if (slash < rest.size()) device = rest.substr(slash + 1);
  const size_t colon = host_and_port.rfind(':');
  if (colon == std::string::npos || colon == 0) refuse();
  int port = 0;
  const char* end = host_and_port.data() + host_and_port.size();
  const auto parsed = std::from_chars(host_and_port.data() + colon + 1, end, port);
  if (parsed.ec != std::errc() || parsed.ptr != end || port < 1 || port > 65535) refuse();
}

}  // namespace vantage::driver
