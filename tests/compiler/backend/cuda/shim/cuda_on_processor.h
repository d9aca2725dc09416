// What CUDA C++ needs to be compiled as C++ and run on a processor: indices, memories, and the threads of a block, each
// with a stack of its own, which take turns at barriers. Blocks run one after another, so that what they share is
// theirs alone.
#pragma once

#include <ucontext.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <set>
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

constexpr size_t kStack = 256 * 1024, kWarp = 32;

// Whom a thread waits for.
enum class Wait { kNobody, kWarp, kBlock, kArrival };

struct Thread {
  ucontext_t context{};
  std::unique_ptr<char[]> stack;
  Index3 index{};
  Wait wait = Wait::kNobody;
  bool done = false;
};

inline ucontext_t scheduler;
inline std::vector<Thread> threads;
inline size_t running = 0;
inline std::function<void()> work;
inline size_t steps = 0;                // that others may have waited for
inline std::set<const void*> poisoned;  // shared memory that this block has for the first time

inline void begin() {
  work();
  threads[running].done = true;
  swapcontext(&threads[running].context, &scheduler);
}

inline void wait_for(Wait whom) {
  Thread& own = threads[running];
  own.wait = whom;
  swapcontext(&own.context, &scheduler);
}

inline void resume(size_t i) {
  running = i;
  threadIdx = threads[i].index;
  threads[i].wait = Wait::kNobody;
  swapcontext(&scheduler, &threads[i].context);
}

// Runs the threads of a warp until all of them have ended or wait for the block. False: some wait for others of the
// warp that do not come.
inline bool run_warp(size_t first, size_t end) {
  for (;;) {
    for (size_t i = first; i < end; ++i) {
      if (!threads[i].done && threads[i].wait != Wait::kBlock) resume(i);
    }
    size_t at_warp = 0;
    for (size_t i = first; i < end; ++i) at_warp += !threads[i].done && threads[i].wait == Wait::kWarp ? 1 : 0;
    if (at_warp == 0) return true;
    if (at_warp < end - first) return false;
  }
}

inline void start_block() {
  poisoned.clear();
  for (size_t i = 0; i < threads.size(); ++i) {
    Thread& thread = threads[i];
    const int x = static_cast<int>(i);
    thread.index = {x % blockDim.x, x / blockDim.x % blockDim.y, x / blockDim.x / blockDim.y};
    thread.done = false;
    thread.wait = Wait::kNobody;
    getcontext(&thread.context);
    if (!thread.stack) thread.stack.reset(new char[kStack]);
    thread.context.uc_stack.ss_sp = thread.stack.get();
    thread.context.uc_stack.ss_size = kStack;
    thread.context.uc_link = nullptr;
    makecontext(&thread.context, begin, 0);
  }
}

// A warp runs as far as it can before the next one does, from the first to the last and then back, so that what needs a
// barrier and has none goes wrong. Whether all threads came to the same number of barriers.
inline bool run_block() {
  start_block();
  size_t steps_before = 0, waiting_before = 0;
  const size_t count = threads.size(), warps = (count + kWarp - 1) / kWarp;
  for (bool backwards = false;; backwards = !backwards) {
    for (size_t w = 0; w < warps; ++w) {
      const size_t first = (backwards ? warps - 1 - w : w) * kWarp;
      if (!run_warp(first, std::min(first + kWarp, count))) return false;
    }
    // Nobody leaves a barrier while some wait for copies that one who is there is yet to begin.
    size_t waiting = 0;
    for (const Thread& thread : threads) waiting += !thread.done && thread.wait == Wait::kArrival ? 1 : 0;
    if (waiting > 0) {
      if (waiting == waiting_before && steps == steps_before) return false;
      waiting_before = waiting;
      steps_before = steps;
      continue;
    }
    size_t done = 0;
    for (Thread& thread : threads) {
      done += thread.done ? 1 : 0;
      thread.wait = Wait::kNobody;
    }
    if (done == count) return true;
    if (done > 0) return false;
  }
}

// Returns 0, or 1 where some threads waited for others that never came.
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

// Shared memory has no value when a block begins.
inline void poison(void* memory, size_t bytes) {
  if (poisoned.insert(memory).second) std::memset(memory, 0xcd, bytes);
}

// The place of the running thread in its warp.
inline int lane() {
  return static_cast<int>(running % kWarp);
}

// Waits until all threads of the warp are here; returns what each of them brought, in order. They must not let go of it
// before they have met once more.
inline const void* const* meet(const void* mine) {
  static std::vector<const void*> brought;
  if (brought.size() < threads.size()) brought.resize(threads.size());
  brought[running] = mine;
  wait_for(Wait::kWarp);
  return brought.data() + running / kWarp * kWarp;
}

}  // namespace shim

inline void __syncthreads() {
  shim::wait_for(shim::Wait::kBlock);
}
