#include "native/workers.h"

#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/scalable_allocator.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>

#include "hw/spec/error.h"

namespace vantage::native {

namespace {

// More pieces than threads, so that one which is slow does not keep the others waiting at the end; few, since pieces of
// neighbouring iterations share what is in the cache.
constexpr int64_t kPiecesPerThread = 4;

}  // namespace

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
    return scalable_aligned_malloc(bytes, alignment);
  };
  runtime_.release = [](void*, void* memory) { scalable_aligned_free(memory); };
  runtime_.parallel_for = [](void* context, int64_t count, vantage_task task, void* closure) -> int32_t {
    Pool& pool = *static_cast<Pool*>(context);
    if (pool.threads == 1 || count <= 1) return task(closure, 0, count);
    std::atomic<int32_t> code = VANTAGE_OK;
    const int64_t pieces = std::min<int64_t>(count, kPiecesPerThread * pool.threads);
    pool.arena.execute([&] {
      const auto run = [&](int64_t piece) {
        // As even as whole iterations can be.
        const int64_t begin = count / pieces * piece + std::min(piece, count % pieces);
        const int64_t size = count / pieces + (piece < count % pieces ? 1 : 0);
        if (const int32_t got = task(closure, begin, begin + size); got != VANTAGE_OK) code = got;
      };
      tbb::parallel_for(int64_t{0}, pieces, run, tbb::simple_partitioner());
    });
    return code;
  };
}

Workers::~Workers() = default;

int Workers::threads() const {
  return pool_->threads;
}

}  // namespace vantage::native
