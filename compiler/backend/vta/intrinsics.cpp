#include "compiler/backend/vta/intrinsics.h"

#include "compiler/backend/vta/calls.h"
#include "compiler/backend/vta/externs.h"
#include "compiler/backend/vta/scopes.h"
#include "compiler/te/te.h"

namespace vantage::vta {

ir::DType element_type(isa::Memory memory, const isa::Config& config) {
  switch (memory) {
    case isa::Memory::kInp: return ir::DType::integer(config.inp_bits());
    case isa::Memory::kWgt: return ir::DType::integer(config.wgt_bits());
    case isa::Memory::kOut: return ir::DType::integer(config.out_bits());
    case isa::Memory::kAcc8: return ir::kInt8;
    case isa::Memory::kAcc:
    case isa::Memory::kUop: break;
  }
  return ir::DType::integer(config.acc_bits());
}

schedule::Intrinsics intrinsics(const isa::Config& config) {
  using schedule::Operands;
  const auto element = [&](const char* name, isa::Memory memory) {
    const ElementShape shape = element_shape(memory, config);
    return te::placeholder({shape.rows, shape.columns}, element_type(memory, config), name);
  };
  const te::Tensor inp = element("inp", isa::Memory::kInp), wgt = element("wgt", isa::Memory::kWgt);
  const ir::DType type = element_type(isa::Memory::kAcc, config);
  const te::ReduceAxis i = te::reduce_axis(config.block_in(), "i");
  const te::Tensor acc = te::compute(
      {config.batch(), config.block_out()},
      [&](ir::Expr b, ir::Expr o) { return te::sum(cast(type, inp(b, i)) * cast(type, wgt(o, i)), {i}); }, "acc");
  return {std::make_shared<const schedule::Intrinsic>(
      std::string(kGemmCall), te::create_prim_func({inp, wgt, acc}, "gemm"),
      schedule::Implementations{
          .reset = [](const Operands& o) { return schedule::instruction(std::string(kResetCall), {o.write("acc")}); },
          .update =
              [](const Operands& o) {
                return schedule::instruction(std::string(kGemmCall), {o.update("acc"), o.read("inp"), o.read("wgt")});
              },
          .scopes = {{"acc", std::string(kAccScope)},
                     {"inp", std::string(kInpScope)},
                     {"wgt", std::string(kWgtScope)}}},
      externs(config))};
}

}  // namespace vantage::vta
