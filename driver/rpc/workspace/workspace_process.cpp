#include "driver/rpc/workspace/workspace_process.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>
#include <fstream>
#include <system_error>

#include "base/error.h"
#include "driver/rpc/protocol/errors.h"
#include "driver/rpc/protocol/quota.h"
#include "driver/rpc/workspace/workspace_host.h"

namespace vantage::rpc {

namespace {

int moved(int file) {
  const int higher = ::fcntl(file, F_DUPFD_CLOEXEC, kLeastFile);
  const int error = errno;
  ::close(file);
  if (higher < 0) throw std::system_error(error, std::generic_category(), "a session's socket");
  return higher;
}

std::array<int, 2> socket_pair() {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    throw std::system_error(errno, std::generic_category(), "a session's sockets");
  }
  return {moved(ends[0]), moved(ends[1])};
}

[[noreturn]] void throw_failure(const v1::Failure& failure) {
  switch (failure.kind()) {
    case v1::Failure::QUOTA: throw QuotaError(failure.message());
    case v1::Failure::TOOL: throw ToolError(failure.message(), failure.output());
    case v1::Failure::MEMORY: throw std::bad_alloc();
    case v1::Failure::OWN: throw InternalError(failure.message());
    default: throw Error(failure.message());
  }
}

pid_t spawn(const std::filesystem::path& program, int channel, int control, int piece) {
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  ::posix_spawn_file_actions_init(&files);
  ::posix_spawnattr_init(&attributes);
  ::posix_spawn_file_actions_adddup2(&files, channel, kChannelFile);
  ::posix_spawn_file_actions_adddup2(&files, control, kControlFile);
  ::posix_spawn_file_actions_adddup2(&files, piece, kPieceFile);
  ::posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  // The server takes its own signals in one thread, and those of its terminal are not for this process.
  sigset_t none;
  sigemptyset(&none);
  ::posix_spawnattr_setsigmask(&attributes, &none);
  ::posix_spawnattr_setpgroup(&attributes, 0);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
  std::string name = program.string();
  std::array<char*, 2> argv{name.data(), nullptr};
  pid_t pid = 0;
  const int error = ::posix_spawn(&pid, name.c_str(), &files, &attributes, argv.data(), environ);
  ::posix_spawn_file_actions_destroy(&files);
  ::posix_spawnattr_destroy(&attributes);
  if (error != 0) {
    throw ServerError("the server could not start a process for the session",
                      fmt::format("{}: {}", name, std::strerror(error)));
  }
  return pid;
}

}  // namespace

// Of the pairs of sockets between the two processes; closed with the object, unless taken.
struct WorkspaceProcess::Ends {
  Ends() = default;
  Ends(const Ends&) = delete;
  Ends& operator=(const Ends&) = delete;
  ~Ends() {
    for (const int file : files) {
      if (file >= 0) ::close(file);
    }
  }
  void open() {
    for (const size_t first : {kChannel, kControl}) {
      const auto pair = socket_pair();
      files.at(first) = pair[0];
      files.at(first + 1) = pair[1];
    }
  }
  int take(size_t which) { return std::exchange(files.at(which), -1); }

  static constexpr size_t kChannel = 0, kItsChannel = 1, kControl = 2, kItsControl = 3;
  std::array<int, 4> files{-1, -1, -1, -1};
};

WorkspaceProcess::WorkspaceProcess(const std::filesystem::path& program) : WorkspaceProcess(program, Ends()) {}

WorkspaceProcess::WorkspaceProcess(const std::filesystem::path& program, Ends&& ends)
    : channel_((ends.open(), ends.take(Ends::kChannel))),
      control_(ends.take(Ends::kControl)),
      pid_(spawn(program, ends.files[Ends::kItsChannel], ends.files[Ends::kItsControl], piece_.file())) {}

WorkspaceProcess::~WorkspaceProcess() {
  end();
  how_it_ended();
  ::close(control_);
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
  // It may have said what nobody understands, and be there still.
  const bool asked = ended_.load();
  int status = 0;
  if (!asked) {
    // A process that is dying closes its files first.
    for (int i = 0; i < 100 && ::waitpid(pid_, &status, WNOHANG | WNOWAIT) == 0; ++i) ::usleep(1000);
  }
  ::kill(pid_, SIGKILL);
  while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  ended_ = true;
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

v1::WorkspaceReply WorkspaceProcess::answer(v1::WorkspaceRequest request,
                                            const std::function<void(const std::string&)>& progress,
                                            const std::stop_token& stop) {
  const uint64_t number = next_number_++;
  request.set_number(number);
  v1::WorkspaceReply reply;
  try {
    if (!ending_.empty()) throw ChannelClosed();
    const std::stop_callback ask(stop, [&] { ::send(control_, &number, sizeof number, MSG_NOSIGNAL | MSG_DONTWAIT); });
    channel_.send(request);
    do {
      channel_.receive(reply);
      if (reply.has_step() && progress) progress(reply.step());
    } while (reply.has_step());
  } catch (const ChannelClosed&) {
    throw SessionOver(fmt::format("the session is over, for its process is gone: {}; open the device again",
                                  how_it_ended()));
  }
  if (reply.has_failure()) throw_failure(reply.failure());
  return reply;
}

Bytes WorkspaceProcess::open(const v1::OpenRequest& request, const std::function<void(const std::string&)>& progress,
                             const std::stop_token& stop) {
  v1::WorkspaceRequest opening;
  *opening.mutable_open() = request;
  return Bytes(answer(std::move(opening), progress, stop).open().memory_bytes());
}

v1::WorkspaceReply WorkspaceProcess::call(const v1::WorkspaceRequest& request, const std::stop_token& stop) {
  return answer(request, nullptr, stop);
}

void WorkspaceProcess::write(Bytes address, std::span<const std::byte> bytes, const std::stop_token& stop) {
  v1::WorkspaceRequest request;
  do {
    const auto piece = bytes.first(std::min<size_t>(bytes.size(), kPieceBytes));
    std::copy(piece.begin(), piece.end(), piece_.bytes().begin());
    request.mutable_write()->set_address(address.count());
    request.mutable_write()->set_bytes(piece.size());
    answer(request, nullptr, stop);
    bytes = bytes.subspan(piece.size());
    address += Bytes(piece.size());
  } while (!bytes.empty());
}

void WorkspaceProcess::read(Bytes address, std::span<std::byte> bytes, const std::stop_token& stop) {
  v1::WorkspaceRequest request;
  do {
    const auto piece = bytes.first(std::min<size_t>(bytes.size(), kPieceBytes));
    request.mutable_read()->set_address(address.count());
    request.mutable_read()->set_bytes(piece.size());
    answer(request, nullptr, stop);
    std::copy_n(piece_.bytes().begin(), piece.size(), piece.begin());
    bytes = bytes.subspan(piece.size());
    address += Bytes(piece.size());
  } while (!bytes.empty());
}

}  // namespace vantage::rpc
