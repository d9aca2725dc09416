#include "compiler/ops/scratchpad_needs.h"

#include <algorithm>
#include <bit>

#include "base/math.h"
#include "compiler/ops/conv2d/vta_fit.h"
#include "hw/isa/scratchpad_ports.h"

namespace vantage::ops {

isa::ConfigKeys but_for_scratchpads(const isa::Config& config) {
  isa::ConfigKeys keys = config.keys();
  keys.target.clear();
  keys.hw_ver.clear();
  keys.clock_mhz = 0;
  keys.log_uop_buff_size = keys.log_inp_buff_size = keys.log_wgt_buff_size = keys.log_acc_buff_size = 0;
  return keys;
}

ScratchpadNeeds depths_of(const isa::Config& config) {
  const auto depth = [&](isa::Memory memory) { return log2_ceil(config.depth(memory).count()); };
  return {depth(isa::Memory::kUop), depth(isa::Memory::kInp), depth(isa::Memory::kWgt), depth(isa::Memory::kAcc)};
}

bool is_within(const ScratchpadNeeds& needs, const ScratchpadNeeds& have) {
  return needs.uop <= have.uop && needs.inp <= have.inp && needs.wgt <= have.wgt && needs.acc <= have.acc;
}

namespace {

// Parts lie behind each other as long as there is room; threads with none between them could become one.
int accumulator_needs(const Conv2dShape& shape, const Epilogue& epilogue, const VtaConv2dMapping& mapping,
                      const isa::Config& config) {
  int64_t most_threads = 2, accumulators = 0;
  for (const int64_t of_part : accumulators_of_threads(shape, epilogue, mapping, config)) accumulators += of_part;
  for (const VtaConv2dPart& part : mapping.parts) {
    most_threads = std::max<int64_t>(most_threads, part.tiling.threads);
  }
  // A scratchpad of fewer has no more halves.
  const int least = std::max(1, isa::least_index_width(config, isa::Memory::kAcc));
  int needs = depths_of(config).acc;
  while (needs > least && accumulators < (int64_t{1} << (needs - 1)) / most_threads) --needs;
  return needs;
}

}  // namespace

// The least scratchpads that a mapping fits so that its threads lie in the same halves of the accumulators: the ALU
// works beside the GEMM core where the two are in different ones.
ScratchpadNeeds needs_of(const Conv2dShape& shape, const Epilogue& epilogue, const VtaConv2dMapping& mapping,
                         const isa::Config& config) {
  ScratchpadNeeds needs = depths_of(config);
  const auto shrink = [&](int isa::ConfigKeys::*size, int& depth) {
    isa::ConfigKeys keys = config.keys();
    while (depth > 0) {
      --(keys.*size);
      if (!fits(shape, epilogue, mapping, isa::Config::from_keys(keys, "a smaller core"))) return;
      --depth;
    }
  };
  shrink(&isa::ConfigKeys::log_inp_buff_size, needs.inp);
  shrink(&isa::ConfigKeys::log_wgt_buff_size, needs.wgt);
  needs.acc = accumulator_needs(shape, epilogue, mapping, config);
  return needs;
}

bool is_same_program(const Conv2dShape& shape, const Epilogue& epilogue, const VtaConv2dMapping& mapping,
                     const ScratchpadNeeds& had, const ScratchpadNeeds& needed, const isa::Config& config) {
  const int threads = mapping.parts.front().tiling.threads;
  const bool is_even =
      std::has_single_bit(static_cast<unsigned>(threads)) &&
      std::ranges::all_of(mapping.parts, [&](const auto& part) { return part.tiling.threads == threads; });
  const ScratchpadNeeds have = depths_of(config);
  return is_even && is_within(needed, have) && have.uop <= had.uop &&
         accumulator_needs(shape, epilogue, mapping, config) == needed.acc;
}

int micro_op_needs(const Program& program) {
  uint64_t end = 1;
  for (const isa::Insn& insn : program.insns) {
    const auto* load = std::get_if<isa::Load>(&insn);
    if (load == nullptr || load->transfer.memory != isa::Memory::kUop) continue;
    const isa::Transfer& t = load->transfer;
    end = std::max(end, uint64_t{t.sram_base} + uint64_t{t.y_size} * t.x_size);
  }
  return log2_ceil(end);
}

}  // namespace vantage::ops
