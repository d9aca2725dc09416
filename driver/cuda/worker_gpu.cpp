#include "driver/cuda/worker_gpu.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "base/error.h"
#include "base/open_file.h"
#include "driver/cuda/gpu_messages.h"

namespace vantage::driver {

namespace {

// With the socket as kGpuSocket, and of other files standard error alone: the program closes what else it inherits. A
// process group of its own, so that signals of a terminal are this process's to take.
pid_t start_worker(const std::filesystem::path& program, int socket, const std::string& name) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawnattr_init(&attributes);
  ::posix_spawn_file_actions_adddup2(&actions, socket, kGpuSocket);
  ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  sigset_t none;
  sigemptyset(&none);
  ::posix_spawnattr_setsigmask(&attributes, &none);
  ::posix_spawnattr_setpgroup(&attributes, 0);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
  std::string path = program.string();
  std::array<char*, 2> arguments = {path.data(), nullptr};
  pid_t process = 0;
  const int error = ::posix_spawn(&process, path.c_str(), &actions, &attributes, arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  ::posix_spawnattr_destroy(&attributes);
  if (error != 0)
    fail("{}: the process that would hold the GPU cannot be started: {}: {}", name, path, std::strerror(error));
  return process;
}

class WorkerGpu final : public Gpu {
 public:
  WorkerGpu(const std::filesystem::path& worker, std::array<int, 2> ends, std::string name)
      : name_(std::move(name)), own_(ends[0]), socket_(ends[0]) {
    const OpenFile other(ends[1]);
    process_ = start_worker(worker, other.get(), name_);
  }

  ~WorkerGpu() override {
    if (process_ == 0) return;
    ::shutdown(own_.get(), SHUT_RDWR);  // which it takes for the end
    wait_for_end();
  }

  // Throws as open_local_gpu() does.
  void open(const std::filesystem::path& libcuda, int number) {
    FieldReader reply =
        ask(request(GpuRequest::kOpen).text(libcuda.string()).number(static_cast<uint64_t>(number)).text(name_));
    info_ = take_info(reply);
  }

  const GpuInfo& info() const override { return info_; }

  uint64_t allocate(Bytes size) override { return ask(request(GpuRequest::kAllocate).number(size.count())).number(); }
  void release(uint64_t address) override { ask(request(GpuRequest::kRelease).number(address)); }
  void write(uint64_t address, std::span<const std::byte> bytes) override {
    ask(request(GpuRequest::kWrite).number(address), bytes);
  }
  void read(uint64_t address, std::span<std::byte> bytes) override {
    ask(request(GpuRequest::kRead).number(address).number(bytes.size()));
    VANTAGE_CHECK(body_.size() == bytes.size());
    std::memcpy(bytes.data(), body_.data(), bytes.size());
    body_ = {};
  }

  Bound bind(const native::GpuProgram& program, const std::vector<uint64_t>& tensors) override {
    FieldWriter fields = request(GpuRequest::kBind);
    add_program(fields, program);
    return bind(fields, tensors);
  }
  Bound bind(const LibraryCall& call, const std::vector<uint64_t>& tensors) override {
    FieldWriter fields = request(GpuRequest::kBindCall);
    add_call(fields, call);
    return bind(fields, tensors);
  }
  Bound join(const std::vector<Joined>& calls) override {
    FieldWriter fields = request(GpuRequest::kJoin);
    add_joined(fields, calls);
    return bound_by(ask(fields));
  }
  void unbind(uint64_t number) override { ask(request(GpuRequest::kUnbind).number(number)); }

  double run(uint64_t number, const std::stop_token& stop) override {
    return ask(request(GpuRequest::kRun).number(number), {}, stop).real();
  }
  Timing time(uint64_t number, const TimeOptions& options, const std::stop_token& stop) override {
    FieldReader reply = ask(request(GpuRequest::kTime)
                                .number(number)
                                .number(static_cast<uint64_t>(options.number))
                                .number(static_cast<uint64_t>(options.repeat))
                                .real(options.min_ms),
                            {}, stop);
    Timing timing;
    timing.number = static_cast<int>(reply.number());
    for (uint64_t left = reply.number(); left > 0; --left) timing.samples.push_back(reply.real());
    return timing;
  }

