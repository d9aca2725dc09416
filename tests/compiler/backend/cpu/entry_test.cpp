// What a compiled function says about arguments that do not fit.
#include "base/tensor/compare.h"
#include "compiler/backend/cpu/jit.h"
#include "compiler/ir/in_place.h"
#include "compiler/ops/cpu/default_schedule.h"
#include "compiler/schedule/schedule.h"
#include "compiler/te/te.h"
#include "native/library.h"
#include "native/workers.h"
#include "tests/catch.h"
#include "tests/compiler/backend/cpu/guarded_tensor.h"
#include "tests/compiler/backend/cpu/run_compiled.h"

#include <thread>

namespace vantage::test::backend_cpu_entry_test {

using namespace vantage;
using namespace vantage::test;
using namespace vantage::te;

namespace {

// C[i, j] = A[i, j] * s + B[j] for any n, with rows of A `stride` elements apart.
ir::PrimFunc scale_add() {
  const Var n = var("n"), stride = var("stride");
  const Var s = var("s", kInt8);
  const te::Tensor a = placeholder({n, 16}, kFloat32, "A"), b = placeholder({16}, kFloat32, "B");
  const te::Tensor c = compute(
      {n, 16}, [&](Expr i, Expr j) { return a(i, j) * cast(kFloat32, s) + b(j); }, "C");
  ir::PrimFunc f = create_prim_func({a, b, s, c}, "scale_add");
  return with_params(f, [&](ir::BufferNode& buffer) {
    if (buffer.name == "A") buffer.strides = {stride, Expr(1)};
    if (buffer.name == "B") buffer.alignment = 16;
  });
}

// Arguments that fit, to be spoilt one at a time.
struct Call {
  static vantage::Tensor filled(std::vector<int64_t> shape, std::vector<int64_t> strides = {}) {
    vantage::Tensor array(kFloat32, std::move(shape), std::move(strides));
    for (int64_t e = 0; e < array.size(); ++e) array.set_integer(e, e + 1);
    return array;
  }
  vantage::Tensor a = filled({3, 16}, {20, 1}), b = filled({16}), c{kFloat32, {3, 16}};
  GuardedTensor ta{a, 64, GuardedTensor::Side::kBegin}, tb{b, 16, GuardedTensor::Side::kBegin},
      tc{c, 64, GuardedTensor::Side::kBegin};
  std::vector<vantage_argument> arguments = {
      {.tensor = ta.tensor()}, {.tensor = tb.tensor()}, {.integer = 2}, {.tensor = tc.tensor()}};

