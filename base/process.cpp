#include "base/process.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <sstream>

#include "base/error.h"
#include "base/file.h"
#include "base/temporary.h"

namespace vantage {

namespace {

// What exec takes; valid as long as `texts` is.
std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> out;
  for (const std::string& text : texts) out.push_back(const_cast<char*>(text.c_str()));
  out.push_back(nullptr);
  return out;
}

}  // namespace

bool have_program(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (access((std::filesystem::path(folder) / name).c_str(), X_OK) == 0) return true;
  }
  return false;
}

void require_program(const std::string& name, const std::string& package) {
  if (have_program(name)) return;
  fail("the program {} is missing; as root: apt-get install --no-install-recommends {}", name, package);
}

int run_process(const std::vector<std::string>& argv, const std::filesystem::path& cwd,
                const std::filesystem::path& log, const std::string& package) {
  VANTAGE_CHECK(!argv.empty());
  require_program(argv.front(), package);
  const std::vector<char*> arguments = pointers(argv);
  std::vector<std::string> variables = {"LC_ALL=C"};
  for (char** variable = environ; *variable != nullptr; ++variable) {
    if (std::strncmp(*variable, "LC_ALL=", 7) != 0) variables.emplace_back(*variable);
  }
  const std::vector<char*> environment = pointers(variables);
  const int out = open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (out < 0) fail("{}: {}", log.string(), std::strerror(errno));
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child == 0) {
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent) _exit(127);  // gone before the line above
    const int in = open("/dev/null", O_RDONLY);
    dup2(in, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    dup2(out, STDERR_FILENO);
    if (chdir(cwd.c_str()) == 0) execvpe(arguments[0], arguments.data(), environment.data());
    _exit(127);
  }
  const int error = errno;
  close(out);
  if (child < 0) fail("{} cannot be started: {}", argv.front(), std::strerror(error));
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

std::string run_tool(const std::vector<std::string>& argv, const std::filesystem::path& folder,
                     const std::string& package) {
  const TemporaryDirectory logs;
  const std::filesystem::path log = logs.path() / "log";
  const int status = run_process(argv, folder, log, package);
  std::string output = read_file(log, Bytes(uint64_t{1} << 30));
  if (status == 0) return output;
  constexpr size_t kTail = 2000;
  if (output.size() > kTail) output = "..." + output.substr(output.size() - kTail);
  throw ToolError(fmt::format("{} failed with status {}; the end of what it said:", argv.front(), status), output);
}

}  // namespace vantage
