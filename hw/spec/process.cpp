#include "hw/spec/process.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <sstream>

#include "hw/spec/error.h"
#include "hw/spec/file.h"

namespace vantage {

bool have_program(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (access((std::filesystem::path(folder) / name).c_str(), X_OK) == 0) return true;
  }
  return false;
}

int run_process(const std::vector<std::string>& argv, const std::filesystem::path& cwd,
                const std::filesystem::path& log, const std::string& package) {
  VANTAGE_CHECK(!argv.empty());
  if (!have_program(argv.front())) {
    fail("the program {} is missing; as root: apt-get install --no-install-recommends {}", argv.front(), package);
  }
  std::vector<char*> arguments;
  for (const std::string& argument : argv) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  const int out = open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (out < 0) fail("{}: {}", log.string(), std::strerror(errno));
  const pid_t child = fork();
  if (child == 0) {
    const int in = open("/dev/null", O_RDONLY);
    dup2(in, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    dup2(out, STDERR_FILENO);
    if (chdir(cwd.c_str()) == 0) execvp(arguments[0], arguments.data());
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

void run_tool(const std::vector<std::string>& argv, const std::filesystem::path& folder, const std::string& package) {
  const std::filesystem::path log = folder / (argv.front() + ".log");
  const int status = run_process(argv, folder, log, package);
  if (status == 0) return;
  constexpr size_t kTail = 2000;
  std::string output = read_file(log, Bytes(uint64_t{1} << 30));
  if (output.size() > kTail) output = "..." + output.substr(output.size() - kTail);
  fail("{} failed with status {} in {}:\n{}", argv.front(), status, folder.string(), output);
}

}  // namespace vantage
