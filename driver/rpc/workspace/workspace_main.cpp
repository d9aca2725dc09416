// A process of a server's, which `vantage serve` starts, and nobody else: of one session, for programs or, with the
// argument "code", for code; or, with other arguments, of a device that all sessions share.
#include <google/protobuf/stubs/logging.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include <unistd.h>

#include "base/error.h"
#include "driver/open/local_kinds.h"
#include "driver/rpc/workspace/code_workspace.h"
#include "driver/rpc/workspace/local_workspace.h"
#include "driver/rpc/workspace/served_device.h"
#include "driver/rpc/workspace/shared_host.h"

namespace {

using namespace vantage;

// What a session may do is what its device does; should its process be made to do more, it has no more than this.
void give_up_privileges() {
  ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  // A crash must not fill the disk.
  const rlimit none{0, 0};
  ::setrlimit(RLIMIT_CORE, &none);
}

void host_session() {
  // When memory runs out, a session goes before the server does.
  std::ofstream("/proc/self/oom_score_adj") << "1000";
  rpc::LocalWorkspace workspace(driver::local_accelerators());
  rpc::host_workspace(workspace, {rpc::kChannelFile, rpc::kControlFile, rpc::kPieceFile}, {[] { ::_exit(0); }});
}

// Code of a client's.
void host_code(bool confined) {
  std::ofstream("/proc/self/oom_score_adj") << "1000";
  rpc::CodeWorkspace workspace(confined);
  rpc::host_workspace(workspace, {rpc::kChannelFile, rpc::kControlFile, rpc::kPieceFile}, {[] { ::_exit(0); }});
  ::_exit(0);  // what it loaded has nothing to say at the end
}

void host_device(const std::vector<std::string>& arguments) {
  rpc::ServedDevice device(rpc::SharedDevice::parse(arguments));
  rpc::HostOptions options;
  options.flash = [&](const boards::FlashJob& job, const boards::Step& step, const std::stop_token& stop) {
    device.flash(job, step, stop);
  };
  rpc::host_shared(
      rpc::kChannelFile, [&] { return device.start(); }, options);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    give_up_privileges();
    google::protobuf::SetLogHandler(nullptr);  // what is wrong with a message is its sender's to hear
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    if (arguments.empty()) {
      host_session();
    } else if (arguments[0] == "code" || arguments[0] == "unconfined-code") {
      host_code(arguments[0] == "code");
    } else {
      host_device(arguments);
    }
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "vantage-workspace: %s\n", error.what());
    return 1;
  }
}
