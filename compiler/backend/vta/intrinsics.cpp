#include "compiler/backend/vta/intrinsics.h"

#include "compiler/backend/vta/calls.h"
#include "compiler/backend/vta/externs.h"
#include "compiler/backend/vta/scopes.h"

namespace vantage::vta {

using namespace ir;

namespace {

struct GemmBuffers {
  Buffer acc, inp, wgt;
};

GemmBuffers make_buffers(const isa::Config& config) {
  const auto buffer = [&](const char* name, isa::Memory memory, std::string_view scope) {
    const ElementShape shape = element_shape(memory, config);
    return make_buffer(name, {Expr(shape.rows), Expr(shape.columns)}, element_type(memory, config), std::string(scope));
  };
  return {buffer("acc", isa::Memory::kAcc, kAccScope), buffer("inp", isa::Memory::kInp, kInpScope),
          buffer("wgt", isa::Memory::kWgt, kWgtScope)};
}

PrimFunc description(const isa::Config& config) {
  const auto [acc, inp, wgt] = make_buffers(config);
  const Var b("b"), o("o"), i("i");
  const Var vb("vb"), vo("vo"), vi("vi");
  Block block;
  block.name = "gemm";
  block.axes = {{vb, {0, config.batch()}, AxisKind::kSpatial},
                {vo, {0, config.block_out()}, AxisKind::kSpatial},
                {vi, {0, config.block_in()}, AxisKind::kReduce}};
  block.bindings = {b, o, i};
  block.body =
      store(acc, {vb, vo},
            load(acc, {vb, vo}) + cast(acc->dtype, load(inp, {vb, vi})) * cast(acc->dtype, load(wgt, {vo, vi})));
  PrimFunc function;
  function.name = "gemm_description";
  function.params = {acc, inp, wgt};
  function.body =
      loop(b, config.batch(), loop(o, config.block_out(), loop(i, config.block_in(), make_stmt(std::move(block)))));
  return function;
}

PrimFunc implementation(const isa::Config& config) {
  const auto [acc, inp, wgt] = make_buffers(config);
  const auto whole = [](const Buffer& buffer, Touch touch) {
    return view(buffer, {{0, buffer->shape[0]}, {0, buffer->shape[1]}}, touch);
  };
  PrimFunc function;
  function.name = kGemmCall;
  function.params = {acc, inp, wgt};
  function.body = evaluate(Expr(std::make_shared<Call>(
      kVoid, std::string(kGemmCall),
      std::vector{whole(acc, Touch::kReadWrite), whole(inp, Touch::kRead), whole(wgt, Touch::kRead)})));
  return function;
}

}  // namespace

DType element_type(isa::Memory memory, const isa::Config& config) {
  switch (memory) {
    case isa::Memory::kInp: return DType::integer(config.inp_bits());
    case isa::Memory::kWgt: return DType::integer(config.wgt_bits());
    case isa::Memory::kOut: return DType::integer(config.out_bits());
    case isa::Memory::kAcc8: return kInt8;
    case isa::Memory::kAcc:
    case isa::Memory::kUop: break;
  }
  return DType::integer(config.acc_bits());
}

schedule::Intrinsics intrinsics(const isa::Config& config) {
  return {
      std::make_shared<const schedule::TensorIntrinsic>(description(config), implementation(config), externs(config))};
}

}  // namespace vantage::vta
