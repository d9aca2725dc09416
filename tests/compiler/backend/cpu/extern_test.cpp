// Compiled functions that call functions of the user's: they do what the interpreter does with the same ones.

#include "base/temporary.h"
#include "base/tensor/random.h"
#include "compiler/backend/cpu/interpretable.h"
#include "compiler/backend/cpu/library.h"
#include "compiler/ir/call_extern.h"
#include "compiler/ir/printer.h"
#include "compiler/schedule/schedule.h"
#include "compiler/te/te.h"
#include "native/library.h"
#include "native/workers.h"
#include "tests/catch.h"
#include "tests/compiler/backend/cpu/run_compiled.h"
#include "tests/compiler/backend/cpu/user_functions.h"

namespace vantage::test::backend_cpu_extern_test {

using namespace vantage;
using namespace vantage::te;
using namespace vantage::test;

namespace {

cpu::Options options() {
  cpu::Options result = checked_options();
  result.externals = user_functions();
  return result;
}

vantage::Tensor numbers(DType type, const std::vector<int64_t>& shape, uint64_t seed = 1) {
  std::mt19937_64 random(seed);
  vantage::Tensor result(type, shape);
  fill(result, random);
  return result;
}

// Runs a function both ways.
void check(const ir::PrimFunc& function, const std::vector<Input>& inputs) {
  INFO(to_text(function));
  const auto expected = run_interpreted(function, inputs, {.externs = cpu::interpretable(user_functions())});
  const native::Function compiled = cpu::jit(function, cpu::host_target(), options());
  const native::Workers workers(2);
  for (const vantage_runtime* runtime : {static_cast<const vantage_runtime*>(nullptr), workers.runtime()}) {
    CHECK(first_difference(function, expected, run_compiled(compiled, inputs, runtime)) == "");
  }
}

}  // namespace

TEST_CASE("numbers go to functions of the user's and come back", "[unit]") {
  const te::Tensor x = placeholder({37}, kFloat32, "X"), d = placeholder({37}, kFloat64, "D");
  const te::Tensor a = placeholder({37}, kInt8, "A"), b = placeholder({37}, kInt16, "B"),
                   c = placeholder({37}, kInt32, "C"), e = placeholder({37}, kInt64, "E");
  const auto at = [&](auto body, const char* name) { return compute({37}, body, name); };
  const te::Tensor y = at([&](Expr i) { return call_pure_extern(kFloat32, "gelu", {x(i)}) + 1.0F; }, "Y");
  const te::Tensor z = at([&](Expr i) { return call_pure_extern(kFloat64, "twice", {d(i)}); }, "Z");
  const te::Tensor n = at([&](Expr i) { return call_pure_extern(kInt8, "narrow", {a(i)}); }, "N");
  const te::Tensor m = at(
      [&](Expr i) {
        const Expr odd = call_pure_extern(kBool, "is_odd", {c(i) + i});
        return call_pure_extern(kInt64, "mix", {a(i), b(i), odd, e(i)});
      },
      "M");
  const ir::PrimFunc function = create_prim_func({x, d, a, b, c, e, y, z, n, m}, "f");
  const std::vector<Input> inputs = {numbers(kFloat32, {37}), numbers(kFloat64, {37}), numbers(kInt8, {37}),
                                     numbers(kInt16, {37}),   numbers(kInt32, {37}),   numbers(kInt64, {37}),
                                     numbers(kFloat32, {37}), numbers(kFloat64, {37}), numbers(kInt8, {37}),
                                     numbers(kInt64, {37})};
  check(function, inputs);
  // In lanes, of which a guard leaves some out; written out; on threads.
  schedule::Schedule s(function);
  for (const char* name : {"Y", "Z", "N", "M"}) {
    const auto loops = s.split_by_factor(s.get_loops(s.get_block(name))[0], 16);
    s.vectorize(loops[1]);
    s.parallel(loops[0]);
  }
  check(s.function(), inputs);
  schedule::Schedule written_out(function);
  for (const char* name : {"Y", "Z", "N", "M"}) {
    written_out.unroll(written_out.split_by_factor(written_out.get_loops(written_out.get_block(name))[0], 4)[1]);
  }
  check(written_out.function(), inputs);
}

TEST_CASE("boxes of buffers go to functions of the user's", "[unit]") {
  const Var n = var("n");
  const te::Tensor x = placeholder({n, 12}, kInt32, "X");
  // The whole of a temporary value, and a part of each row.
  const te::Tensor y = compute(
      {n, 12}, [&](Expr i, Expr j) { return x(i, j) + j; }, "Y");
  const te::Tensor whole = external(
      {n, 12}, kInt32, {y},
      [](const Buffers& in, const Buffers& out) {
        return ir::call_extern("stir", {ir::reads(in[0]), 5, ir::writes(out[0])});
      },
      "whole");
  const te::Tensor parts = external(
      {n, 12}, kInt32, {whole},
      [&](const Buffers& in, const Buffers& out) {
        const Var i("i");
        const auto box = [&](int first, int count) { return std::vector<ir::Range>{{i, 1}, {first, count}}; };
        return ir::loop(
            i, n,
            ir::seq({ir::call_extern("stir", {ir::reads(in[0], box(3, 5)), i, ir::writes(out[0], box(0, 6))}),
                     ir::call_extern("stir", {ir::reads(in[0], box(0, 1)), i, ir::writes(out[0], box(6, 6))}),
                     ir::call_extern("accumulate", {ir::updates(out[0], box(4, 4)), 3})}));
      },
      "parts");
  const te::Tensor sums = compute(
      {n},
      [&](Expr i) {
        return call_pure_extern(kInt32, "sum_of", {ir::reads(parts.buffer(), {{i, 1}, {2, 4}})}) + parts(i, 0);
      },
      "sums");
  const ir::PrimFunc function = create_prim_func({x, sums}, "f");
  const std::vector<Input> inputs = {numbers(kInt32, {9, 12}), numbers(kInt32, {9})};
  check(function, inputs);
  schedule::Schedule s(function);
  s.vectorize(s.split_by_factor(s.get_loops(s.get_block("sums"))[0], 4)[1]);
  check(s.function(), inputs);
}

TEST_CASE("calls that do not fit are refused when they are compiled", "[unit]") {
  const te::Tensor x = placeholder({4}, kFloat32, "X"), k = placeholder({4}, kInt32, "K");
  const auto error = [&](const Expr& value) {
    const ir::PrimFunc f = create_prim_func({x, k,
                                             compute(
                                                 {4}, [&](Expr) { return value; }, "Y")},
                                            "f");
    return ERROR_OF(cpu::jit(f, cpu::host_target(), options()));
  };
  const auto effect = [&](const std::string& function, const std::vector<Expr>& arguments, bool with_options = true) {
    const te::Tensor y = external(
        {4}, kInt32, {x, k},
        [&](const Buffers&, const Buffers& out) {
          return ir::seq({ir::store(out[0], {0}, 1), ir::call_extern(function, arguments)});
        },
        "Y");
    return ERROR_OF(
        cpu::jit(create_prim_func({x, k, y}, "f"), cpu::host_target(), with_options ? options() : cpu::Options()));
  };
  CHECK(error(call_pure_extern(kFloat32, "gelo", {x(0)})) == "a processor has no function gelo; did you mean 'gelu'?");
  CHECK(error(call_pure_extern(kFloat32, "launder", {x(0)})) ==
        "a processor has no function launder; give those of your own in Options::externals");
  CHECK(effect("stir", {}, false) == "a processor has no function stir; give those of your own in Options::externals");
  CHECK(error(call_pure_extern(kFloat32, "gelu", {x(0), x(1)})) == "gelu takes 1 arguments, got 2: float32 (float32)");
  CHECK(error(call_pure_extern(kFloat32, "gelu", {k(0)})) ==
        "argument 0 of gelu, 'K[0]', is int32, expected float32; use cast");
  CHECK(error(call_pure_extern(kFloat64, "gelu", {x(0)})) == "gelu gives float32, but is called for float64");
  CHECK(error(call_pure_extern(kInt32, "accumulate", {k(0), 1})) ==
        "argument 0 of accumulate, 'K[0]', is a value, expected a box of a buffer: void (tensor, int32)");
  CHECK(error(call_pure_extern(kInt32, "is_odd", {ir::reads(k.buffer())})) ==
        "argument 0 of is_odd, 'K[0:4]', is a box of a buffer, expected int32");
  CHECK(error(call_pure_extern(kInt32, "accumulate", {ir::reads(k.buffer()), 1})) ==
        "argument 0 of accumulate, 'K[0:4]', is only read, but the function takes it as a DLTensor*, so it may write "
        "it; let it take a const DLTensor*");
  CHECK(effect("stir", {ir::reads(x.buffer()), 1, ir::reads(k.buffer())}) ==
        "argument 0 of stir, 'X[0:4]', has elements of type float32, expected int32");
  CHECK(ERROR_OF(call_pure_extern(kInt32, "f", {ir::writes(k.buffer())})) ==
        "f writes K[0:4], but is called for its value; call_extern is for effects");
  CHECK(ERROR_OF(ir::call_extern("vta.load", {})) ==
        "'vta.load' cannot name a function of the user's; use letters, digits and underscores");
  CHECK(ERROR_OF(call_pure_extern(kFloat32, "exp", {x(0)})) ==
        "exp is an intrinsic; give the function of the user's another name");
}

TEST_CASE("functions are registered once, under names, with as many types as they have tensors", "[unit]") {
  native::Externals externals = user_functions();
  CHECK(describe(*externals.find("stir")) == "void (const int32 tensor, int32, int32 tensor)");
  CHECK(describe(*externals.find("mix")) == "int64 (int8, int16, bool, int64)");
  CHECK(ERROR_OF(externals.add("gelu", &gelu)) == "there are two functions gelu; give each its own name");
  CHECK(ERROR_OF(externals.add("a b", &gelu)) == "'a b' cannot name a function; use letters, digits and underscores");
  CHECK(ERROR_OF(externals.add("none", static_cast<float (*)(float) noexcept>(nullptr))) ==
        "the function none is a null pointer");
  CHECK(ERROR_OF(externals.add("more", &stir, {kInt32})) ==
        "more takes 2 tensors, but the types of 1 are given; give one of each, or none");
}

TEST_CASE("functions that are compiled together may call the same one of the user's", "[unit]") {
  const te::Tensor x = placeholder({20}, kFloat32, "X");
  const auto calling = [&](const char* name, float factor) {
    const te::Tensor y = compute(
        {20}, [&](Expr i) { return call_pure_extern(kFloat32, "gelu", {x(i) * factor}); }, "Y");
    return create_prim_func({x, y}, name);
  };
  const std::vector<ir::PrimFunc> functions = {calling("f", 1), calling("g", 2)};
  const TemporaryDirectory folder;
  cpu::save_library(functions, folder.path() / "library", cpu::host_target(), options());
  const native::Library library = native::load_library(folder.path() / "library", user_functions());
  const std::vector<native::Function> here = cpu::jit(functions, cpu::host_target(), options());
  const std::vector<Input> inputs = {numbers(kFloat32, {20}), vantage::Tensor(kFloat32, {20})};
  for (size_t i = 0; i < functions.size(); ++i) {
    const auto expected = run_interpreted(functions[i], inputs, {.externs = cpu::interpretable(user_functions())});
    CHECK(first_difference(functions[i], expected, run_compiled(here[i], inputs)) == "");
    CHECK(first_difference(functions[i], expected, run_compiled(library.find(functions[i].name), inputs)) == "");
  }
}

TEST_CASE("a library says which functions of the user's it lacks", "[unit]") {
  const te::Tensor x = placeholder({20}, kFloat32, "X");
  const te::Tensor y = compute(
      {20}, [&](Expr i) { return call_pure_extern(kFloat32, "gelu", {x(i)}); }, "Y");
  const te::Tensor z =
      external({20}, kInt32, {placeholder({20}, kInt32, "K")}, [](const Buffers& in, const Buffers& out) {
        return ir::call_extern("stir", {ir::reads(in[0]), 1, ir::writes(out[0])});
      });
  const ir::PrimFunc f = create_prim_func({x, y}, "f"), g = create_prim_func({z.operation().inputs[0], z}, "g");
  const TemporaryDirectory folder;
  const auto path = folder.path() / "library";
  cpu::save_library({f, g}, path, cpu::host_target(), options());
  const std::string where = (path / native::kManifestFile).string();
  CHECK(ERROR_OF(native::load_library(path)) ==
        where +
            ": the library calls functions that are not given: gelu, float32 (float32); stir, void (const int32 "
            "tensor, int32, int32 tensor); pass them to load_library as Externals");
  native::Externals other;
  other.add("stir", &stir);
  other.add("gelo", &gelu);
  CHECK_THAT(ERROR_OF(native::load_library(path, other)),
             ContainsSubstring("calls stir as void (const int32 tensor, int32, int32 tensor), but it is void (const "
                               "tensor, int32, tensor)"));
  const native::Library library = native::load_library(path, user_functions());
  const std::vector<Input> inputs = {numbers(kFloat32, {20}), vantage::Tensor(kFloat32, {20})};
  const auto expected = run_interpreted(f, inputs, {.externs = cpu::interpretable(user_functions())});
  CHECK(first_difference(f, expected, run_compiled(library.find("f"), inputs)) == "");
  // The code is loaded once: it cannot call another function from then on.
  native::Externals changed = user_functions(), another;
  for (const std::string& name : changed.names()) {
    if (name == "stir") another.add(name, +[](const DLTensor*, int32_t, DLTensor*) noexcept {}, {kInt32, kInt32});
    if (name == "gelu") another.add(name, &gelu);
  }
  CHECK(ERROR_OF(native::load_library(path, another)) ==
        "the library calls another function stir already, given when it was loaded first; give the same");
}

}  // namespace vantage::test::backend_cpu_extern_test
