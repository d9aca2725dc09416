// What tests of TLS need: certificates, and a client that may stop anywhere in a handshake or behind it.
#pragma once

#include <memory>
#include <string>

#include "driver/rpc/protocol/access.h"
#include "tests/driver/rpc/attacks.h"
#include "tests/support/temporary.h"

struct ssl_st;

namespace vantage::test {

// A certificate and its key, NAME.crt and NAME.key, signed by themselves, for 127.0.0.1 or whom `subject` names.
rpc::TlsFiles certificate(const TemporaryFolder& folder, const std::string& name,
                          const std::string& subject = "IP:127.0.0.1");

// The first message of a handshake, of someone who takes any certificate and speaks HTTP/2.
std::string client_hello();

// A connection whose handshake was done, and that then sends what it is told.
class TlsAttacker {
 public:
  // Throws Error when there is none.
  explicit TlsAttacker(int port);

  // False once the other side has closed.
  bool send(const std::string& bytes);

 private:
  Attacker connection_;
  std::unique_ptr<ssl_st, void (*)(ssl_st*)> tls_;
};

}  // namespace vantage::test
