#include "workload/roofline.h"

#include "compiler/ir/intrinsics.h"
#include "driver/processor/resident_tensor.h"
#include "workload/processor_code.h"

namespace vantage::workload {

using namespace ir;

namespace {

constexpr int64_t kSteps = 20'000;
constexpr int64_t kOperands = 16;

// In every thread so many vectors of sums, to each of which a product is added in every step: more than the multipliers
// need to be busy, fewer than there are registers. `fused`: products of bytes and their sum are one instruction.
PrimFunc sums_in_registers(bool words, bool fused, int64_t threads, int64_t vectors, int64_t lanes) {
  const DType type = words ? kInt32 : kFloat32;
  const Buffer x = make_buffer("X", {kOperands}, type), y = make_buffer("Y", {lanes}, type);
  const Buffer out = make_buffer("out", {threads, vectors, lanes}, type);
  const Buffer sums = make_buffer("sums", {vectors, lanes}, type, "local");
  const Var t("t"), i("i"), k("k");
  const auto all = [&](const std::function<Stmt(const Expr& v, const Expr& lane)>& body) {
    const Var v("v"), lane("lane");
    return loop(ForKind::kUnrolled, v, vectors, loop(ForKind::kVectorized, lane, lanes, body(v, lane)));
  };
  const Stmt zero = all([&](const Expr& v, const Expr& lane) { return store(sums, {v, lane}, make_zero(type)); });
  const Stmt add = all([&](const Expr& v, const Expr& lane) {
    const Expr a = load(x, {k}), b = load(y, {lane}), sum = load(sums, {v, lane});
    // Products that no two sums share, lest the compiler works them out once for all.
    if (!words) return store(sums, {v, lane}, sum * a + b);
    return store(sums, {v, lane}, sum + call(kDot4UnsignedSigned, {fused ? a : a + v, b}));
  });
  const Stmt keep = all([&](const Expr& v, const Expr& lane) {
    return store(out, {t, v, lane}, load(sums, {v, lane}));
  });
  const Stmt steps = loop(i, kSteps, loop(k, kOperands, add));
  PrimFunc f;
  f.name = "sums_in_registers";
  f.params = {x, y, out};
  f.body = loop(ForKind::kParallel, t, threads, make_stmt(Allocate(sums, seq({zero, steps, keep}))));
  return f;
}

// C = A + B on arrays that no cache holds.
PrimFunc triad(int64_t blocks, int64_t block) {
  const Buffer a = make_buffer("A", {blocks, block}, kFloat32), b = make_buffer("B", {blocks, block}, kFloat32);
  const Buffer c = make_buffer("C", {blocks, block}, kFloat32);
  const Var i("i"), j("j");
  const Stmt add = store(c, {i, j}, load(a, {i, j}) + load(b, {i, j}));
  PrimFunc f;
  f.name = "triad";
  f.params = {a, b, c};
  f.body = loop(ForKind::kParallel, i, blocks, loop(ForKind::kVectorized, j, block, add));
  return f;
}

}  // namespace

Roofline measure_roofline(driver::Processor& cpu, DType dtype) {
  const cpu::Target target = cpu::host_target();
  const bool words = dtype == kInt8;
  const int64_t threads = cpu.threads(), lanes = target.vector_bytes / 4, vectors = target.vector_registers - 4;
  constexpr int64_t kBlocks = 1024, kBlock = 16384;  // 64 MiB each
  const auto compiled =
      processor_code({sums_in_registers(words, target.dot != cpu::DotProduct::kNone, threads, vectors, lanes),
                      triad(kBlocks, kBlock)});
  const driver::TimeOptions options{.number = 1, .repeat = 5, .min_ms = 0};
  Roofline result{};
  {
    const DType type = words ? kInt32 : kFloat32;
    driver::ResidentTensor x(cpu, type, {kOperands}), y(cpu, type, {lanes}), out(cpu, type, {threads, vectors, lanes});
    const auto timing = cpu.load(compiled[0], {x.tensor(), y.tensor(), out.tensor()})->time(options);
    const int64_t products = threads * vectors * lanes * kSteps * kOperands * (words ? 4 : 1);
    result.operations = 2.0 * static_cast<double>(products) / timing.min();
  }
  driver::ResidentTensor a(cpu, kFloat32, {kBlocks, kBlock}), b(cpu, kFloat32, {kBlocks, kBlock}),
      c(cpu, kFloat32, {kBlocks, kBlock});
  const auto timing = cpu.load(compiled[1], {a.tensor(), b.tensor(), c.tensor()})->time(options);
  result.bytes = 3.0 * 4 * kBlocks * kBlock / timing.min();
  return result;
}

}  // namespace vantage::workload
