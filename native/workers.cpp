#include "native/workers.h"

#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/scalable_allocator.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>

#include "base/error.h"

namespace vantage::native {

struct Workers::Pool {
  explicit Pool(int count)
      : limit(tbb::global_control::max_allowed_parallelism,
              static_cast<size_t>(std::max(count, tbb::info::default_concurrency()))),
        arena(count),
        threads(count) {}
  // oneTBB makes no more threads than there are processors unless it is told to.
  tbb::global_control limit;
  tbb::task_arena arena;
  int threads;
};

Workers::Workers(int threads) {
  if (threads < 0 || threads > 1024) fail("the number of threads is {}, expected 1 to 1024, or 0 for all", threads);
  pool_ = std::make_unique<Pool>(threads == 0 ? tbb::info::default_concurrency() : threads);
  runtime_.context = pool_.get();
  // oneTBB's allocator keeps what is released for the next run: temporary values are large, and fresh pages cost more
  // than filling them.
  runtime_.allocate = [](void*, uint64_t bytes, uint64_t alignment) -> void* {
    return scalable_aligned_malloc(std::max<uint64_t>(bytes, 1), alignment);
  };
  runtime_.release = [](void*, void* memory) { scalable_aligned_free(memory); };
  runtime_.parallel_for = [](void* context, int64_t count, vantage_task task, void* closure) -> int32_t {
    Pool& pool = *static_cast<Pool*>(context);
    if (pool.threads == 1 || count <= 1) return task(closure, 0, count);
    std::atomic<int32_t> code = VANTAGE_OK;
    pool.arena.execute([&] {
      // Few pieces at first, smaller ones once a thread has nothing left to do.
      tbb::parallel_for(tbb::blocked_range<int64_t>(0, count), [&](const tbb::blocked_range<int64_t>& piece) {
        if (const int32_t got = task(closure, piece.begin(), piece.end()); got != VANTAGE_OK) code = got;
      });
    });
    return code;
  };
}

Workers::~Workers() = default;

int Workers::threads() const {
  return pool_->threads;
}

}  // namespace vantage::native