 private:
  static FieldWriter request(GpuRequest what) {
    FieldWriter fields;
    fields.number(static_cast<uint64_t>(what));
    return fields;
  }

  Bound bind(FieldWriter& fields, const std::vector<uint64_t>& tensors) {
    fields.number(tensors.size());
    for (const uint64_t address : tensors) fields.number(address);
    return bound_by(ask(fields));
  }
  static Bound bound_by(FieldReader reply) {
    Bound bound;
    bound.number = reply.number();
    bound.code = reply.text();
    return bound;
  }

  // What the answer says beyond its kind, until the next question; memory that was read is in body_.
  FieldReader ask(const FieldWriter& fields, std::span<const std::byte> body = {}, const std::stop_token& stop = {}) {
    if (process_ == 0 || !socket_.send(fields, body)) throw GpuFault(how_it_ended());
    if (stop.stop_possible()) wait_for_answer(stop);
    if (!socket_.receive(head_, body_)) throw GpuFault(how_it_ended());
    FieldReader reply(head_);
    const auto kind = static_cast<GpuReply>(reply.number());
    if (kind == GpuReply::kDone) return reply;
    const std::string message = reply.text();
    if (kind == GpuReply::kFault) throw GpuFault(message);
    if (kind == GpuReply::kToolError) throw ToolError(message, reply.text());
    throw Error(message);
  }

  // Nothing but the end of its process ends a kernel.
  void wait_for_answer(const std::stop_token& stop) {
    pollfd answer{own_.get(), POLLIN, 0};
    constexpr int kMilliseconds = 20;
    while (::poll(&answer, 1, kMilliseconds) <= 0) {
      if (!stop.stop_requested()) continue;
      ::kill(process_, SIGKILL);
      wait_for_end();
      throw GpuFault(fmt::format("{}: the run was stopped, with the process that held the GPU", name_));
    }
  }

  std::string how_it_ended() {
    if (process_ == 0) return fmt::format("{}: the process that held the GPU is gone", name_);
    const int status = wait_for_end();
    if (WIFSIGNALED(status)) {
      return fmt::format("{}: the process that held the GPU was ended by signal {} ({})", name_, WTERMSIG(status),
                         ::strsignal(WTERMSIG(status)));
    }
    return fmt::format("{}: the process that held the GPU ended with status {}", name_, WEXITSTATUS(status));
  }

  // One that does not end by itself, with a kernel that never does, is ended.
  int wait_for_end() {
    int status = 0;
    constexpr int kPieces = 500;  // of 10 ms
    for (int i = 0; i < kPieces; ++i) {
      const pid_t ended = ::waitpid(process_, &status, WNOHANG);
      if (ended == process_ || (ended < 0 && errno != EINTR)) {
        process_ = 0;
        return status;
      }
      ::usleep(i < 10 ? 500 : 10000);
    }
    ::kill(process_, SIGKILL);
    while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
    }
    process_ = 0;
    return status;
  }

  const std::string name_;
  const OpenFile own_;
  const GpuSocket socket_;
  pid_t process_ = 0;
  GpuInfo info_;
  std::string head_, body_;  // of the last answer
};

}  // namespace

std::unique_ptr<Gpu> open_worker_gpu(const std::filesystem::path& worker, const std::filesystem::path& libcuda,
                                     int number, const std::string& name) {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    fail("{}: no socket to the process that would hold the GPU: {}", name, std::strerror(errno));
  }
  auto gpu = std::make_unique<WorkerGpu>(worker, ends, name);
  gpu->open(libcuda, number);
  return gpu;
}

}  // namespace vantage::driver
