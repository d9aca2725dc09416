// Any bytes as a schedule's trace: an Error, or steps that print as C++ and as the same JSON, and that replay onto a
// function or are refused.
#include "base/error.h"
#include "base/json.h"
#include "compiler/ir/verify.h"
#include "compiler/schedule/schedule.h"
#include "compiler/te/te.h"

using namespace vantage;

namespace {

// C = max(A . B, 0)
ir::PrimFunc function() {
  using namespace te;
  const te::Tensor a = placeholder({8, 8}, kInt32, "A"), b = placeholder({8, 8}, kInt32, "B");
  const ReduceAxis k = reduce_axis(8, "k");
  const te::Tensor y = compute(
      {8, 8}, [&](Expr i, Expr j) { return sum(a(i, k) * b(k, j), {k}); }, "Y");
  const te::Tensor c = compute(
      {8, 8}, [&](Expr i, Expr j) { return max(y(i, j), 0); }, "C");
  return create_prim_func({a, b, c}, "f");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const ir::PrimFunc kFunction = function();
  try {
    const auto trace = schedule::trace_from_json(parse_json({reinterpret_cast<const char*>(data), size}, "fuzz"));
    VANTAGE_CHECK(!trace.empty() == !to_cpp(trace).empty());
    const Json json = to_json(trace);
    VANTAGE_CHECK(to_json(schedule::trace_from_json(json)) == json);
    schedule::Schedule s(kFunction);
    s.replay(trace);
    VANTAGE_CHECK(ir::verify(s.function()).empty());
  } catch (const Error&) {
  }
  return 0;
}
