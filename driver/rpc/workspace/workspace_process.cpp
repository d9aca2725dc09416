#include "driver/rpc/workspace/workspace_process.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>

#include "base/error.h"
#include "driver/rpc/workspace/spawn.h"

namespace vantage::rpc {

WorkspaceProcess::WorkspaceProcess(const std::filesystem::path& program, const std::vector<std::string>& arguments) {
  hand_over([&](const std::vector<int>& files) { pid_ = spawn(program, arguments, files); });
}

WorkspaceProcess::~WorkspaceProcess() {
  end();
  WorkspaceProcess::how_it_ended();
}

bool WorkspaceProcess::end() {
  if (!ended_.exchange(true)) ::kill(pid_, SIGKILL);
  return true;
}

bool WorkspaceProcess::is_gone() const {
  siginfo_t info{};
  return ended_ || ::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
         info.si_pid != 0;
}

std::string WorkspaceProcess::how_it_ended() {
  if (!ending_.empty()) return ending_;
  // One that is dying closes its files first; one that said what nobody understands is there still.
  for (int i = 0; i < 100 && !is_gone(); ++i) ::usleep(1000);
  // From here on nobody else sends it a signal: its number may soon be another's.
  const bool asked = ended_.exchange(true);
  if (!asked) ::kill(pid_, SIGKILL);
  int status = 0;
  while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  if (asked) {
    ending_ = "it was ended";
  } else if (WIFSIGNALED(status)) {
    ending_ = fmt::format("it ended by signal {}, {}", WTERMSIG(status), ::strsignal(WTERMSIG(status)));
  } else {
    ending_ = fmt::format("it ended with status {}", WEXITSTATUS(status));
  }
  return ending_;
}

Bytes WorkspaceProcess::resident() const {
  std::ifstream statm(fmt::format("/proc/{}/statm", pid_));
  uint64_t size = 0, pages = 0;
  statm >> size >> pages;
  return Bytes(pages * static_cast<uint64_t>(::sysconf(_SC_PAGESIZE)));
}

}  // namespace vantage::rpc
