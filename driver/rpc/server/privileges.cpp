#include "driver/rpc/server/privileges.h"

#include <grp.h>
#include <pwd.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "base/error.h"

namespace vantage::rpc {

void become_user(const std::string& name) {
  const passwd* const user = ::getpwnam(name.c_str());
  if (user == nullptr) fail("--user {}: this machine has no such user; `useradd --system {}` makes one", name, name);
  if (user->pw_uid == ::geteuid()) return;
  if (::initgroups(name.c_str(), user->pw_gid) != 0 || ::setgid(user->pw_gid) != 0 || ::setuid(user->pw_uid) != 0) {
    fail("--user {}: this process may not become {}: {}; start it as root", name, name, std::strerror(errno));
  }
  VANTAGE_CHECK(::setuid(0) != 0);  // for good
  ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  ::setenv("HOME", user->pw_dir, 1);
}

bool is_root() {
  return ::geteuid() == 0;
}

}  // namespace vantage::rpc
