// The process that holds a GPU for another one, which starts it, and nobody else does.
#include <poll.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <thread>
#include <vector>

#include "driver/cuda/worker_gpu.h"

namespace {

// Ends this process once the other one has closed its end or is gone, also while a kernel runs that never ends.
void end_with_other() {
  pollfd end{vantage::driver::kGpuSocket, POLLRDHUP, 0};
  while (::poll(&end, 1, -1) < 0 && errno == EINTR) {
  }
  ::_exit(0);
}

// Whatever else the other process had open must not stay open for as long as this one lives.
void close_others() {
  constexpr int kFirst = vantage::driver::kGpuSocket + 1;
  if (::close_range(kFirst, UINT_MAX, 0) == 0) return;
  // Linux before 5.9.
  std::vector<int> open;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd", none)) {
    open.push_back(std::atoi(entry.path().filename().c_str()));
  }
  for (const int descriptor : open) {
    if (descriptor >= kFirst) ::close(descriptor);
  }
}

}  // namespace

int main() {
  try {
    // A crash must not fill the disk.
    const rlimit none{0, 0};
    ::setrlimit(RLIMIT_CORE, &none);
    close_others();
    std::thread(end_with_other).detach();
    vantage::driver::serve_gpu(vantage::driver::kGpuSocket);
    ::_exit(0);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "vantage-gpu: %s\n", error.what());
    ::_exit(1);
  }
}
