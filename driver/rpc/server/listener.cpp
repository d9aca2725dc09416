#include "driver/rpc/server/listener.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <memory>
#include <utility>

#include "base/error.h"

namespace vantage::rpc {

namespace {

struct HostAndPort {
  std::string host;  // without brackets
  int port;
};

HostAndPort parse(const std::string& address) {
  const size_t colon = address.rfind(':');
  std::string host = address.substr(0, std::min(colon, address.size()));
  const bool in_brackets = host.size() > 2 && host.front() == '[' && host.back() == ']';
  if (in_brackets) host = host.substr(1, host.size() - 2);
  if (colon == std::string::npos || host.empty() || (!in_brackets && host.find(':') != std::string::npos)) {
    fail("'{}' is no address to listen on; expected HOST:PORT, as 127.0.0.1:9091 or [::1]:9091", address);
  }
  int port = 0;
  const char* const end = address.data() + address.size();
  const auto parsed = std::from_chars(address.data() + colon + 1, end, port);
  if (parsed.ec != std::errc() || parsed.ptr != end || port < 0 || port > 65535) {
    fail("'{}': '{}' is no port; expected a number from 0 to 65535", address, address.substr(colon + 1));
  }
  return {host, port};
}

struct FreeAddresses {
  void operator()(addrinfo* list) const { ::freeaddrinfo(list); }
};
using Addresses = std::unique_ptr<addrinfo, FreeAddresses>;

// Null, and why, when the host has none.
std::pair<Addresses, std::string> resolve(const HostAndPort& address) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  addrinfo* list = nullptr;
  const int error = ::getaddrinfo(address.host.c_str(), std::to_string(address.port).c_str(), &hints, &list);
  return {Addresses(list), error == 0 ? "" : ::gai_strerror(error)};
}

bool is_of_loopback(const sockaddr& address) {
  if (address.sa_family == AF_INET) {
    return ntohl(reinterpret_cast<const sockaddr_in&>(address).sin_addr.s_addr) >> 24 == 127;
  }
  if (address.sa_family != AF_INET6) return false;
  const in6_addr& ip = reinterpret_cast<const sockaddr_in6&>(address).sin6_addr;
  return IN6_IS_ADDR_LOOPBACK(&ip) || (IN6_IS_ADDR_V4MAPPED(&ip) && ip.s6_addr[12] == 127);
}

int port_of(int socket) {
  sockaddr_storage bound{};
  socklen_t size = sizeof bound;
  VANTAGE_CHECK(::getsockname(socket, reinterpret_cast<sockaddr*>(&bound), &size) == 0);
  return ntohs(bound.ss_family == AF_INET6 ? reinterpret_cast<sockaddr_in6&>(bound).sin6_port
                                           : reinterpret_cast<sockaddr_in&>(bound).sin_port);
}

}  // namespace

Listener::Listener(const std::string& address) {
  const HostAndPort wanted = parse(address);
  host_ = wanted.host;
  port_ = wanted.port;
  const auto [addresses, unknown] = resolve(wanted);
  if (addresses == nullptr) fail("{}: cannot be listened on: {}", address, unknown);
  for (const addrinfo* next = addresses.get(); next != nullptr; next = next->ai_next) {
    const int socket = ::socket(next->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (socket < 0) continue;  // a family that this machine does not have
    sockets_.push_back(socket);
    const int on = 1, both = 0;
    ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (next->ai_family == AF_INET6) ::setsockopt(socket, IPPROTO_IPV6, IPV6_V6ONLY, &both, sizeof both);
    sockaddr_storage at{};
    std::memcpy(&at, next->ai_addr, next->ai_addrlen);
    // The addresses of one host share the port that was free.
    (at.ss_family == AF_INET6 ? reinterpret_cast<sockaddr_in6&>(at).sin6_port
                              : reinterpret_cast<sockaddr_in&>(at).sin_port) = htons(static_cast<uint16_t>(port_));
    if (::bind(socket, reinterpret_cast<const sockaddr*>(&at), next->ai_addrlen) != 0 ||
        ::listen(socket, SOMAXCONN) != 0) {
      const int error = errno;
      close();
      fail("{}: cannot be listened on: {}{}", address, std::strerror(error),
           error == EADDRINUSE ? "; is another server running?" : "");
    }
    if (port_ == 0) port_ = port_of(socket);
  }
  if (sockets_.empty()) fail("{}: cannot be listened on: this machine has no such network", address);
}

Listener::~Listener() {
  close();
}

void Listener::close() {
  for (const int socket : sockets_) ::close(socket);
  sockets_.clear();
}

std::string Listener::reachable() const {
  std::array<char, 256> name{};
  const bool all = host_ == "0.0.0.0" || host_ == "::";
  if (all && ::gethostname(name.data(), name.size() - 1) == 0) return fmt::format("{}:{}", name.data(), port_);
  return host_.find(':') == std::string::npos ? fmt::format("{}:{}", host_, port_)
                                              : fmt::format("[{}]:{}", host_, port_);
}

bool is_loopback(const std::string& address) {
  const auto [addresses, unknown] = resolve(parse(address));
  if (addresses == nullptr) return false;
  for (const addrinfo* next = addresses.get(); next != nullptr; next = next->ai_next) {
    if (!is_of_loopback(*next->ai_addr)) return false;
  }
  return true;
}

std::string peer_of(int socket) {
  sockaddr_storage peer{};
  socklen_t size = sizeof peer;
  if (::getpeername(socket, reinterpret_cast<sockaddr*>(&peer), &size) != 0) return "";
  std::array<char, INET6_ADDRSTRLEN> text{};
  if (peer.ss_family == AF_INET) {
    const auto& ip = reinterpret_cast<const sockaddr_in&>(peer);
    ::inet_ntop(AF_INET, &ip.sin_addr, text.data(), text.size());
    return fmt::format("{}:{}", text.data(), ntohs(ip.sin_port));
  }
  const auto& ip = reinterpret_cast<const sockaddr_in6&>(peer);
  if (IN6_IS_ADDR_V4MAPPED(&ip.sin6_addr)) {
    ::inet_ntop(AF_INET, &ip.sin6_addr.s6_addr[12], text.data(), text.size());
    return fmt::format("{}:{}", text.data(), ntohs(ip.sin6_port));
  }
  ::inet_ntop(AF_INET6, &ip.sin6_addr, text.data(), text.size());
  return fmt::format("[{}]:{}", text.data(), ntohs(ip.sin6_port));
}

std::string peer_of(const std::string& grpc_peer) {
  std::string peer;
  for (size_t i = std::min(grpc_peer.find(':'), grpc_peer.size() - 1) + 1; i < grpc_peer.size(); ++i) {
    unsigned value = 0;
    const char* const hex = grpc_peer.data() + i + 1;
    if (grpc_peer[i] == '%' && i + 2 < grpc_peer.size() && std::from_chars(hex, hex + 2, value, 16).ptr == hex + 2) {
      peer += static_cast<char>(value);
      i += 2;
    } else {
      peer += grpc_peer[i];
    }
  }
  return peer;
}

}  // namespace vantage::rpc
