#include "compiler/ops/cuda/element_schedule.h"

#include <algorithm>

#include "base/error.h"
#include "compiler/ops/cuda/block_facts.h"

namespace vantage::ops {

using namespace ir;
using schedule::LoopRV;
using schedule::Schedule;

namespace {

constexpr int64_t kMostThreads = 256;
// Of fewer threads a GPU could run more at once.
constexpr int64_t kManyThreads = 4096;

LoopRV fused(Schedule& s, const std::vector<BlockLoop>& loops) {
  std::vector<LoopRV> handles;
  for (const BlockLoop& loop : loops) handles.push_back(loop.loop);
  return handles.size() == 1 ? handles.front() : s.fuse(handles);
}

// The spatial loops that stand outside of those of a reduction. Steps of a recurrence may stand around them.
std::vector<BlockLoop> leading_spatial(const std::vector<BlockLoop>& loops) {
  const auto is_spatial = [](const BlockLoop& loop) { return loop.kind == AxisKind::kSpatial; };
  const auto begin =
      std::ranges::find_if_not(loops, [](const BlockLoop& loop) { return loop.kind == AxisKind::kOrdered; });
  return {begin, std::find_if_not(begin, loops.end(), is_spatial)};
}

}  // namespace

int64_t threads_for(int64_t elements) {
  if (elements <= cuda::kWarpThreads) return std::max<int64_t>(elements, 1);
  int64_t threads = kMostThreads;
  while (threads > cuda::kWarpThreads && elements / threads < kBusyBlocks) threads /= 2;
  return threads;
}

int64_t lanes_of(const Schedule& s, const std::string& name, int64_t count) {
  const Block block = block_named(s, name);
  int64_t bytes = 1;
  for (const Buffer& buffer : schedule::written_by(block)) bytes = std::max<int64_t>(bytes, buffer->dtype.bytes());
  for (const Buffer& buffer : schedule::read_by(block)) bytes = std::max<int64_t>(bytes, buffer->dtype.bytes());
  int64_t lanes = kAccessBytes / bytes;
  while (lanes > 1 && count % lanes != 0) lanes /= 2;
  return count == 0 ? 1 : lanes;
}

std::string keep_sum_local(Schedule& s, const std::string& name) {
  const std::string copy = block_added_by(s, [&] { s.cache_write(s.get_block(name), "local"); });
  VANTAGE_CHECK(!copy.empty());
  const std::vector<std::string> readers = readers_of(s, copy);
  if (readers.size() == 1 && schedule::is_complete(block_named(s, readers.front()))) {
    attempt_steps(s, [&](Schedule& tried) { tried.reverse_compute_inline(tried.get_block(readers.front())); });
  }
  return copy;
}

void schedule_elements(Schedule& s, const std::string& name) {
  const bool reduces = schedule::is_reduction(block_named(s, name));
  std::string copy;
  if (reduces && !of_kind(loops_of_block(s, name), AxisKind::kSpatial).empty()) {
    attempt_steps(s, [&](Schedule& tried) { copy = keep_sum_local(tried, name); });
  }
  std::vector<BlockLoop> spatial = leading_spatial(loops_of_block(s, name));
  if (spatial.empty()) fail("{} has no loop to be shared among threads", name);
  const int64_t elements = iterations_of(spatial);
  int64_t lanes = reduces ? 1 : lanes_of(s, name, spatial.back().extent);
  if (elements == 0 || elements / lanes < kManyThreads) lanes = 1;
  if (lanes > 1) {
    const auto parts = s.split_by_factor(spatial.back().loop, lanes);
    s.vectorize(parts[1]);
    spatial.back().loop = parts[0];
  }
  const auto parts = s.split_by_factor(fused(s, spatial), elements == 0 ? kMostThreads : threads_for(elements / lanes));
  s.bind(parts[0], "blockIdx.x");
  s.bind(parts[1], "threadIdx.x");
  if (!copy.empty()) s.reverse_compute_at(s.get_block(copy), parts[1]);
}

void schedule_recurrence(Schedule& s, const std::string& name) {
  const std::vector<BlockLoop> loops = loops_of_block(s, name);
  std::vector<LoopRV> order;
  for (const AxisKind kind : {AxisKind::kSpatial, AxisKind::kOrdered}) {
    for (const BlockLoop& loop : of_kind(loops, kind)) order.push_back(loop.loop);
  }
  s.reorder(order);
  schedule_elements(s, name);
}

void bind_threads(Schedule& s, const std::string& name, size_t outer, int64_t threads) {
  std::vector<BlockLoop> loops = loops_of_block(s, name);
  loops.erase(loops.begin(), loops.begin() + static_cast<ptrdiff_t>(outer));
  std::vector<BlockLoop> spatial = leading_spatial(loops);
  // What is but one element all threads compute, or the first one does.
  if (spatial.empty() || iterations_of(spatial) == 1) return;
  const int64_t elements = iterations_of(spatial);
  int64_t lanes = spatial.size() == loops.size() ? lanes_of(s, name, spatial.back().extent) : 1;
  if (elements < threads * lanes) lanes = 1;
  if (lanes > 1) {
    const auto parts = s.split_by_factor(spatial.back().loop, lanes);
    s.vectorize(parts[1]);
    spatial.back().loop = parts[0];
  }
  s.bind(s.split_by_factor(fused(s, spatial), threads)[1], "threadIdx.x");
  if (spatial.size() == loops.size()) return;
  attempt_steps(s, [&](Schedule& tried) {
    const LoopRV first = of_kind(loops_of_block(tried, name), AxisKind::kReduce).front().loop;
    tried.decompose_reduction(tried.get_block(name), first);
  });
}

}  // namespace vantage::ops
