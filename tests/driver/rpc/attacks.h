// What may be sent to a server by who has no token: bytes on connections, and HTTP/2 as no library would send it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace vantage::test {

// A connection to 127.0.0.1, closed with the object.
class Attacker {
 public:
  explicit Attacker(int port);
  Attacker(Attacker&& other) noexcept;
  Attacker& operator=(Attacker&&) = delete;
  ~Attacker();

  // False once the other side has closed.
  bool send(const std::string& bytes);
  bool is_open() const;
  int socket() const { return socket_; }
  // What comes until the other side closes.
  std::string read_all();

 private:
  int socket_;
};

// What a connection of HTTP/2 begins with.
std::string http2_preface();
// The beginning of a call, and its end with or without a message; streams have odd numbers.
std::string http2_call(uint32_t stream, const std::string& path, bool ends);
// Takes a call back.
std::string http2_reset(uint32_t stream);

// So many connections, at most `at_once` of them at one time, each of which sends `bytes` and is dropped.
void open_and_drop(int port, size_t connections, size_t at_once, const std::string& bytes);
// Connections that each begin so many calls and end none; they last as long as what is returned.
std::vector<Attacker> hold_streams(int port, size_t connections, size_t streams, const std::string& path);
// Begins so many calls on one connection and takes each back at once. How many were sent before the server closed it.
size_t rapid_reset(int port, size_t calls, const std::string& path);

int port_of(const std::string& uri);

}  // namespace vantage::test