  std::string error(const native::Function& f) { return ERROR_OF(f(arguments)); }
};

}  // namespace

TEST_CASE("what does not fit a function is refused by name, with what was expected and what came", "[unit]") {
  const native::Function f = cpu::jit(scale_add());
  {
    Call fits;
    f(fits.arguments);
    CHECK(fits.tc.array().at({2, 15}) == 2.0 * fits.a.at({2, 15}) + fits.b.at({15}));
    CHECK(fits.tc.array().at({2, 15}) != 0);
  }
  const auto error = [&](const std::function<void(Call&)>& spoil) {
    Call call;
    spoil(call);
    return call.error(f);
  };
  CHECK(error([](Call& c) { c.arguments.pop_back(); }) == "scale_add takes 4 arguments, got 3");
  CHECK(error([](Call& c) { c.arguments[1].tensor = nullptr; }) ==
        "the argument B of scale_add is null, expected float32[16]");
  CHECK(error([](Call& c) { c.tb.tensor()->data = nullptr; }) ==
        "the argument B of scale_add has no data (null), expected float32[16]");
  CHECK(error([](Call& c) { c.ta.tensor()->device.device_type = kDLCUDA; }) ==
        "the argument A of scale_add is on a device of type 2, expected host memory (1)");
  CHECK(error([](Call& c) {
          c.ta.tensor()->dtype = {kDLInt, 8, 1};
        }) == "the argument A of scale_add has the type int8, expected float32[n, 16]");
  CHECK(error([](Call& c) { c.ta.tensor()->dtype.lanes = 4; }) ==
        "the argument A of scale_add has the type float32x4, expected float32[n, 16]");
  CHECK(error([](Call& c) { c.ta.tensor()->shape = nullptr; }) ==
        "the argument A of scale_add has no shape (null), expected float32[n, 16]");
  CHECK(error([](Call& c) { c.ta.tensor()->strides[0] = -20; }) ==
        "the argument A of scale_add has the stride -20 in dimension 0, expected 0 or more");
  CHECK(error([](Call& c) { c.ta.tensor()->ndim = 1; }) ==
        "the argument A of scale_add has 1 dimensions, expected 2: float32[n, 16]");
  CHECK(error([](Call& c) { c.ta.tensor()->shape[1] = 17; }) ==
        "the argument A of scale_add has the size 17 in dimension 1, expected 16: float32[n, 16]");
  CHECK(error([](Call& c) { c.tc.tensor()->shape[0] = 4; }) ==
        "the argument C of scale_add has the size 4 in dimension 0, expected n = 3: float32[n, 16]");
  CHECK(error([](Call& c) { c.ta.tensor()->shape[0] = c.tc.tensor()->shape[0] = 0; }) ==
        "the argument A of scale_add has the size 0 in dimension 0, expected at least 1: float32[n, 16]");
  CHECK(error([](Call& c) { c.tc.tensor()->strides[0] = 17; }) ==
        "the argument C of scale_add has the stride 17 in dimension 0, expected 16 elements");
  CHECK(error([](Call& c) { c.ta.tensor()->strides[1] = 2; }) ==
        "the argument A of scale_add has the stride 2 in dimension 1, expected 1 elements");
  CHECK(error([](Call& c) { c.ta.tensor()->shape[0] = int64_t{1} << 33; }) ==
        "the argument A of scale_add has 8589934592 elements or steps in dimension 0, more than its variable can hold: "
        "float32[n, 16]");
  CHECK(error([](Call& c) { c.arguments[2].integer = 128; }) ==
        "the argument s of scale_add is 128, which int8 cannot hold");
  CHECK_THAT(error([](Call& c) { c.tb.tensor()->byte_offset = 8; }),
             ContainsSubstring("expected an address divisible by 16"));
  CHECK(error([](Call& c) { c.tc.tensor()->data = c.tb.tensor()->data; }) ==
        "the argument C of scale_add shares memory with the argument B, and one of them is written; pass memory "
        "of its own");
  // Without strides data is row-major, and A's rows then 16 apart; nobody needs the reason.
  Call dense;
  dense.ta.tensor()->strides = nullptr;
  dense.tc.tensor()->strides = nullptr;
  CHECK(f.entry()(dense.arguments.data(), 4, nullptr, nullptr) == VANTAGE_OK);
  CHECK(f.entry()(dense.arguments.data(), 3, nullptr, nullptr) == VANTAGE_WRONG_COUNT);
}

TEST_CASE("a function that may write in place does so, vectorized and in threads, but not nearly in place", "[unit]") {
  const te::Tensor a = placeholder({64, 100}, kFloat32, "A"), b = placeholder({64, 100}, kFloat32, "B");
  const te::Tensor c = compute(
      {64, 100}, [&](Expr i, Expr j) { return a(i, j) * a(i, j) + b(i, j); }, "C");
  ir::PrimFunc function = create_prim_func({a, b, c}, "f");
  ir::note_in_place(function);
  const native::Function f = cpu::jit(ops::schedule_by_default(function, cpu::host_target(), 2).function());
  const auto filled = [](int64_t modulus) {
    vantage::Tensor array(kFloat32, {64, 100});
    for (int64_t e = 0; e < array.size(); ++e) array.set_integer(e, e % modulus);
    return array;
  };
  const vantage::Tensor x = filled(13), y = filled(7);
  for (const bool in_a : {true, false}) {
    GuardedTensor ta(x, 64, GuardedTensor::Side::kEnd), tb(y, 64, GuardedTensor::Side::kEnd);
    GuardedTensor& written = in_a ? ta : tb;
    DLTensor tc = *written.tensor();
    f({ta.tensor(), tb.tensor(), &tc});
    const vantage::Tensor got = written.array();
    for (int64_t e = 0; e < got.size(); ++e) {
      REQUIRE(got.number(e) == x.number(e) * x.number(e) + y.number(e));
    }
    tc.byte_offset = 64;
    CHECK_THAT(ERROR_OF(f({ta.tensor(), tb.tensor(), &tc})), ContainsSubstring("shares memory with the argument"));
  }
}

TEST_CASE("sizes that 32 bits do not hold", "[unit]") {
  // What is expected of B is 4 * n, more than an int32: a tensor of what that wraps to is not taken for it.
  const Var n = var("n");
  const te::Tensor a = placeholder({n}, kInt8, "A"), b = placeholder({n * 4}, kInt8, "B");
  const te::Tensor c = compute(
      {n}, [&](Expr i) { return a(i) + b(i); }, "C");
  const native::Function f = cpu::jit(create_prim_func({a, b, c}, "f"));
  vantage::Tensor some(kInt8, {4});
  GuardedTensor ta(some, 64, GuardedTensor::Side::kBegin), tb(some, 64, GuardedTensor::Side::kBegin),
      tc(some, 64, GuardedTensor::Side::kBegin);
  ta.tensor()->shape[0] = tc.tensor()->shape[0] = (1 << 30) + 1;
  CHECK_THAT(ERROR_OF(f({ta.tensor(), tb.tensor(), tc.tensor()})),
             ContainsSubstring("has the size 4 in dimension 0, expected n * 4 = 4294967300"));
  // Temporary values of more bytes than there are, not of what their number wraps to.
  const te::Tensor t = compute(
      {65536, 65536, 65536}, [&](Expr i, Expr, Expr) { return a(ir::min(i, n - 1)); }, "T");
  const te::Tensor d = compute(
      {n}, [&](Expr i) { return t(i, 0, 0) + t(0, i, 1); }, "D");
  const native::Function g = cpu::jit(create_prim_func({a, d}, "g"));
  vantage::Tensor x(kInt8, {4});
  const GuardedTensor tx(x, 64, GuardedTensor::Side::kBegin), td(x, 64, GuardedTensor::Side::kBegin);
  CHECK_THAT(ERROR_OF(g({tx.tensor(), td.tensor()})), ContainsSubstring("ran out of memory"));
}

TEST_CASE("a function may have any name", "[unit]") {
  for (const char* name : {"exp", "malloc", "refuse", "allocate", "main", "memcpy"}) {
    const te::Tensor a = placeholder({4}, kFloat64, "A");
    const ir::PrimFunc f = create_prim_func({a, compute(
                                                    {4}, [&](Expr i) { return exp(a(i)); }, "C")},
                                            name);
    vantage::Tensor x(kFloat64, {4});
    const auto got = run_compiled(cpu::jit(f), {x, x});
    CHECK(std::get<vantage::Tensor>(got[1]).at({3}) == 1);
  }
}

TEST_CASE("conditions on narrow integers wrap, and loops of no lane do not run", "[unit]") {
  const ir::Buffer a = ir::make_buffer("A", {8}, kInt8), n = ir::make_buffer("N", {1}, kInt32);
  const ir::Buffer c = ir::make_buffer("C", {8}, kInt32);
  const Var i("i"), k("k");
  const auto function = [&](ir::Stmt body) {
    ir::PrimFunc f;
    f.params = {a, n, c};
    f.body = std::move(body);
    return f;
  };
  vantage::Tensor x(kInt8, {8}), count(kInt32, {1}), out(kInt32, {8});
  for (int64_t e = 0; e < 8; ++e) x.set_integer(e, 100);
  count.set_integer(0, 1 << 30);
  // 100 + 100 is -56 in eight bits.
  const Expr wrapped = ir::load(a, {i}) + ir::make_int(kInt8, 100) > ir::make_int(kInt8, 0);
  const ir::Stmt chosen = ir::make_stmt(ir::If(wrapped, ir::store(c, {i}, 1), ir::store(c, {i}, 2)));
  // For no lane, however long.
  ir::For steps;
  steps.var = k;
  steps.min = 0;
  steps.extent = ir::load(n, {0});
  steps.body = ir::store(c, {i}, ir::load(c, {i}) + k);
  const ir::Stmt never = ir::make_stmt(ir::If(ir::load(a, {i}) < ir::make_int(kInt8, 0), ir::make_stmt(steps), {}));
  ir::For lanes;
  lanes.var = i;
  lanes.min = 0;
  lanes.extent = 8;
  for (const ir::ForKind kind : {ir::ForKind::kSerial, ir::ForKind::kVectorized}) {
    lanes.loop = kind;
    lanes.body = ir::seq({chosen, never});
    const auto got = run_compiled(cpu::jit(function(ir::make_stmt(lanes))), {x, count, out});
    for (int64_t e = 0; e < 8; ++e) CHECK(std::get<vantage::Tensor>(got[2]).integer(e) == 2);
  }
}

TEST_CASE("no memory for temporary values is an error, not a crash", "[unit]") {
  const te::Tensor a = placeholder({1 << 20}, kFloat32, "A");
  const te::Tensor t = compute(
      {1 << 20}, [&](Expr i) { return a(i) * 2.0F; }, "T");
  const te::Tensor c = compute(
      {1 << 20}, [&](Expr i) { return t(i) + t(Expr((1 << 20) - 1) - i); }, "C");
  const native::Function f = cpu::jit(create_prim_func({a, c}, "reversed"));
  vantage_runtime none = *native::Workers(1).runtime();
  none.allocate = [](void*, uint64_t, uint64_t) -> void* { return nullptr; };
  vantage::Tensor x(kFloat32, {1 << 20});
  const GuardedTensor tx(x, 64, GuardedTensor::Side::kBegin);
  const GuardedTensor tc(x, 64, GuardedTensor::Side::kBegin);
  CHECK(ERROR_OF(f({tx.tensor(), tc.tensor()}, &none)) ==
        "reversed ran out of memory for its temporary values; its results are not complete");
}

TEST_CASE("a function runs on many threads at once", "[unit]") {
  constexpr int64_t kSize = 4096;
  const te::Tensor a = placeholder({kSize}, kInt32, "A");
  const te::Tensor t = compute(
      {kSize}, [&](Expr i) { return a(i) * 3; }, "T");
  const te::Tensor c = compute(
      {kSize}, [&](Expr i) { return t(i) + t(Expr(kSize - 1) - i); }, "C");
  schedule::Schedule s(create_prim_func({a, c}, "mirror"));
  for (const char* block : {"T", "C"}) s.parallel(s.get_loops(s.get_block(block))[0]);
  const native::Function f = cpu::jit(s.function());
  native::Workers workers(2);
  std::vector<std::thread> threads;
  std::atomic<int> wrong = 0;
  for (int number = 0; number < 4; ++number) {
    threads.emplace_back([&, number] {
      vantage::Tensor x(kInt32, {kSize}), expected(kInt32, {kSize});
      for (int64_t i = 0; i < kSize; ++i) {
        x.set_integer(i, i * number);
        expected.set_integer(i, 3 * number * (kSize - 1));
      }
      for (int round = 0; round < 20; ++round) {
        GuardedTensor tx(x, 64, GuardedTensor::Side::kBegin);
        GuardedTensor tc(vantage::Tensor(kInt32, {kSize}), 64, GuardedTensor::Side::kEnd);
        // On the shared threads, and on this one.
        f({tx.tensor(), tc.tensor()}, round % 2 == 0 ? workers.runtime() : nullptr);
        if (!tc.intact() || vantage::difference(expected, tc.array())) ++wrong;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == 0);
}

TEST_CASE("what a processor cannot do is refused", "[unit]") {
  const te::Tensor a = placeholder({64}, kFloat32, "A");
  const te::Tensor c = compute(
      {64}, [&](Expr i) { return a(i) + 1.0F; }, "C");
  const ir::PrimFunc f = create_prim_func({a, c}, "f");
  schedule::Schedule s(f);
  s.bind(s.get_loops(s.get_block("C"))[0], "threadIdx.x");
  CHECK(ERROR_OF(cpu::jit(s.function())) ==
        "the loop i is bound to threadIdx.x, which a processor does not have; make it parallel");
  CHECK(ERROR_OF(cpu::jit({f, f})) == "two functions have the name f; give each its own");
  CHECK_THAT(ERROR_OF(cpu::jit(f, cpu::cross_target("aarch64-linux-gnu"))),
             ContainsSubstring("does not run on this processor"));
  CHECK_THAT(ERROR_OF(cpu::cross_target("toaster-linux-gnu")), ContainsSubstring("toaster"));
  CHECK_THAT(ERROR_OF(cpu::cross_target("x86_64-linux-gnu", "i4004")), ContainsSubstring("has no processor 'i4004'"));
  CHECK_THAT(ERROR_OF(cpu::cross_target("aarch64-linux-gnu", "", "+neon,+wings")),
             ContainsSubstring("has no feature '+wings'"));
  CHECK_THAT(ERROR_OF(native::Workers(-1)), ContainsSubstring("is -1, expected 1 to 1024"));
}

}  // namespace vantage::test::backend_cpu_entry_test
