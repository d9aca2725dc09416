// Calls of the user's functions in random loops, compiled and interpreted.
#include <random>

#include "compiler/backend/cpu/interpretable.h"
#include "compiler/backend/cpu/jit.h"
#include "compiler/ir/call_extern.h"
#include "compiler/ir/printer.h"
#include "tests/catch.h"
#include "tests/compiler/backend/cpu/run_compiled.h"
#include "tests/compiler/backend/cpu/user_functions.h"
#include "tests/support/effort.h"

namespace vantage::test::backend_cpu_extern_property_test {

using namespace vantage;
using namespace vantage::ir;
using namespace vantage::test;

namespace {

// Nests of loops of every kind around calls on random boxes of a few buffers.
class RandomCalls {
 public:
  explicit RandomCalls(uint64_t seed) : random_(seed) {
    for (const char* name : {"A", "B", "C"}) {
      std::vector<Expr> shape;
      for (size_t d = 0; d < pick(3); ++d) shape.emplace_back(static_cast<int>(2 + pick(6)));
      buffers_.push_back(make_buffer(name, shape, kInt32));
    }
  }

  PrimFunc function() {
    PrimFunc f;
    f.name = "f";
    for (const Buffer& buffer : buffers_) f.params.emplace_back(buffer);
    std::vector<Stmt> stmts;
    for (size_t i = 0; i < 1 + pick(3); ++i) stmts.push_back(nest(pick(3), false));
    f.body = seq(std::move(stmts));
    return f;
  }

 private:
  size_t pick(size_t count) { return random_() % count; }

  Expr index() {
    if (loops_.empty() || pick(3) == 0) return static_cast<int>(pick(9));
    const Expr i = loops_[pick(loops_.size())];
    return pick(2) == 0 ? i : i * static_cast<int>(1 + pick(2)) + static_cast<int>(pick(2));
  }

  // Inside of the buffer, wherever the indices lead.
  std::vector<Range> box(const Buffer& buffer) {
    std::vector<Range> result;
    for (const Expr& size : buffer->shape) {
      const int whole = static_cast<int>(*as_int(size)),
                extent = 1 + static_cast<int>(pick(static_cast<size_t>(whole)));
      result.push_back({floor_mod(index(), whole - extent + 1), extent});
    }
    return result;
  }

  // Only innermost loops run in lanes, which take turns in each statement.
  Stmt nest(size_t depth, bool in_lanes) {
    if (depth == 0) return statement(in_lanes);
    using enum ForKind;
    const ForKind kind = std::vector{kSerial, kUnrolled, kVectorized}[pick(depth > 1 ? 2 : 3)];
    const Var i(fmt::format("i{}", loops_.size()));
    loops_.push_back(i);
    Stmt body = nest(depth - 1, kind == kVectorized);
    if (pick(3) == 0) body = make_stmt(If(floor_mod(index(), 3) != 1, body, {}));
    loops_.pop_back();
    return loop(kind, i, static_cast<int>(1 + pick(9)), body);
  }

  Stmt statement(bool in_lanes) {
    const Buffer &from = buffers_[pick(3)], &to = buffers_[pick(3)];
    switch (pick(3)) {
      case 0: {
        if (from == to) break;
        return call_extern("stir", {reads(from, box(from)), index(), writes(to, box(to))});
      }
      case 1: return call_extern("accumulate", {updates(to, box(to)), index()});
      default: break;
    }
    // Lanes read before any of them stores.
    if (in_lanes && from == to) return call_extern("accumulate", {updates(to, box(to)), index()});
    std::vector<Expr> at;
    for (const Expr& size : to->shape) at.push_back(floor_mod(index(), size));
    Expr value = call_pure_extern(kInt32, "sum_of", {reads(from, box(from))}) + index();
    const Expr odd = call_pure_extern(kBool, "is_odd", {value});
    if (pick(2) == 0) value = if_then_else(odd, value, call_pure_extern(kInt32, "sum_of", {reads(from, box(from))}));
    return store(to, at, floor_mod(value, 1000));
  }

  std::mt19937_64 random_;
  std::vector<Buffer> buffers_;
  std::vector<Var> loops_;
};

}  // namespace

TEST_CASE("calls on any boxes in any loops do what the interpreter does", "[property]") {
  const auto externs = cpu::interpretable(user_functions());
  std::vector<PrimFunc> made;
  std::vector<std::vector<Input>> inputs, expected;
  const int count = rounds(150);
  for (int seed = 0; seed < count; ++seed) {
    PrimFunc f = RandomCalls(static_cast<uint64_t>(seed)).function();
    f.name = fmt::format("f{}", seed);
    std::vector<Input> arrays;
    for (const Buffer& buffer : f.buffers()) {
      std::vector<int64_t> shape;
      for (const Expr& size : buffer->shape) shape.push_back(*as_int(size));
      Tensor array(kInt32, shape);
      for (int64_t e = 0; e < array.size(); ++e) array.set_integer(e, (e * 37 + seed) % 100);
      arrays.emplace_back(array);
    }
    expected.push_back(run_interpreted(f, arrays, {.externs = externs}));
    inputs.push_back(std::move(arrays));
    made.push_back(std::move(f));
  }
  cpu::Options options = checked_options();
  options.externals = user_functions();
  const auto compiled = cpu::jit(made, cpu::host_target(), options);
  for (size_t i = 0; i < made.size(); ++i) {
    INFO(to_text(made[i]));
    REQUIRE(first_difference(made[i], expected[i], run_compiled(compiled[i], inputs[i])) == "");
  }
}

}  // namespace vantage::test::backend_cpu_extern_property_test
