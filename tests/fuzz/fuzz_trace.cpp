// Any bytes as a schedule's trace: an Error, or steps that print as C++ and as the same JSON, and that replay onto a
// function or are refused.
#include "base/error.h"
#include "base/json.h"
#include "compiler/ir/substitute.h"
#include "compiler/ir/verify.h"
#include "compiler/schedule/schedule.h"
#include "compiler/te/te.h"

using namespace vantage;

namespace {

using namespace te;

// Y = A . B
te::Tensor product(const te::Tensor& a, const te::Tensor& b, int64_t size) {
  const ReduceAxis k = reduce_axis(size, "k");
  return compute(
      {size, size}, [&](Expr i, Expr j) { return sum(a(i, k) * b(k, j), {k}); }, "Y");
}

// C = max(A . B, 0)
ir::PrimFunc function() {
  const te::Tensor a = placeholder({8, 8}, kInt32, "A"), b = placeholder({8, 8}, kInt32, "B");
  const te::Tensor y = product(a, b, 8);
  const te::Tensor c = compute(
      {8, 8}, [&](Expr i, Expr j) { return max(y(i, j), 0); }, "C");
  return create_prim_func({a, b, c}, "f");
}

// "dev.mma": the product of 4 x 4 by 4 x 4, by loops of its own.
schedule::Intrinsics intrinsics() {
  using schedule::Operands;
  const te::Tensor a = placeholder({4, 4}, kInt32, "A"), b = placeholder({4, 4}, kInt32, "B");
  const Var i("i"), j("j"), k("k");
  const auto loops = [=](const ir::Stmt& body) { return ir::loop(j, 4, ir::loop(i, 4, body)); };
  const auto reset = [=](const Operands& o) { return loops(ir::store(o["Y"], {i, j}, 0)); };
  const auto update = [=](const Operands& o) {
    const Expr value = ir::load(o["A"], {i, k}) * ir::load(o["B"], {k, j});
    return loops(ir::loop(k, 4, ir::store(o["Y"], {i, j}, ir::load(o["Y"], {i, j}) + value)));
  };
  const auto whole = [=](const Operands& o) { return ir::seq({ir::fresh_copy(reset(o)), ir::fresh_copy(update(o))}); };
  return {std::make_shared<const schedule::Intrinsic>(
      "dev.mma", create_prim_func({a, b, product(a, b, 4)}),
      schedule::Implementations{.compute = whole, .reset = reset, .update = update})};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const ir::PrimFunc kFunction = function();
  static const schedule::Intrinsics kIntrinsics = intrinsics();
  try {
    const auto trace = schedule::trace_from_json(parse_json({reinterpret_cast<const char*>(data), size}, "fuzz"));
    VANTAGE_CHECK(!trace.empty() == !to_cpp(trace).empty());
    const Json json = to_json(trace);
    VANTAGE_CHECK(to_json(schedule::trace_from_json(json)) == json);
    schedule::Schedule s(kFunction, kIntrinsics);
    s.replay(trace);
    VANTAGE_CHECK(ir::verify(s.function()).empty());
  } catch (const Error&) {
  }
  return 0;
}
