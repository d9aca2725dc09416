#include "compiler/ops/cuda/transpose_schedule.h"

#include <algorithm>
#include <optional>

#include "base/error.h"
#include "compiler/backend/cuda/shared_banks.h"
#include "compiler/ops/cuda/block_facts.h"

namespace vantage::ops {

using namespace ir;
using schedule::LoopRV;
using schedule::Schedule;

namespace {

constexpr int64_t kTile = 32, kRows = 8, kShortestSide = 16, kFewestElements = 4096;

// The tensor that is turned, and which axes of the block walk along its last dimension and along the result's.
struct Turned {
  Buffer buffer;
  size_t read = 0, written = 0;
  int64_t dimension = 0;  // of the tensor, that the result's last axis walks along
};

// The number of the axis that an index is; nothing where it is no plain axis.
std::optional<size_t> axis_of_index(const Block& block, const Expr& index) {
  const Var var = Var::of(index);
  for (size_t i = 0; var.defined() && i < block.axes.size(); ++i) {
    if (block.axes[i].var.same_as(var)) return i;
  }
  return std::nullopt;
}

std::optional<Turned> turned_by(Schedule& s, const std::string& name) {
  const Block block = block_named(s, name);
  const Store* store = schedule::single_store(block);
  const std::vector<BlockLoop> loops = loops_of_block(s, name);
  if (store == nullptr || !schedule::is_complete(block) || store->indices.size() < 2 ||
      loops.size() != block.axes.size() || iterations_of(loops) < kFewestElements) {
    return std::nullopt;
  }
  const auto written = axis_of_index(block, store->indices.back());
  for (const Load* load : loads_of(block)) {
    if (!written || load->indices.size() < 2) continue;
    const auto read = axis_of_index(block, load->indices.back());
    if (!read || *read == *written || std::min(loops[*read].extent, loops[*written].extent) < kShortestSide) continue;
    for (size_t d = 0; d + 1 < load->indices.size(); ++d) {
      if (axis_of_index(block, load->indices[d]) == written) {
        return Turned{load->buffer, *read, *written, static_cast<int64_t>(d)};
      }
    }
  }
  return std::nullopt;
}

}  // namespace

bool is_transpose(Schedule& s, const std::string& name) {
  return turned_by(s, name).has_value();
}

void schedule_transpose(Schedule& s, const std::string& name) {
  const Turned turned = turned_by(s, name).value();
  const std::vector<LoopRV> loops = s.get_loops(s.get_block(name));
  std::vector<LoopRV> blocks;
  for (size_t i = 0; i < loops.size(); ++i) {
    if (i != turned.read && i != turned.written) blocks.push_back(loops[i]);
  }
  const auto rows = s.split(loops[turned.read], {std::nullopt, kTile / kRows, kRows});
  const auto columns = s.split(loops[turned.written], {std::nullopt, kTile});
  blocks.insert(blocks.end(), {rows[0], columns[0]});
  std::vector<LoopRV> order = blocks;
  order.insert(order.end(), {rows[2], columns[1], rows[1]});
  s.reorder(order);
  const LoopRV block = s.fuse(blocks);
  s.bind(block, "blockIdx.x");
  s.bind(s.fuse({rows[2], columns[1]}), "threadIdx.x");
  const schedule::BlockRV fetched = s.cache_read(s.get_block(name), turned.buffer->name, "shared");
  // A word more than a row of the tile has: elements of a column lie in different banks.
  s.storage_align(fetched, turned.dimension, kTile,
                  std::max<int64_t>(1, cuda::kBankBytes / turned.buffer->dtype.bytes()));
  s.compute_at(fetched, block);
  std::vector<LoopRV> own = s.get_loops(fetched);
  own.erase(own.begin());
  s.bind(s.split_by_factor(own.size() == 1 ? own.front() : s.fuse(own), kTile * kRows)[1], "threadIdx.x");
}

}  // namespace vantage::ops
