// cpu: and the libraries: the same operands in the layouts that they take.
#include "base/error.h"
#include "compiler/ops/conv2d/cpu_conv2d.h"
#include "compiler/ops/matmul/cpu_matmul.h"
#include "driver/processor/resident_tensor.h"
#include "workload/host_operands.h"
#include "workload/measure.h"
#include "workload/processor_code.h"

namespace vantage::workload {

using driver::ResidentTensor;

namespace {

// Operands on a processor: matrices [m, k] and [k, n], or images [n][h][w][c] and weights [o][i][h][w].
struct OnProcessor {
  OnProcessor(const Comparison& c, driver::Processor& device, DType dtype, DType result)
      : weights(host_weights(c, dtype)),
        a(device, host_inputs(c, dtype)),
        w(device, weights),
        c_(device, result, result_shape(c.workload)) {}

  Tensor weights;  // on the host
  ResidentTensor a, w, c_;
};

Measurement started(const Comparison& c, driver::Processor& device, DType dtype, const OnProcessor& data) {
  Measurement m{.workload = c.workload.name, .target = device.uri(), .dtype = name(dtype)};
  m.useful_operations = static_cast<uint64_t>(c.workload.shape.operations());
  m.bytes = data.a.size() + data.w.size() + data.c_.size();
  return m;
}

Measurement measure_matmul(const Comparison& c, driver::Processor& cpu, const driver::TimeOptions& time) {
  const Workload& w = c.workload;
  const cpu::Target target = cpu::host_target();
  const OnProcessor data(c, cpu, w.dtype, sum_type(w.dtype));
  Measurement m = started(c, cpu, w.dtype, data);
  const native::Function function =
      processor_code({ops::schedule_cpu_matmul(matmul_shape(w, w.dtype), target, cpu.threads()).function()}).front();
  m.seconds = cpu.load(function, {data.a.tensor(), data.w.tensor(), data.c_.tensor()})->time(time).median();
  m.difference = difference(w, c.expected, data.c_.read());
  m.roofline = measure_roofline(cpu, w.dtype);
  return m;
}

Measurement measure_conv2d(const Comparison& c, driver::Processor& cpu, const driver::TimeOptions& time) {
  const Workload& w = c.workload;
  const cpu::Target target = cpu::host_target();
  ops::CpuConv2d conv{w.shape, w.dtype, {}};
  if (w.dtype == kInt8) conv.epilogue = w.epilogue;
  const OnProcessor data(c, cpu, w.dtype, conv.result());
  Measurement m = started(c, cpu, w.dtype, data);
  const auto tiling = choose_cpu_conv2d_tiling(conv, target, cpu.threads());
  const auto compiled = processor_code({schedule_cpu_conv2d(conv, tiling, target, cpu.threads()).function(),
                                        schedule_weight_packing(conv, tiling).function()});
  const ResidentTensor packed(cpu, w.dtype == kInt8 ? kInt32 : kFloat32, packed_weights_shape(conv, tiling));
  cpu.load(compiled[1], {data.w.tensor(), packed.tensor()})->run();
  std::vector<const DLTensor*> arguments = {data.a.tensor(), packed.tensor()};
  std::optional<ResidentTensor> bias;
  if (conv.has_bias()) {
    bias.emplace(cpu, c.operands.bias.value().reshaped({w.shape.out_channels}));
    arguments.push_back(bias->tensor());
  }
  arguments.push_back(data.c_.tensor());
  m.seconds = cpu.load(compiled[0], arguments)->time(time).median();
  m.roofline = measure_roofline(cpu, w.dtype);
  m.difference = conv.epilogue ? finished_difference(w, c.operands, c.expected, data.c_.read())
                               : difference(w, c.expected, data.c_.read());
  return m;
}

}  // namespace

Measurement measure_on_cpu(const Comparison& c, driver::Processor& cpu, const driver::TimeOptions& time) {
  return c.workload.is_matmul ? measure_matmul(c, cpu, time) : measure_conv2d(c, cpu, time);
}

Measurement measure_on_library(const Comparison& c, driver::Library& library, const driver::TimeOptions& time) {
  const Workload& w = c.workload;
  const DType dtype = library.has(w.dtype) ? w.dtype : kFloat32;
  const OnProcessor data(c, library, dtype, sum_type(dtype));
  Measurement m = started(c, library, dtype, data);
  const auto loaded = w.is_matmul
                          ? library.matmul(matmul_shape(w, dtype), {data.a.tensor(), data.w.tensor(), data.c_.tensor()})
                          : library.conv2d(w.shape, data.weights, {data.a.tensor(), data.c_.tensor()});
  m.seconds = loaded->time(time).median();
  m.difference = difference(w, c.expected, data.c_.read());
  const auto cpu = driver::Processor::open("cpu:", library.threads());
  m.roofline = measure_roofline(*cpu, dtype);
  return m;
}

}  // namespace vantage::workload
