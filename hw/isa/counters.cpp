#include "hw/isa/counters.h"

namespace vantage::isa {

Counters counted(const Insn& insn, const isa::Config& config) {
  Counters counters;
  if (const Transfer* t = transfer(insn); t != nullptr && !t->moves_nothing()) {
    const uint64_t bytes = uint64_t{t->y_size} * t->x_size * config.element_size(t->memory).count();
    switch (t->memory) {
      case Memory::kUop: counters.uop_load_nbytes = bytes; break;
      case Memory::kWgt: counters.wgt_load_nbytes = bytes; break;
      case Memory::kInp: counters.inp_load_nbytes = bytes; break;
      case Memory::kAcc:
      case Memory::kAcc8: counters.acc_load_nbytes = bytes; break;
      case Memory::kOut: counters.out_store_nbytes = bytes; break;
    }
  }
  if (const auto* gemm = std::get_if<Gemm>(&insn); gemm != nullptr && !gemm->reset) {
    counters.gemm_counter = gemm->loop.steps();
  }
  if (const auto* alu = std::get_if<Alu>(&insn)) counters.alu_counter = alu->loop.steps();
  return counters;
}

}  // namespace vantage::isa
