#include "compiler/backend/vta/finishing/epilogues_first.h"

#include <algorithm>

namespace vantage::vta {

namespace {

bool is_alu(const Operation& operation) {
  return std::holds_alternative<isa::Alu>(operation.insn);
}

}  // namespace

OperationList epilogues_first(OperationList list) {
  const StepCounts counts = count_steps(list);
  if (counts.vector <= counts.gemm) return list;
  std::vector<Operation>& all = list.operations;
  // What the compute stage does, one behind the other: a reset, a GEMM and an ALU instruction.
  size_t reset = all.size(), gemm = all.size();
  for (size_t i = 0; i < all.size(); ++i) {
    if (isa::stage(all[i].insn) != isa::Stage::kCompute) continue;
    if (is_alu(all[i]) && gemm < i && reset < gemm) {
      // Loads and stores may stand between the two.
      const bool free =
          std::none_of(all.begin() + static_cast<ptrdiff_t>(gemm), all.begin() + static_cast<ptrdiff_t>(i),
                       [&](const Operation& between) { return conflict(between, all[i]); });
      if (free)
        std::rotate(all.begin() + static_cast<ptrdiff_t>(gemm), all.begin() + static_cast<ptrdiff_t>(i),
                    all.begin() + static_cast<ptrdiff_t>(i) + 1);
      reset = gemm = all.size();
    } else if (is_gemm(all[i])) {
      if (gemm != all.size()) reset = all.size();  // sums in several chunks
      gemm = i;
    } else if (is_reset(all[i])) {
      reset = i;
      gemm = all.size();
    } else if (!is_alu(all[i]) || gemm != all.size()) {  // what sums start from may stand behind their reset
      reset = gemm = all.size();
    }
  }
  return list;
}

}  // namespace vantage::vta
