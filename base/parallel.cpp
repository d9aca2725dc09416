#include "base/parallel.h"

#include <algorithm>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace vantage {

void in_parallel(size_t count, size_t threads, const std::function<void(size_t)>& work) {
  std::mutex mutex;  // of the three below
  size_t next = 0, failed = count;
  std::exception_ptr failure;
  const auto take = [&]() -> std::optional<size_t> {
    const std::lock_guard lock(mutex);
    if (failure != nullptr || next == count) return std::nullopt;
    return next++;
  };
  const auto work_on = [&] {
    while (const auto i = take()) {
      try {
        work(*i);
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (*i >= failed) continue;
        failed = *i;
        failure = std::current_exception();
      }
    }
  };
  const size_t wanted = threads > 0 ? threads : std::max(1U, std::thread::hardware_concurrency());
  {
    std::vector<std::jthread> others;
    for (size_t i = 1; i < std::min(wanted, count); ++i) others.emplace_back(work_on);
    work_on();
  }
  if (failure != nullptr) std::rethrow_exception(failure);
}

}  // namespace vantage
