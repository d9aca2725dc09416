// What stands around the sums of a layer: the bias that they start from; what is done to each behind them, and the cut
// to the output's width:
//
//   C = clip((((sums + bias) >> cut) * multiplier + addend * addend_factor) >> shift)
//
// where what there is none of is left out.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "compiler/te/te.h"
#include "hw/isa/config.h"

namespace vantage::ops {

struct Epilogue {
  bool bias = false;
  int shift = 0;  // arithmetic, to the right; 0 emits none
  int clip_min = 0;
  int clip_max = 127;

  int cut = 0;                      // a shift like the other one
  std::optional<int> multiplier{};  // of all outputs, or
  bool has_multipliers = false;     // accumulators [oc], one for each, like the bias
  // Values of the output's shape in ACC8 tiles, such as a residual.
  bool has_addend = false;
  int addend_factor = 1;

  // The sums begin with the addend, in whose place they lie: where nothing but one shift comes behind them.
  bool starts_from_addend() const {
    return has_addend && cut == 0 && !multiplier && !has_multipliers && (addend_factor & (addend_factor - 1)) == 0;
  }
  bool operator==(const Epilogue&) const = default;
};

// ALU instructions of each tile behind its sums.
int64_t alu_instructions(const Epilogue& epilogue);
// What its sums start from: a reset, or a shift of an addend where that is not 1, and an addition where they have a
// bias.
int64_t first_instructions(const Epilogue& epilogue);
// Vectors of accumulators, one for each output, that are loaded: bias and multipliers.
inline int64_t channel_vectors(const Epilogue& epilogue) {
  return (epilogue.bias ? 1 : 0) + (epilogue.has_multipliers ? 1 : 0);
}

// Throws Error when a number does not fit an instruction of the ALU.
void check_epilogue(const Epilogue& epilogue);

// Operands of it behind the sums, where it has them.
struct EpilogueOperands {
  std::function<te::Expr(const std::vector<te::Var>&)> multiplier = nullptr;  // at an index of the sums
  te::Tensor addend = {};                                                     // in accumulators, of the sums' shape
};

// The stages in the order of kEpilogueStages behind `sums`, of which the bias is a part, as far as there is work for
// them. Returns "C".
te::Tensor add_epilogue(const te::Tensor& sums, const Epilogue& epilogue, const isa::Config& config,
                        const EpilogueOperands& operands = {});
inline constexpr const char* kEpilogueStages[] = {"cut",   "scaled",   "addend_scaled", "added",
                                                  "shift", "clip_min", "clip_max"};

}  // namespace vantage::ops
