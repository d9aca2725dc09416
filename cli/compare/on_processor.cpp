// cpu: and the libraries: the same operands in the layouts that they take.
#include "base/error.h"
#include "cli/compare/host_tensor.h"
#include "cli/compare/measure.h"
#include "cli/compare/processor_roofline.h"
#include "compiler/backend/cpu/dl_dtype.h"
#include "compiler/backend/cpu/jit.h"
#include "compiler/ops/conv2d/cpu_conv2d.h"
#include "compiler/ops/matmul/cpu_matmul.h"
#include "native/signature.h"

namespace vantage::cli {

using ir::DType;
using Shape = std::vector<int64_t>;

namespace {

DType sum_type(DType dtype) {
  return dtype == ir::kInt8 ? ir::kInt32 : dtype;
}

// Operands on a processor: matrices [m, k] and [k, n], or images [n][h][w][c] and weights [o][i][h][w].
struct OnProcessor {
  OnProcessor(const Comparison& c, driver::Processor& device, DType dtype, DType result)
      : a(device, dtype, input_shape(c),
          permuted(c.operands.inputs, {s(c).batch, s(c).in_channels, s(c).height, s(c).width}, {0, 2, 3, 1})),
        w(device, dtype, weight_shape(c),
          c.workload.is_matmul ? permuted(c.operands.weights, {s(c).out_channels, s(c).in_channels}, {1, 0})
                               : c.operands.weights),
        c_(device, result, output_shape(c)) {}

  static const ops::Conv2dShape& s(const Comparison& c) { return c.workload.shape; }
  static Shape input_shape(const Comparison& c) {
    if (c.workload.is_matmul) return {s(c).batch, s(c).in_channels};
    return {s(c).batch, s(c).height, s(c).width, s(c).in_channels};
  }
  static Shape weight_shape(const Comparison& c) {
    if (c.workload.is_matmul) return {s(c).in_channels, s(c).out_channels};
    return {s(c).out_channels, s(c).in_channels, s(c).kernel_h, s(c).kernel_w};
  }
  static Shape output_shape(const Comparison& c) {
    if (c.workload.is_matmul) return {s(c).batch, s(c).out_channels};
    return {s(c).batch, s(c).out_height(), s(c).out_width(), s(c).out_channels};
  }

  HostTensor a, w, c_;
};

CompareRow start_row(const Comparison& c, driver::Processor& device, DType dtype, OnProcessor& data) {
  CompareRow row{.workload = c.workload.name, .target = device.uri(), .dtype = ir::name(dtype)};
  row.operations = c.workload.shape.operations();
  row.bytes = data.a.bytes() + data.w.bytes() + data.c_.bytes();
  return row;
}

}  // namespace

driver::ConvProblem conv_problem(const ops::Conv2dShape& s, DLDataType dtype) {
  return {.batch = s.batch,
          .in_channels = s.in_channels,
          .height = s.height,
          .width = s.width,
          .out_channels = s.out_channels,
          .kernel_h = s.kernel_h,
          .kernel_w = s.kernel_w,
          .stride = s.stride,
          .pad = s.pad,
          .dtype = dtype};
}

CompareRow measure_on_cpu(const Comparison& c, driver::Processor& cpu, const driver::TimeOptions& time) {
  const CompareWorkload& w = c.workload;
  const ops::Conv2dShape& s = w.shape;
  const cpu::Target target = cpu::host_target();
  std::vector<double> got;
  if (w.is_matmul) {
    OnProcessor data(c, cpu, w.dtype, sum_type(w.dtype));
    CompareRow row = start_row(c, cpu, w.dtype, data);
    const ops::MatmulShape shape{.m = s.batch, .n = s.out_channels, .k = s.in_channels, .dtype = w.dtype};
    const auto run = cpu.load(cpu::jit(schedule_matmul(shape, target, cpu.threads()).function(), target));
    row.seconds = time_evaluator([&] { run({data.a.tensor(), data.w.tensor(), data.c_.tensor()}); }, time).median();
    row.difference = difference(w, c.expected, data.c_.values(), sum_type(w.dtype));
    row.roofline = measure_roofline(cpu, w.dtype);
    return row;
  }
  ops::CpuConv2d conv{s, w.dtype, {}};
  if (w.dtype == ir::kInt8) conv.epilogue = w.epilogue;
  OnProcessor data(c, cpu, w.dtype, conv.result());
  CompareRow row = start_row(c, cpu, w.dtype, data);
  const auto tiling = choose_cpu_conv2d_tiling(conv, target, cpu.threads());
  const auto compiled = cpu::jit({schedule_cpu_conv2d(conv, tiling, target, cpu.threads()).function(),
                                  schedule_weight_packing(conv, tiling).function()},
                                 target);
  HostTensor packed(cpu, w.dtype == ir::kInt8 ? ir::kInt32 : ir::kFloat32, packed_weights_shape(conv, tiling));
  cpu.load(compiled[1])({data.w.tensor(), packed.tensor()});
  std::vector<const DLTensor*> arguments = {data.a.tensor(), packed.tensor()};
  std::optional<HostTensor> bias;
  if (conv.has_bias()) {
    const std::vector<double> values(c.operands.bias.begin(), c.operands.bias.end());
    bias.emplace(cpu, ir::kInt32, Shape{s.out_channels}, values);
    arguments.push_back(bias->tensor());
  }
  arguments.push_back(data.c_.tensor());
  const auto run = cpu.load(compiled[0]);
  row.seconds = time_evaluator([&] { run(arguments); }, time).median();
  row.roofline = measure_roofline(cpu, w.dtype);
  if (!conv.epilogue) {
    row.difference = difference(w, c.expected, data.c_.values(), conv.result());
    return row;
  }
  const std::vector<double> values = data.c_.values();
  const auto channels = static_cast<size_t>(s.out_channels);
  for (size_t i = 0; i < values.size() && row.ok(); ++i) {
    const int32_t wanted = finished(w, c.operands, c.expected.sums[i], i % channels);
    if (values[i] == wanted) continue;
    row.difference =
        fmt::format("expected {} at pixel {}, channel {}, got {}", wanted, i / channels, i % channels, values[i]);
  }
  return row;
}

CompareRow measure_on_library(const Comparison& c, driver::Library& library, const driver::TimeOptions& time) {
  const CompareWorkload& w = c.workload;
  const ops::Conv2dShape& s = w.shape;
  const DType dtype = library.has(cpu::dl_dtype(w.dtype)) ? w.dtype : ir::kFloat32;
  OnProcessor data(c, library, dtype, sum_type(dtype));
  CompareRow row = start_row(c, library, dtype, data);
  const DLDataType type = data.a.tensor()->dtype;
  driver::Kernel run;
  std::vector<const DLTensor*> arguments = {data.a.tensor()};
  if (w.is_matmul) {
    run = library.matmul({.m = s.batch, .n = s.out_channels, .k = s.in_channels, .dtype = type});
    arguments.push_back(data.w.tensor());
  } else {
    run = library.conv2d(conv_problem(s, type), *data.w.tensor());
  }
  arguments.push_back(data.c_.tensor());
  row.seconds = time_evaluator([&] { run(arguments); }, time).median();
  row.difference = difference(w, c.expected, data.c_.values(), sum_type(dtype));
  const auto cpu = driver::Processor::open("cpu:", library.threads());
  row.roofline = measure_roofline(*cpu, dtype);
  return row;
}

}  // namespace vantage::cli
