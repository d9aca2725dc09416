// A client's code that tries to do what it must not, and keeps what came of it: once as it is loaded, and once as it is
// called. code_test.cpp compiles it and sends it to a server.
#include <dlpack/dlpack.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace {

constexpr int kFound = 16;
int64_t found[kFound];

int64_t error_of(long result) {
  return result < 0 ? -errno : result;
}

void intrude() {
  char program[] = "/bin/true";
  char* const arguments[] = {program, nullptr};
  int64_t* to = found;
  *to++ = error_of(open("/etc/passwd", O_RDONLY));
  *to++ = error_of(open("/tmp/vantage-intruder", O_WRONLY | O_CREAT, 0600));
  *to++ = error_of(open("/proc/self/fd/../environ", O_RDONLY));
  *to++ = error_of(syscall(SYS_socket, AF_INET, SOCK_STREAM, 0));
  *to++ = error_of(fork());
  *to++ = error_of(execve(program, arguments, arguments + 1));
  *to++ = error_of(kill(getppid(), 0));
  *to++ = error_of(unlink("/tmp/vantage-intruder"));
  *to++ = error_of(mkdir("/tmp/vantage-intruder", 0700));
  *to++ = error_of(prctl(PR_SET_SECCOMP, 0, 0, 0, 0));
  *to++ = error_of(syscall(SYS_ptrace, 0, 0, 0, 0));
  *to++ = error_of(syscall(SYS_io_uring_setup, 8, 0));
  // What it shares with the server: memory for transfers, and the socket, which might signal others that it is ready.
  *to++ = error_of(ftruncate(5, 0));
  *to++ = error_of(fcntl(3, F_SETOWN, getppid()));
}

__attribute__((constructor)) void as_it_is_loaded() {
  intrude();
}

union Argument {
  int64_t integer;
  double number;
  const DLTensor* tensor;
};

int32_t report(const Argument* arguments) {
  for (int i = 0; i < kFound; ++i) static_cast<int64_t*>(arguments[0].tensor->data)[i] = found[i];
  return 0;
}

}  // namespace

extern "C" int32_t vantage_as_loaded(const Argument* arguments, int32_t, const void*, void*) {
  return report(arguments);
}

extern "C" int32_t vantage_as_called(const Argument* arguments, int32_t, const void*, void*) {
  for (int64_t& result : found) result = 0;
  intrude();
  return report(arguments);
}

extern "C" int32_t vantage_crashes(const Argument*, int32_t, const void*, void*) {
  __builtin_trap();
}

extern "C" int32_t vantage_goes_on(const Argument*, int32_t, const void*, void*) {
  for (volatile int i = 0;; i = i + 1) {
  }
}
