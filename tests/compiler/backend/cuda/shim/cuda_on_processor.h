// What CUDA C++ needs to be compiled as C++ and run on a processor: indices, memories, and the threads of a block, each
// with a stack of its own, which take turns at barriers. Blocks run one after another, so that what they share is
// theirs alone.
#pragma once

#include <ucontext.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#define __global__ static
#define __device__
#define __shared__ static
#define __launch_bounds__(threads)
#define VT_DEVICE inline

struct Index3 {
  int x, y, z;
};
static Index3 threadIdx, blockIdx, blockDim, gridDim;

namespace shim {

constexpr size_t kStack = 256 * 1024;

struct Thread {
  ucontext_t context{};
  std::unique_ptr<char[]> stack;
  Index3 index{};
  bool done = false;
};

inline ucontext_t scheduler;
inline std::vector<Thread> threads;
inline size_t running = 0;
inline std::function<void()> work;

inline void begin() {
  work();
  threads[running].done = true;
  swapcontext(&threads[running].context, &scheduler);
}

inline void resume(size_t i) {
  running = i;
  threadIdx = threads[i].index;
  swapcontext(&scheduler, &threads[i].context);
}

// Whether all threads came to the same number of barriers.
inline bool run_block() {
  const size_t count = threads.size();
  for (size_t i = 0; i < count; ++i) {
    Thread& thread = threads[i];
    const int x = static_cast<int>(i);
    thread.index = {x % blockDim.x, x / blockDim.x % blockDim.y, x / blockDim.x / blockDim.y};
    thread.done = false;
    getcontext(&thread.context);
    if (!thread.stack) thread.stack.reset(new char[kStack]);
    thread.context.uc_stack.ss_sp = thread.stack.get();
    thread.context.uc_stack.ss_size = kStack;
    thread.context.uc_link = nullptr;
    makecontext(&thread.context, begin, 0);
  }
  for (;;) {
    size_t done = 0;
    for (size_t i = 0; i < count; ++i) {
      resume(i);
      done += threads[i].done ? 1 : 0;
    }
    if (done == count) return true;
    if (done > 0) return false;
  }
}

// Returns 0, or 1 where some threads of a block waited at a barrier that others never came to.
inline int launch(const int* grid, const int* block, std::function<void()> kernel) {
  gridDim = {grid[0], grid[1], grid[2]};
  blockDim = {block[0], block[1], block[2]};
  work = std::move(kernel);
  threads.resize(static_cast<size_t>(block[0]) * static_cast<size_t>(block[1]) * static_cast<size_t>(block[2]));
  for (blockIdx.z = 0; blockIdx.z < gridDim.z; ++blockIdx.z) {
    for (blockIdx.y = 0; blockIdx.y < gridDim.y; ++blockIdx.y) {
      for (blockIdx.x = 0; blockIdx.x < gridDim.x; ++blockIdx.x) {
        if (!run_block()) return 1;
      }
    }
  }
  return 0;
}

}  // namespace shim

inline void __syncthreads() {
  shim::Thread& own = shim::threads[shim::running];
  swapcontext(&own.context, &shim::scheduler);
}

namespace shim {

// The place of the running thread in its warp.
inline int lane() {
  return static_cast<int>(running % 32);
}

// Waits until all threads of the warp, and of the block, are here; returns what each of the warp's brought, in order.
// They must not let go of it before they have met once more, at a barrier.
inline const void* const* meet(const void* mine) {
  static std::vector<const void*> brought;
  brought.resize(threads.size());
  brought[running] = mine;
  __syncthreads();
  return brought.data() + running / 32 * 32;
}

}  // namespace shim
