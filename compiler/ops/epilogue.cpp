#include "compiler/ops/epilogue.h"

#include "base/error.h"
#include "compiler/backend/vta/intrinsics.h"
#include "hw/isa/layout.h"

namespace vantage::ops {

using namespace te;
using te::Tensor;  // not the host's

int64_t alu_instructions(const Epilogue& epilogue) {
  return 2 + (epilogue.shift != 0 ? 1 : 0) + (epilogue.bias ? 1 : 0);
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

Tensor add_epilogue(const Tensor& sums, const Tensor& bias, const Epilogue& e, size_t channel_axis,
                    const isa::Config& config, int64_t first_channel) {
  Tensor last = sums;
  const auto stage = [&](const char* name, const std::function<Expr(const std::vector<Expr>&)>& value) {
    last = compute(
        sums.shape(),
        [&](const std::vector<Var>& axes) { return Body(value(std::vector<Expr>(axes.begin(), axes.end()))); }, name);
  };
  if (e.bias) {
    stage("bias_add", [&, sums](const std::vector<Expr>& i) {
      return sums.at(i) + bias(i[channel_axis] + first_channel, i[i.size() - 2], i.back());
    });
  }
  const auto unary = [&](const char* name, const std::function<Expr(Expr)>& f) {
    stage(name, [&, input = last](const std::vector<Expr>& i) { return f(input.at(i)); });
  };
  if (e.shift != 0) unary("shift", [&](const Expr& x) { return x >> e.shift; });
  unary("clip_min", [&](const Expr& x) { return max(x, e.clip_min); });
  unary("clip_max", [&](const Expr& x) { return min(x, e.clip_max); });
  unary("C", [&](const Expr& x) { return cast(vta::element_type(isa::Memory::kOut, config), x); });
  return last;
}

}  // namespace vantage::ops
