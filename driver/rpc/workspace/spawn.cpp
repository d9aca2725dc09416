#include "driver/rpc/workspace/spawn.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <unistd.h>

#include <csignal>
#include <cstring>

#include "driver/rpc/protocol/errors.h"
#include "driver/rpc/workspace/workspace_host.h"

namespace vantage::rpc {

pid_t spawn(const std::filesystem::path& program, const std::vector<std::string>& arguments,
            const std::vector<int>& files) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawnattr_init(&attributes);
  for (size_t i = 0; i < files.size(); ++i) {
    ::posix_spawn_file_actions_adddup2(&actions, files[i], kChannelFile + static_cast<int>(i));
  }
  ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  // The server takes its own signals in one thread, and blocks them in all others.
  sigset_t none;
  sigemptyset(&none);
  ::posix_spawnattr_setsigmask(&attributes, &none);
  ::posix_spawnattr_setpgroup(&attributes, 0);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
  std::vector<std::string> words{program.string()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  pid_t pid = 0;
  const int error = ::posix_spawn(&pid, argv.front(), &actions, &attributes, argv.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  ::posix_spawnattr_destroy(&attributes);
  if (error == 0) return pid;
  throw ServerError("the server could not start a process for a device",
                    fmt::format("{}: {}", words.front(), std::strerror(error)));
}

}  // namespace vantage::rpc
