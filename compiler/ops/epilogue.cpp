#include "compiler/ops/epilogue.h"

#include "base/error.h"
#include "compiler/backend/vta/intrinsics.h"
#include "hw/isa/layout.h"

namespace vantage::ops {

using namespace te;
using te::Tensor;  // not the host's

int64_t alu_instructions(const Epilogue& e) {
  int64_t count = 2;
  if (e.shift != 0) ++count;
  if (e.cut != 0) ++count;
  if (e.multiplier || e.has_multipliers) ++count;
  if (e.has_addend && !e.starts_from_addend()) count += e.addend_factor == 1 ? 1 : 2;
  return count;
}

int64_t first_instructions(const Epilogue& e) {
  const int64_t start = e.starts_from_addend() ? (e.addend_factor == 1 ? 0 : 1) : 1;
  return start + (e.bias ? 1 : 0);
}

void check_epilogue(const Epilogue& e) {
  for (const auto& [shift, name] : {std::pair{e.shift, "shift"}, {e.cut, "cut"}}) {
    if (shift < 0 || shift > 31) fail("the {} is {}, expected 0 to 31", name, shift);
  }
  const auto immediates = isa::fixed_range(isa::Format::kAlu, isa::FieldId::kImm);
  for (const auto& [number, name] : {std::pair{e.clip_min, "limit"},
                                     {e.clip_max, "limit"},
                                     {e.multiplier.value_or(0), "multiplier"},
                                     {e.addend_factor, "addend's factor"}}) {
    if (number < immediates.lowest || number > immediates.highest) {
      fail("the {} {} does not fit an instruction; expected {} to {}", name, number, immediates.lowest,
           immediates.highest);
    }
  }
  if (e.clip_min > e.clip_max) fail("the limits are {} to {}, which holds nothing", e.clip_min, e.clip_max);
  if (e.multiplier == 0) fail("the multiplier is 0, which leaves nothing of the sums: a constant would do");
  if (e.multiplier && e.has_multipliers) fail("there are a multiplier of all outputs and one of each");
}

Tensor add_epilogue(const Tensor& sums, const Epilogue& e, const isa::Config& config,
                    const EpilogueOperands& operands) {
  Tensor last = sums;
  const auto stage = [&](const char* name, const Tensor& input, const auto& f) {
    return compute(
        sums.shape(),
        [&](const std::vector<Var>& axes) {
          return Body(f(input.at(std::vector<Expr>(axes.begin(), axes.end())), axes));
        },
        name);
  };
  const auto unary = [&](const char* name, const std::function<Expr(Expr)>& f) {
    last = stage(name, last, [&](const Expr& x, const std::vector<Var>&) { return f(x); });
  };
  if (e.cut != 0) unary("cut", [&](const Expr& x) { return x >> e.cut; });
  if (e.multiplier) unary("scaled", [&](const Expr& x) { return x * *e.multiplier; });
  if (e.has_multipliers) {
    last = stage("scaled", last,
                 [&](const Expr& x, const std::vector<Var>& axes) { return x * operands.multiplier(axes); });
  }
  if (e.has_addend && !e.starts_from_addend()) {
    Tensor addend = operands.addend;
    if (e.addend_factor != 1) {
      addend =
          stage("addend_scaled", addend, [&](const Expr& x, const std::vector<Var>&) { return x * e.addend_factor; });
    }
    last = stage("added", last, [&](const Expr& x, const std::vector<Var>& axes) {
      return x + addend.at(std::vector<Expr>(axes.begin(), axes.end()));
    });
  }
  if (e.shift != 0) unary("shift", [&](const Expr& x) { return x >> e.shift; });
  unary("clip_min", [&](const Expr& x) { return max(x, e.clip_min); });
  unary("clip_max", [&](const Expr& x) { return min(x, e.clip_max); });
  unary("C", [&](const Expr& x) { return cast(vta::element_type(isa::Memory::kOut, config), x); });
  return last;
}

}  // namespace vantage::ops
