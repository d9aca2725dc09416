#include "driver/rpc/workspace/confine.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <memory>

#include "base/error.h"
#include "driver/rpc/protocol/quota.h"
#include "driver/rpc/workspace/workspace_host.h"

namespace vantage::rpc {

namespace {

// What a computation needs: memory, threads, clocks, and the files that it has.
constexpr std::array kAllowed = {
    "brk",
    "cacheflush",
    "clock_getres",
    "clock_getres_time64",
    "clock_gettime",
    "clock_gettime64",
    "clock_nanosleep",
    "clock_nanosleep_time64",
    "close",
    "dup",
    "exit",
    "exit_group",
    "fstat",
    "fstat64",
    "fstatat64",
    "futex",
    "futex_time64",
    "get_robust_list",
    "getcpu",
    "getpid",
    "getrandom",
    "getrlimit",
    "gettid",
    "gettimeofday",
    "lseek",
    "_llseek",
    "madvise",
    "membarrier",
    "memfd_create",
    "mmap",
    "mmap2",
    "mprotect",
    "mremap",
    "munmap",
    "nanosleep",
    "newfstatat",
    "poll",
    "ppoll",
    "ppoll_time64",
    "pread64",
    "read",
    "readv",
    "recv",
    "recvfrom",
    "recvmsg",
    "restart_syscall",
    "rseq",
    "rt_sigaction",
    "rt_sigprocmask",
    "rt_sigreturn",
    "sched_get_priority_max",
    "sched_get_priority_min",
    "sched_getaffinity",
    "sched_getparam",
    "sched_getscheduler",
    "sched_yield",
    "send",
    "sendmsg",
    "sendto",
    "set_robust_list",
    "set_tid_address",
    "set_tls",
    "shutdown",
    "sigaltstack",
    "sigreturn",
    "statx",
    "sysinfo",
    "time",
    "ugetrlimit",
    "uname",
    "write",
    "writev",
};

// Of files that are open at once, and of a library in memory.
constexpr rlim_t kMostFiles = 64, kLargestFile = kLargestMessage;

constexpr char kOwnFile[] = "/proc/self/fd/";

// What openat is answered with: the loader opens a library in memory by its number among the open files, and gets that
// file again; nothing else can be opened. Called in the middle of anything.
long reopened(const char* path) {
  for (size_t i = 0; i + 1 < sizeof kOwnFile; ++i) {
    if (path[i] != kOwnFile[i]) return -EACCES;
  }
  int file = 0;
  for (const char* digit = path + sizeof kOwnFile - 1; *digit != '\0'; ++digit) {
    if (*digit < '0' || *digit > '9' || file > 100'000) return -EACCES;
    file = 10 * file + (*digit - '0');
  }
  const long opened = ::syscall(SYS_dup, file);
  if (opened < 0) return -errno;
  // Both have one place in the file, and whoever opens one begins to read at its begin.
  ::syscall(SYS_lseek, opened, 0, SEEK_SET);
  return opened;
}

#if defined(__x86_64__)
const char* path_of(const ucontext_t& context) {
  return reinterpret_cast<const char*>(context.uc_mcontext.gregs[REG_RSI]);  // NOLINT: the second argument
}
void set_result(ucontext_t& context, long result) {
  context.uc_mcontext.gregs[REG_RAX] = result;
}
#elif defined(__aarch64__)
const char* path_of(const ucontext_t& context) {
  return reinterpret_cast<const char*>(context.uc_mcontext.regs[1]);  // NOLINT: the second argument
}
void set_result(ucontext_t& context, long result) {
  context.uc_mcontext.regs[0] = static_cast<unsigned long long>(result);
}
#elif defined(__arm__)
const char* path_of(const ucontext_t& context) {
  return reinterpret_cast<const char*>(context.uc_mcontext.arm_r1);  // NOLINT: the second argument
}
void set_result(ucontext_t& context, long result) {
  context.uc_mcontext.arm_r0 = static_cast<unsigned long>(result);
}
#else
#error "which registers hold a system call's arguments on this processor?"
#endif

void answer(int, siginfo_t*, void* context) {
  auto& interrupted = *static_cast<ucontext_t*>(context);
  set_result(interrupted, reopened(path_of(interrupted)));
}

void require(int status, const char* what) {
  if (status < 0) fail("the server's machine cannot confine code: {}: {}", what, std::strerror(-status));
}

// The server's own errors are not this process's to write, nor is anything else that it may have left open; and files
// in memory, which nobody counts as this process's, are few and small.
void leave_nothing_open() {
  const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  if (nothing < 0 || ::dup2(nothing, STDERR_FILENO) < 0) {
    fail("the server's machine cannot confine code: /dev/null: {}", std::strerror(errno));
  }
  ::close(nothing);
  ::closefrom(kLeastFile);
  const rlimit files{kMostFiles, kMostFiles}, size{kLargestFile, kLargestFile};
  ::setrlimit(RLIMIT_NOFILE, &files);
  ::setrlimit(RLIMIT_FSIZE, &size);
}

}  // namespace

bool can_confine() {
  // No filter: what can filter finds no address there, what cannot does not know the word.
  return ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, nullptr, 0, 0) != 0 && errno == EFAULT;
}

void confine_this_process() {
  leave_nothing_open();
  if (!can_confine()) fail("the server's machine cannot confine code: its kernel has no filters of system calls");
#if defined(__x86_64__)
  // Vector functions of the C library, which compiled code calls; where it has none the code has no need of it.
  ::dlopen("libmvec.so.1", RTLD_NOW | RTLD_GLOBAL);
#endif
  struct sigaction action {};
  action.sa_sigaction = answer;
  action.sa_flags = SA_SIGINFO;
  sigemptyset(&action.sa_mask);
  if (::sigaction(SIGSYS, &action, nullptr) != 0)
    fail("the server's machine cannot confine code: {}", std::strerror(errno));

  const std::unique_ptr<void, decltype(&seccomp_release)> filter(seccomp_init(SCMP_ACT_ERRNO(EPERM)), seccomp_release);
  VANTAGE_CHECK(filter != nullptr);
  // All threads at once.
  require(seccomp_attr_set(filter.get(), SCMP_FLTATR_CTL_TSYNC, 1), "its threads");
  const auto add = [&](uint32_t action_of, const char* name, std::initializer_list<scmp_arg_cmp> arguments) {
    const int number = seccomp_syscall_resolve_name(name);
    if (number == __NR_SCMP_ERROR) return;  // other processors have it
    require(seccomp_rule_add_array(filter.get(), action_of, number, static_cast<unsigned>(arguments.size()),
                                   arguments.size() == 0 ? nullptr : std::data(arguments)),
            name);
  };
  for (const char* name : kAllowed) add(SCMP_ACT_ALLOW, name, {});
  // Threads of this process, and no others. What says that in memory, where no filter looks, is not there.
  add(SCMP_ACT_ALLOW, "clone", {SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, CLONE_THREAD)});
  add(SCMP_ACT_ERRNO(ENOSYS), "clone3", {});
  add(SCMP_ACT_ALLOW, "tgkill", {SCMP_A0(SCMP_CMP_EQ, static_cast<scmp_datum_t>(::getpid()))});
  // Files are told to be closed, doubled and sealed; who gets a signal when one is ready is not to be said.
  for (const char* name : {"fcntl", "fcntl64"}) {
    for (const int command : {F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL, F_ADD_SEALS}) {
      add(SCMP_ACT_ALLOW, name, {SCMP_A1(SCMP_CMP_EQ, static_cast<scmp_datum_t>(command))});
    }
  }
  // Names of threads.
  add(SCMP_ACT_ALLOW, "prctl", {SCMP_A0(SCMP_CMP_EQ, PR_SET_NAME)});
  // Limits are read, and not set.
  add(SCMP_ACT_ALLOW, "prlimit64", {SCMP_A2(SCMP_CMP_EQ, 0)});
  add(SCMP_ACT_TRAP, "openat", {});
  require(seccomp_load(filter.get()), "the filter");
}

}  // namespace vantage::rpc
