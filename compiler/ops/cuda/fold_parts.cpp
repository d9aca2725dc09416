#include "compiler/ops/cuda/fold_parts.h"

#include "base/error.h"
#include "compiler/ops/cuda/block_facts.h"

namespace vantage::ops {

using namespace ir;
using schedule::LoopRV;
using schedule::Schedule;

namespace {

constexpr int64_t kMostFoldParts = 256, kFewestFoldParts = 32;

int64_t spatial_loops(Schedule& s, const std::string& name) {
  return static_cast<int64_t>(of_kind(loops_of_block(s, name), AxisKind::kSpatial).size());
}

// All loops of the reduction as one.
LoopRV one_fold(Schedule& s, const std::string& name) {
  std::vector<LoopRV> loops;
  for (const BlockLoop& loop : of_kind(loops_of_block(s, name), AxisKind::kReduce)) loops.push_back(loop.loop);
  if (loops.empty()) fail("{} reduces nothing", name);
  return loops.size() == 1 ? loops.front() : s.fuse(loops);
}

}  // namespace

int64_t fold_length(Schedule& s, const std::string& name) {
  return iterations_of(of_kind(loops_of_block(s, name), AxisKind::kReduce));
}

int64_t threads_of_fold(int64_t length) {
  int64_t parts = kFewestFoldParts;
  while (parts < kMostFoldParts && parts * 8 <= length) parts *= 2;
  return parts;
}

std::string fold_in_parts(Schedule& s, const std::string& name, int64_t parts, int64_t part_axis, int64_t lanes) {
  LoopRV fold = one_fold(s, name);
  if (lanes > 1) fold = s.split_by_factor(fold, lanes)[0];
  const auto loops = s.split_by_factor(fold, parts);
  s.reorder({loops[1], loops[0]});
  return block_added_by(s, [&] { s.rfactor(loops[1], part_axis); });
}

std::vector<std::string> fold_by_threads(Schedule& s, const std::string& name, int64_t threads) {
  std::vector<std::string> made = {fold_in_parts(s, name, threads, spatial_loops(s, name))};
  if (threads > kLastParts) made.push_back(fold_in_parts(s, name, kLastParts, spatial_loops(s, name)));
  return made;
}

}  // namespace vantage::ops
