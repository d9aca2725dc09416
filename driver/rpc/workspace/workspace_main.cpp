// The process of one session of a server: `vantage serve` starts it, and nobody else.
#include <sys/prctl.h>
#include <sys/resource.h>

#include <cstdio>
#include <fstream>

#include "driver/open/local_kinds.h"
#include "driver/rpc/workspace/local_workspace.h"
#include "driver/rpc/workspace/workspace_host.h"

namespace {

using namespace vantage;

// What a session may do is what its device does; should its process be made to do more, it has no more than this.
void give_up_privileges() {
  ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  // A crash must not fill the disk.
  const rlimit none{0, 0};
  ::setrlimit(RLIMIT_CORE, &none);
  // When memory runs out, a session goes before the server does.
  std::ofstream("/proc/self/oom_score_adj") << "1000";
}

}  // namespace

int main() {
  try {
    give_up_privileges();
    rpc::LocalWorkspace workspace(driver::local_accelerators());
    rpc::host_workspace(workspace);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "vantage-workspace: %s\n", error.what());
    return 1;
  }
}
