#include "compiler/schedule/schedule.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "compiler/ir/thread_axes.h"
#include "compiler/ir/verify.h"
#include "compiler/schedule/primitive_table.h"
#include "compiler/schedule/sampling.h"
#include "compiler/schedule/tree.h"

namespace vantage::schedule {

Schedule::Schedule(ir::PrimFunc function, Intrinsics intrinsics, uint64_t seed)
    : function_(std::move(function)), intrinsics_(std::move(intrinsics)), random_(seed) {
  ir::require_valid(function_);
}

Step::Result Schedule::apply(const std::string& primitive, std::vector<Argument> arguments) {
  const auto& table = Primitive::all();
  const auto row = std::find_if(table.begin(), table.end(), [&](const Primitive& p) { return p.name == primitive; });
  if (row == table.end()) fail("there is no schedule primitive '{}'", primitive);
  const ir::PrimFunc before = function_;
  try {
    Step step{primitive, std::move(arguments), {}};
    step.result = row->apply(*this, step.arguments);
    const std::string nested = ir::nested_threads(function_.body);
    if (!nested.empty()) fail("{}: {}", primitive, nested);
    trace_.push_back(step);
    return step.result;
  } catch (...) {
    function_ = before;
    throw;
  }
}

void Schedule::replay(const Trace& trace) {
  VANTAGE_CHECK(trace_.empty());
  for (size_t i = 0; i < trace.size(); ++i) {
    try {
      // Handles are numbered in the order in which they are made, so they mean the same here.
      apply(trace[i].primitive, trace[i].arguments);
    } catch (const Error& error) {
      fail("step {} of the trace, {}: {}", i, trace[i].primitive, error.what());
    }
  }
}

const std::string& Schedule::name_of(BlockRV block) const {
  if (block.id < 0 || static_cast<size_t>(block.id) >= blocks_.size()) fail("this is no block of this schedule");
  return blocks_[static_cast<size_t>(block.id)];
}

const ir::Var& Schedule::var_of(LoopRV loop) const {
  if (loop.id < 0 || static_cast<size_t>(loop.id) >= loops_.size()) fail("this is no loop of this schedule");
  return loops_[static_cast<size_t>(loop.id)];
}

std::vector<ir::Var> Schedule::vars_of(const std::vector<LoopRV>& loops) const {
  std::vector<ir::Var> vars;
  for (LoopRV loop : loops) vars.push_back(var_of(loop));
  return vars;
}

BlockRV Schedule::add(const std::string& block) {
  blocks_.push_back(block);
  return {static_cast<int>(blocks_.size()) - 1};
}

LoopRV Schedule::add(const ir::Var& loop) {
  loops_.push_back(loop);
  return {static_cast<int>(loops_.size()) - 1};
}

std::vector<LoopRV> Schedule::add(const std::vector<ir::Var>& loops) {
  std::vector<LoopRV> result;
  for (const ir::Var& loop : loops) result.push_back(add(loop));
  return result;
}

IntRV Schedule::add(int64_t number) {
  numbers_.push_back(number);
  return {static_cast<int>(numbers_.size()) - 1};
}

std::vector<IntRV> Schedule::add(const std::vector<int64_t>& numbers) {
  std::vector<IntRV> result;
  for (const int64_t number : numbers) result.push_back(add(number));
  return result;
}

int64_t Schedule::value(IntRV number) const {
  if (number.id < 0 || static_cast<size_t>(number.id) >= numbers_.size()) fail("this is no number of this schedule");
  return numbers_[static_cast<size_t>(number.id)];
}

void Schedule::add_intrinsics(const Intrinsics& more) {
  for (const auto& one : more) {
    const bool is_there = std::ranges::any_of(intrinsics_, [&](const auto& own) { return own->name() == one->name(); });
    if (!is_there) intrinsics_.push_back(one);
  }
}

const Intrinsic& Schedule::intrinsic(const std::string& name) const {
  std::vector<std::string> names;
  for (const auto& candidate : intrinsics_) {
    if (candidate->name() == name) return *candidate;
    names.push_back(candidate->name());
  }
  if (names.empty()) fail("tensorize: this schedule was given no intrinsics, so there is no '{}'", name);
  fail("tensorize: there is no intrinsic '{}'; there are {}", name, fmt::join(names, ", "));
}

BlockRV Schedule::get_block(const std::string& name) {
  return std::get<BlockRV>(apply("get_block", {name}));
}

std::vector<LoopRV> Schedule::get_loops(BlockRV block) {
  return std::get<std::vector<LoopRV>>(apply("get_loops", {block}));
}

LoopRV Schedule::get_loop(BlockRV block, const std::string& name) {
  return std::get<LoopRV>(apply("get_loop", {block, name}));
}

std::vector<IntRV> Schedule::sample_perfect_tile(LoopRV loop, int64_t parts, int64_t max_innermost,
                                                 const Decision& decision) {
  const Decision factors = decision.empty()
                               ? draw_perfect_tile(constant_extent(function_, var_of(loop), "sample_perfect_tile"),
                                                   parts, max_innermost, random_)
                               : decision;
  return std::get<std::vector<IntRV>>(
      apply("sample_perfect_tile", {loop, parts, max_innermost, Factors(factors.begin(), factors.end())}));
}

IntRV Schedule::sample_categorical(const std::vector<int64_t>& candidates, const Probabilities& probabilities,
                                   std::optional<int64_t> decision) {
  const int64_t place = decision ? *decision : draw_categorical(probabilities, random_);
  return std::get<IntRV>(
      apply("sample_categorical", {Factors(candidates.begin(), candidates.end()), probabilities, place}));
}

std::vector<LoopRV> Schedule::split(LoopRV loop, const Factors& factors) {
  return std::get<std::vector<LoopRV>>(apply("split", {loop, factors}));
}

std::array<LoopRV, 2> Schedule::split_by_factor(LoopRV loop, int64_t factor) {
  const auto parts = split(loop, {std::nullopt, factor});
  return {parts[0], parts[1]};
}

std::array<LoopRV, 2> Schedule::split_by_parts(LoopRV loop, int64_t parts) {
  const auto loops = split(loop, {parts, std::nullopt});
  return {loops[0], loops[1]};
}

LoopRV Schedule::fuse(const std::vector<LoopRV>& loops) {
  return std::get<LoopRV>(apply("fuse", {loops}));
}
void Schedule::reorder(const std::vector<LoopRV>& loops) {
  apply("reorder", {loops});
}

std::array<LoopRV, 4> Schedule::tile(LoopRV y, LoopRV x, int64_t y_factor, int64_t x_factor) {
  const auto [y_outer, y_inner] = split_by_factor(y, y_factor);
  const auto [x_outer, x_inner] = split_by_factor(x, x_factor);
  reorder({y_outer, x_outer, y_inner, x_inner});
  return {y_outer, x_outer, y_inner, x_inner};
}

void Schedule::bind(LoopRV loop, const std::string& thread) {
  apply("bind", {loop, thread});
}
void Schedule::parallel(LoopRV loop) {
  apply("parallel", {loop});
}
void Schedule::vectorize(LoopRV loop) {
  apply("vectorize", {loop});
}
void Schedule::unroll(LoopRV loop) {
  apply("unroll", {loop});
}
void Schedule::compute_at(BlockRV block, LoopRV loop) {
  apply("compute_at", {block, loop});
}
void Schedule::reverse_compute_at(BlockRV block, LoopRV loop) {
  apply("reverse_compute_at", {block, loop});
}
void Schedule::compute_inline(BlockRV block) {
  apply("compute_inline", {block});
}
void Schedule::reverse_compute_inline(BlockRV block) {
  apply("reverse_compute_inline", {block});
}

BlockRV Schedule::cache_read(BlockRV block, const std::string& buffer, const std::string& scope) {
  return std::get<BlockRV>(apply("cache_read", {block, buffer, scope}));
}

BlockRV Schedule::cache_write(BlockRV block, const std::string& scope) {
  return std::get<BlockRV>(apply("cache_write", {block, scope}));
}

void Schedule::set_scope(BlockRV block, const std::string& scope) {
  apply("set_scope", {block, scope});
}

void Schedule::storage_align(BlockRV block, int64_t axis, int64_t factor, int64_t offset) {
  apply("storage_align", {block, axis, factor, offset});
}

void Schedule::double_buffer(BlockRV block, int64_t places) {
  apply("double_buffer", {block, places});
}

void Schedule::transform_layout(BlockRV block, const std::string& buffer, const std::string& map) {
  apply("transform_layout", {block, buffer, map});
}

void Schedule::transform_layout(BlockRV block, const std::string& map) {
  apply("transform_layout", {block, map});
}

void Schedule::rolling_buffer(BlockRV block) {
  apply("rolling_buffer", {block});
}

BlockRV Schedule::decompose_padding(BlockRV block, LoopRV loop) {
  return std::get<BlockRV>(apply("decompose_padding", {block, loop}));
}

void Schedule::pad_einsum(BlockRV block, const Factors& padding) {
  apply("pad_einsum", {block, padding});
}

BlockRV Schedule::decompose_reduction(BlockRV block, LoopRV loop) {
  return std::get<BlockRV>(apply("decompose_reduction", {block, loop}));
}

BlockRV Schedule::rfactor(LoopRV loop, int64_t factor_axis) {
  return std::get<BlockRV>(apply("rfactor", {loop, factor_axis}));
}

BlockRV Schedule::blockize(LoopRV loop) {
  return std::get<BlockRV>(apply("blockize", {loop}));
}
void Schedule::tensorize(LoopRV loop, const std::string& intrinsic) {
  apply("tensorize", {loop, intrinsic});
}
void Schedule::pragma(LoopRV loop, const std::string& key, int64_t value) {
  apply("pragma", {loop, key, value});
}
void Schedule::annotate(LoopRV loop, const std::string& key, int64_t value) {
  apply("annotate", {loop, key, value});
}

void Schedule::annotate(LoopRV loop, const std::string& key, const std::string& value) {
  apply("annotate", {loop, key, value});
}

void Schedule::annotate(LoopRV loop, const std::string& key, IntRV value) {
  apply("annotate", {loop, key, value});
}

void Schedule::annotate(BlockRV block, const std::string& key, int64_t value) {
  apply("annotate", {block, key, value});
}

void Schedule::annotate(BlockRV block, const std::string& key, const std::string& value) {
  apply("annotate", {block, key, value});
}

}  // namespace vantage::schedule
