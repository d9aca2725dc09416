// Kernels: blocks of threads that wait for each other.
#include <limits>

#include "base/error.h"
#include "compiler/ir/interpreter/executor.h"

namespace vantage::ir::interpreter {

namespace {

using Dimensions = std::vector<Kernel::Dimension>;

int64_t extent_of(const Kernel::Dimension& dimension, const Scalar* registers) {
  const Kernel::Loop& first = dimension.loops.front();
  const int64_t extent = registers[first.extent].i;
  for (const Kernel::Loop& loop : dimension.loops) {
    if (registers[loop.extent].i == extent) continue;
    fail("the loops {} and {} are both bound to {}, but have the extents {} and {}; they are one index and must agree",
         first.name, loop.name, dimension.tag, extent, registers[loop.extent].i);
  }
  return extent;
}

std::vector<int64_t> extents_of(const Dimensions& dimensions, const Scalar* registers) {
  std::vector<int64_t> result;
  for (const auto& dimension : dimensions) result.push_back(extent_of(dimension, registers));
  return result;
}

uint32_t product(const std::vector<int64_t>& extents, const Kernel& kernel) {
  uint64_t result = 1;
  for (int64_t extent : extents) {
    if (extent <= 0) return 0;
    if (static_cast<uint64_t>(extent) > std::numeric_limits<uint32_t>::max() / result) {
      fail("the kernel of the loop {} has more than {} threads or blocks", kernel.loop,
           std::numeric_limits<uint32_t>::max());
    }
    result *= static_cast<uint64_t>(extent);
  }
  return static_cast<uint32_t>(result);
}

// The index in every dimension of place number `place`, the last dimension running fastest.
std::vector<int64_t> index_at(uint32_t place, const std::vector<int64_t>& extents) {
  std::vector<int64_t> index(extents.size());
  for (size_t d = extents.size(); d-- > 0;) {
    index[d] = place % extents[d];
    place = static_cast<uint32_t>(place / extents[d]);
  }
  return index;
}

void set_index(Scalar* registers, const Dimensions& dimensions, uint32_t place, const std::vector<int64_t>& extents) {
  const auto index = index_at(place, extents);
  for (size_t d = 0; d < dimensions.size(); ++d) registers[dimensions[d].index].i = index[d];
}

// "thread (threadIdx.x 3, threadIdx.y 0)"
AccessChecker::Namer namer(std::string what, const Dimensions& dimensions, std::vector<int64_t> extents) {
  return [what = std::move(what), &dimensions, extents = std::move(extents)](uint32_t place) {
    const auto index = index_at(place, extents);
    std::string text;
    for (size_t d = 0; d < index.size(); ++d) {
      text += fmt::format("{}{} {}", d == 0 ? "" : ", ", dimensions[d].tag, index[d]);
    }
    return fmt::format("{} ({})", what, text);
  };
}

}  // namespace

void Executor::launch(Thread& host, const Kernel& kernel) {
  Scalar* r = registers(host);
  const auto grid = extents_of(kernel.blocks, r);
  const auto block = extents_of(kernel.threads, r);
  const uint32_t blocks = product(grid, kernel);
  const uint32_t threads = product(block, kernel);
  const bool check_blocks = blocks > 1 && !checker_.begun(Level::kBlocks);
  if (check_blocks) checker_.begin(Level::kBlocks, options_.check_races, namer("block", kernel.blocks, grid));
  if (threads > 1) checker_.begin(Level::kThreads, options_.check_races, namer("thread", kernel.threads, block));
  for (uint32_t b = 0; b < blocks; ++b) {
    set_index(r, kernel.blocks, b, grid);
    if (check_blocks) checker_.enter(Level::kBlocks, b);
    run_block(host, kernel, threads, block);
  }
  if (threads > 1) checker_.end(Level::kThreads);
  if (check_blocks) checker_.end(Level::kBlocks);
}

void Executor::run_block(const Thread& host, const Kernel& kernel, uint32_t threads,
                         const std::vector<int64_t>& extents) {
  const auto resume = [&](Thread& thread) {
    if (threads > 1) checker_.enter(Level::kThreads, thread.place);
    return run(thread);
  };
  const auto next_phase = [&] {
    if (threads > 1) checker_.barrier(Level::kThreads);
  };
  start_block(host, kernel);
  next_phase();
  std::vector<std::unique_ptr<Thread>> waiting;
  for (uint32_t place = 0; place < threads; ++place) {
    step();
    if (idle_.empty()) idle_.push_back(std::make_unique<Thread>());
    std::unique_ptr<Thread> thread = std::move(idle_.back());
    idle_.pop_back();
    thread->place = place;
    start_thread(*thread, host, kernel);
    set_index(registers(*thread), kernel.threads, place, extents);
    auto& list = resume(*thread) == Stop::kBarrier ? waiting : idle_;
    list.push_back(std::move(thread));
  }
  while (!waiting.empty()) {
    check_barrier(kernel, waiting, threads, extents);
    next_phase();
    std::vector<std::unique_ptr<Thread>> still;
    for (auto& thread : waiting) {
      auto& list = resume(*thread) == Stop::kBarrier ? still : idle_;
      list.push_back(std::move(thread));
    }
    waiting = std::move(still);
  }
}

void Executor::start_block(const Thread& host, const Kernel& kernel) {
  in_block_.assign(in_block_.size(), false);
  for (int32_t buffer : kernel.block_memory) {
    const Memory& outside = *host.memory[static_cast<size_t>(buffer)];
    auto& memory = block_memory_[static_cast<size_t>(buffer)];
    if (memory == nullptr) memory = std::make_unique<Memory>();
    memory->allocate(outside.buffer(), outside.dimensions(), Sharing::kBlock);
  }
}

void Executor::start_thread(Thread& thread, const Thread& host, const Kernel& kernel) {
  thread.file = host.file;
  thread.memory = host.memory;
  thread.own.resize(host.own.size());
  thread.next = kernel.begin;
  for (int32_t buffer : kernel.thread_memory) {
    const Memory& outside = *host.memory[static_cast<size_t>(buffer)];
    thread.take(static_cast<size_t>(buffer)).allocate(outside.buffer(), outside.dimensions(), Sharing::kPrivate);
  }
  for (int32_t buffer : kernel.block_memory) {
    thread.memory[static_cast<size_t>(buffer)] = block_memory_[static_cast<size_t>(buffer)].get();
  }
}

// All threads of the block must wait, and at one and the same barrier.
void Executor::check_barrier(const Kernel& kernel, const std::vector<std::unique_ptr<Thread>>& waiting,
                             uint32_t threads, const std::vector<int64_t>& extents) const {
  const auto name = namer("thread", kernel.threads, extents);
  const Thread& first = *waiting.front();
  if (waiting.size() < threads) {
    uint32_t ended = 0;
    while (ended < waiting.size() && waiting[ended]->place == ended) ++ended;
    fail(
        "barrier not reached by all threads: in the kernel of the loop {} {} waits at a storage_sync, but {} has "
        "ended; move the storage_sync out of conditions and loops that differ between threads",
        kernel.loop, name(first.place), name(ended));
  }
  for (const auto& thread : waiting) {
    if (thread->next == first.next) continue;
    fail(
        "barrier not reached by all threads: in the kernel of the loop {} {} waits at one storage_sync, {} at another; "
        "move them out of conditions that differ between threads",
        kernel.loop, name(first.place), name(thread->place));
  }
}

}  // namespace vantage::ir::interpreter
