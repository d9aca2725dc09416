// What the rules for GPUs ask of blocks and of the loops around them, and how they try steps that may not be legal.
//
// Thread safety: functions without state.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "compiler/backend/cuda/architecture.h"
#include "compiler/schedule/dependence.h"
#include "compiler/schedule/schedule.h"

namespace vantage::ops {

// Blocks of threads that keep a GPU busy.
inline constexpr int64_t kBusyBlocks = 128;
// What a thread moves by one access, at the most.
inline constexpr int64_t kAccessBytes = 16;

// A loop around a block.
struct BlockLoop {
  schedule::LoopRV loop;
  ir::Var var;
  int64_t extent = 0;  // 0: not constant
  ir::AxisKind kind = ir::AxisKind::kSpatial;
};
// Outermost first. One that moves axes of several kinds is of the kind that binds it most: ordered, reduce, spatial.
std::vector<BlockLoop> loops_of_block(schedule::Schedule& s, const std::string& block);
// Those of a kind; and their iterations, 0 where these are not constant.
std::vector<BlockLoop> of_kind(const std::vector<BlockLoop>& loops, ir::AxisKind kind);
int64_t iterations_of(const std::vector<BlockLoop>& loops);

std::vector<std::string> names_of_blocks(const ir::PrimFunc& function);
ir::Block block_named(const schedule::Schedule& s, const std::string& name);
// Whether a block is there and its loops are those of its formula: no rule has done anything with it.
bool is_untouched(const schedule::Schedule& s, const std::string& name);
// Of those that read the only buffer that a block writes; empty where it writes several.
std::vector<std::string> readers_of(const schedule::Schedule& s, const std::string& block);
// Loads of a block's body, each as it stands there, but for what it reads of its own results.
std::vector<const ir::Load*> loads_of(const ir::Block& block);
// Whether it is soon computed: no function of math and few loads.
bool is_cheap(const ir::Block& block);

// The name of the block that a step adds, such as a copy.
std::string block_added_by(schedule::Schedule& s, const std::function<void()>& step);

// Does the steps, and undoes them all where one of them is not legal.
bool attempt_steps(schedule::Schedule& s, const std::function<void(schedule::Schedule&)>& steps);
// The same, and undoes them where what comes out has no meaning on a GPU, or asks for more than this one has.
bool attempt_on(const cuda::Architecture& architecture, schedule::Schedule& s,
                const std::function<void(schedule::Schedule&)>& steps);

}  // namespace vantage::ops
