// Compiled functions take arrays that begin at any element.
#include "base/tensor/random.h"
#include "compiler/backend/cpu/jit.h"
#include "compiler/ops/matmul/cpu_matmul.h"
#include "compiler/schedule/schedule.h"
#include "compiler/te/te.h"
#include "native/workers.h"
#include "tests/catch.h"
#include "tests/compiler/backend/cpu/run_compiled.h"

namespace vantage::test::backend_cpu_alignment_test {

using namespace vantage;
using namespace vantage::te;
using namespace vantage::test;

namespace {

// Arrays whose first elements are `offset` elements behind an aligned address, each beside an aligned copy of its own.
class Shifted {
 public:
  Shifted(const std::vector<vantage::Tensor>& arrays, int64_t offset) {
    for (const vantage::Tensor& array : arrays) {
      memory_.emplace_back(array.dtype(), std::vector<int64_t>{array.size() + offset});
      const auto bytes = memory_.back().bytes().subspan(static_cast<size_t>(offset * array.dtype().bytes()));
      std::copy(array.bytes().begin(), array.bytes().end(), bytes.begin());
      tensors_.push_back(vantage::Tensor::borrow(array.dtype(), array.shape(), bytes));
    }
  }

  void run(const native::Function& function, const vantage_runtime* runtime) {
    std::vector<DLTensor> dl;
    for (const vantage::Tensor& tensor : tensors_) dl.push_back(tensor.dl());
    std::vector<const DLTensor*> arguments;
    for (const DLTensor& tensor : dl) arguments.push_back(&tensor);
    function(arguments, runtime);
  }
  vantage::Tensor last() const { return tensors_.back(); }

 private:
  std::vector<vantage::Tensor> memory_, tensors_;
};

void check(const ir::PrimFunc& function) {
  std::mt19937_64 random(1);
  std::vector<vantage::Tensor> arrays;
  for (const ir::Buffer& buffer : function.buffers()) {
    std::vector<int64_t> shape;
    for (const Expr& size : buffer->shape) shape.push_back(*ir::as_int(size));
    fill(arrays.emplace_back(buffer->dtype, shape), random, -8, 8);
  }
  const native::Function compiled = cpu::jit(function, cpu::host_target(), checked_options());
  const native::Workers workers(2);
  Shifted aligned(arrays, 0);
  aligned.run(compiled, workers.runtime());
  for (const int64_t offset : {1, 3, 7, 16}) {
    INFO("offset " << offset);
    Shifted shifted(arrays, offset);
    shifted.run(compiled, workers.runtime());
    CHECK(shifted.last() == aligned.last());
  }
}

}  // namespace

TEST_CASE("arrays begin at any element", "[unit]") {
  for (const DType type : {kInt8, kInt16, kInt32, kInt64, kFloat16, kBFloat16, kFloat32, kFloat64}) {
    INFO(ir::name(type));
    const te::Tensor a = placeholder({4, 100}, type, "A"), b = placeholder({4, 100}, type, "B");
    const te::Tensor c = compute(
        {4, 100}, [&](Expr i, Expr j) { return max(a(i, j), b(i, 99 - j)); }, "C");
    schedule::Schedule s(create_prim_func({a, b, c}, "f"));
    const auto loops = s.get_loops(s.get_block("C"));
    s.vectorize(loops[1]);
    s.parallel(loops[0]);
    check(s.function());
  }
}

TEST_CASE("a matrix product's operands begin at any element", "[unit]") {
  for (const DType type : {kFloat32, kInt8}) {
    check(ops::schedule_cpu_matmul({.m = 33, .n = 40, .k = 50, .dtype = type}, cpu::host_target()).function());
  }
}

TEST_CASE("a parameter may ask for more than an element's alignment", "[unit]") {
  const te::Tensor a = placeholder({64}, kFloat32, "A");
  const te::Tensor c = compute(
      {64}, [&](Expr i) { return a(i) * 2.0F; }, "C");
  const ir::PrimFunc f = with_params(create_prim_func({a, c}, "f"), [](ir::BufferNode& buffer) {
    if (buffer.name == "A") buffer.alignment = 64;
  });
  const native::Function compiled = cpu::jit(f);
  const std::vector<vantage::Tensor> arrays(2, vantage::Tensor(kFloat32, {64}));
  Shifted(arrays, 16).run(compiled, nullptr);
  CHECK_THAT(ERROR_OF(Shifted(arrays, 1).run(compiled, nullptr)),
             ContainsSubstring("the argument A of f begins at 0x") && ContainsSubstring("divisible by 64"));
}

}  // namespace vantage::test::backend_cpu_alignment_test
