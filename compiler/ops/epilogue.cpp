#include "compiler/ops/epilogue.h"

#include "base/error.h"
#include "compiler/backend/vta/intrinsics.h"
#include "hw/isa/layout.h"

namespace vantage::ops {

using namespace te;
using te::Tensor;  // not the host's

int64_t alu_instructions(const Epilogue& epilogue) {
  return 2 + (epilogue.shift != 0 ? 1 : 0);
}

int64_t first_instructions(const Epilogue& epilogue) {
  return epilogue.bias ? 2 : 1;
}

void check_epilogue(const Epilogue& e) {
  if (e.shift < 0 || e.shift > 31) fail("the shift is {}, expected 0 to 31", e.shift);
  const auto immediates = isa::fixed_range(isa::Format::kAlu, isa::FieldId::kImm);
  for (int limit : {e.clip_min, e.clip_max}) {
    if (limit < immediates.lowest || limit > immediates.highest) {
      fail("the limit {} does not fit an instruction; expected {} to {}", limit, immediates.lowest, immediates.highest);
    }
  }
  if (e.clip_min > e.clip_max) fail("the limits are {} to {}, which holds nothing", e.clip_min, e.clip_max);
}

Tensor add_epilogue(const Tensor& sums, const Epilogue& e, const isa::Config& config) {
  Tensor last = sums;
  const auto unary = [&](const char* name, const std::function<Expr(Expr)>& f) {
    last = compute(
        sums.shape(),
        [&, input = last](const std::vector<Var>& axes) {
          return Body(f(input.at(std::vector<Expr>(axes.begin(), axes.end()))));
        },
        name);
  };
  if (e.shift != 0) unary("shift", [&](const Expr& x) { return x >> e.shift; });
  unary("clip_min", [&](const Expr& x) { return max(x, e.clip_min); });
  unary("clip_max", [&](const Expr& x) { return min(x, e.clip_max); });
  unary("C", [&](const Expr& x) { return cast(vta::element_type(isa::Memory::kOut, config), x); });
  return last;
}

}  // namespace vantage::ops
