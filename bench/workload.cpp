#include "bench/workload.h"

#include <random>
#include <span>

#include "compiler/ops/conv2d/vta_layer.h"
#include "hw/isa/codec.h"
#include "hw/program/link.h"

namespace vantage::bench {

Workload make_workload(const MatmulShape& shape, const ops::Epilogue& epilogue) {
  const auto config = isa::Config::vta_default();
  const auto tiling = ops::gemm_tiling(config, shape, ops::choose_gemm_blocks(config, shape, epilogue.bias, 1));
  Workload w{ops::compile_layer({as_conv2d(shape), epilogue, tiling}, config), {}, {}, 0, {}};
  const Placement placement = place_sequentially(w.program, Bytes(4096));
  const uint64_t uops_end = placement.uops.count() + w.program.symbol_size(Relocation::kMicroOps).count();
  w.image = {Bytes((uops_end + 4095) / 4096 * 4096), w.program.insns.size()};
  w.memory.resize(w.image.insn_address.count() + w.program.insns.size() * isa::kInsnBytes);
  w.output = placement.tensors[w.program.tensor_index("C")];

  std::mt19937_64 random(1);
  for (uint64_t i = 4096; i < placement.uops.count(); ++i) w.memory[i] = static_cast<std::byte>(random());
  const isa::Codec codec(config);
  auto out = std::span(w.memory).subspan(placement.uops.count());
  for (const isa::MicroOp& uop : w.program.uops) {
    isa::store_u32(codec.encode(uop), out.first<4>());
    out = out.subspan(4);
  }
  out = std::span(w.memory).subspan(w.image.insn_address.count());
  for (const isa::Insn& insn : link(w.program, placement)) {
    isa::store_words(codec.encode(insn), out.first<16>());
    out = out.subspan(16);
    if (const auto* gemm = std::get_if<isa::Gemm>(&insn); gemm != nullptr && !gemm->reset) {
      w.gemm_steps += gemm->loop.steps();
    }
  }
  return w;
}

}  // namespace vantage::bench
