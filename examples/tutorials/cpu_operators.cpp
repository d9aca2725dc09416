// Operators as library calls on this machine's processor, with their definitions: element-wise multiply, matrix
// products in four layouts, a convolution, softmax and the loss of a classifier. docs/tutorials/cpu_operators.md tells
// more.
#include <fmt/format.h>

#include "base/error.h"
#include "base/tensor/compare.h"
#include "compiler/ir/interpreter/interpreter.h"
#include "compiler/ir/printer.h"
#include "compiler/ops/conv2d/cpu_conv2d.h"
#include "compiler/ops/cpu/default_schedule.h"
#include "compiler/ops/matmul/cpu_matmul.h"
#include "compiler/ops/nn.h"
#include "examples/support/run_on_cpu.h"

using namespace vantage;
using namespace vantage::ops;
using namespace vantage::cpu;
using examples::Arrays;

namespace {

// What the definition means, by the interpreter.
Arrays interpreted(const ir::PrimFunc& definition, Arrays arrays) {
  std::vector<ir::Argument> arguments;
  for (vantage::Tensor& array : arrays) arguments.emplace_back(&array);
  interpret(definition, arguments);
  return arrays;
}

void show(const std::string& title, const ir::PrimFunc& definition) {
  fmt::print("{}:\n{}\n", title, to_text(definition));
}

// Runs what was compiled beside its definition. Exponentials may differ in the last places.
void check(const std::string& what, const vantage::Tensor& expected, const vantage::Tensor& got, double tolerance = 0) {
  if (const auto difference = vantage::difference(expected, got, {tolerance, tolerance}))
    fail("{}: {}", what, *difference);
  fmt::print("{}: as defined\n\n", what);
}

void run_by_default(const std::string& title, const ir::PrimFunc& definition, double tolerance = 0) {
  show(title, definition);
  const Arrays inputs = examples::small_numbers(definition);
  const auto scheduled = schedule_by_default(definition, host_target());
  check(definition.name, interpreted(definition, inputs).back(),
        examples::run_on_cpu(scheduled.function(), inputs).arrays.back(), tolerance);
}

void run_matmul(bool transpose_a, bool transpose_b) {
  const MatmulShape shape{.m = 48, .n = 80, .k = 64, .transpose_a = transpose_a, .transpose_b = transpose_b};
  const ir::PrimFunc definition = cpu_matmul(shape);
  const std::string name = fmt::format("matmul {}{}", transpose_a ? "T" : "N", transpose_b ? "T" : "N");
  show(name, definition);
  const Arrays inputs = examples::small_numbers(definition);
  const auto scheduled = schedule_cpu_matmul(shape, host_target());
  check(name, interpreted(definition, inputs).back(), examples::run_on_cpu(scheduled.function(), inputs).arrays.back());
}

void run_conv() {
  CpuConv2d conv;
  conv.shape = {.batch = 1,
                .in_channels = 16,
                .height = 12,
                .width = 12,
                .out_channels = 32,
                .kernel_h = 3,
                .kernel_w = 3,
                .stride = 1,
                .pad = 1};
  const ir::PrimFunc definition = cpu_conv2d(conv);
  show("conv2d", definition);
  const Arrays inputs = examples::small_numbers(definition);
  const Target target = host_target();
  const auto tiling = choose_cpu_conv2d_tiling(conv, target, 1);
  // The weights are packed once, by a function of their own.
  const ir::PrimFunc packing = schedule_weight_packing(conv, tiling).function();
  const Arrays packed =
      examples::run_on_cpu(packing, {inputs[1], vantage::Tensor(ir::kFloat32, packed_weights_shape(conv, tiling))})
          .arrays;
  const ir::PrimFunc scheduled = schedule_cpu_conv2d(conv, tiling, target, 1).function();
  check("conv2d", interpreted(definition, inputs).back(),
        examples::run_on_cpu(scheduled, {inputs[0], packed[1], inputs[2]}).arrays.back());
}

}  // namespace

int main() try {
  run_by_default("Element-wise multiply", define_multiply({12, 100}, ir::kFloat32));
  for (const bool transpose_a : {false, true}) {
    for (const bool transpose_b : {false, true}) run_matmul(transpose_a, transpose_b);
  }
  run_conv();
  run_by_default("Softmax", define_softmax(12, 100, ir::kFloat32), 0x1p-19);
  run_by_default("Softmax cross-entropy", define_softmax_cross_entropy(12, 100, ir::kFloat32), 0x1p-19);
  return 0;
} catch (const Error& error) {
  fmt::print(stderr, "error: {}\n", error.what());
  return 1;
}
