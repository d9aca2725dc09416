// Tests of permissions, which do not bind root.
#pragma once

#include <unistd.h>

namespace vantage::test {

// While it lives, the process is one that permissions bind: root becomes another user, anyone else stays who they are.
class Unprivileged {
 public:
  Unprivileged() : was_root_(::getuid() == 0), bound_(!was_root_ || ::setresuid(kNobody, kNobody, 0) == 0) {}
  Unprivileged(const Unprivileged&) = delete;
  Unprivileged& operator=(const Unprivileged&) = delete;
  ~Unprivileged() {
    if (was_root_ && ::setresuid(0, 0, 0) != 0) ::_exit(1);
  }

  bool bound() const { return bound_; }  // false where the system does not let root become another

 private:
  static constexpr uid_t kNobody = 65534;
  bool was_root_;
  bool bound_;
};

}  // namespace vantage::test
