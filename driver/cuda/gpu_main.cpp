// The process that holds a GPU for another one, which starts it, and nobody else does.
#include <poll.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <exception>
#include <thread>

#include "driver/cuda/worker_gpu.h"

namespace {

// Ends this process once the other one has closed its end or is gone, also while a kernel runs that never ends.
void end_with_other() {
  pollfd end{vantage::driver::kGpuSocket, POLLRDHUP, 0};
  while (::poll(&end, 1, -1) < 0 && errno == EINTR) {
  }
  ::_exit(0);
}

}  // namespace

int main() {
  try {
    // A crash must not fill the disk.
    const rlimit none{0, 0};
    ::setrlimit(RLIMIT_CORE, &none);
    std::thread(end_with_other).detach();
    vantage::driver::serve_gpu(vantage::driver::kGpuSocket);
    ::_exit(0);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "vantage-gpu: %s\n", error.what());
    ::_exit(1);
  }
}
