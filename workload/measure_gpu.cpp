#include "workload/measure_gpu.h"

#include "base/error.h"
#include "compiler/graph/lower.h"
#include "compiler/ops/cuda/default_schedule.h"
#include "driver/cuda/gpu_tensor.h"
#include "workload/gpu_graph.h"
#include "workload/gpu_roofline.h"
#include "workload/host_operands.h"

namespace vantage::workload {

using driver::GpuTensor;

namespace {

Measurement started(const Comparison& c, const std::string& target, const driver::GpuInfo& info, DType dtype) {
  Measurement m{.workload = c.workload.name, .target = target, .dtype = name(dtype)};
  m.useful_operations = static_cast<uint64_t>(c.workload.shape.operations());
  const int64_t operands = c.operands.inputs.size() + c.operands.weights.size();
  m.bytes = Bytes(static_cast<uint64_t>(operands * dtype.bytes() + c.expected.sums.size() * sum_type(dtype).bytes()));
  m.roofline = gpu_roofline(info, dtype);
  return m;
}

}  // namespace

ir::PrimFunc scheduled_for_gpu(const Workload& workload, const cuda::Architecture& architecture) {
  const Conv2dShape& s = workload.shape;
  const graph::Graph g = workload.is_matmul ? matmul_for_gpu(s.batch, s.out_channels, s.in_channels, workload.dtype)
                                            : conv2d_for_gpu(s, workload.dtype);
  ir::PrimFunc definition = graph::to_prim_func(g);
  definition.name = g.name();
  return ops::schedule_for_gpu(std::move(definition), architecture).function();
}

Measurement measure_on_gpu(const Comparison& c, driver::Cuda& gpu, const driver::TimeOptions& time,
                           const GpuCompiler& compiler) {
  const Workload& w = c.workload;
  const cuda::Architecture& architecture = cuda::architecture_of(gpu.info().capability);
  native::GpuProgram program = compiler(scheduled_for_gpu(w, architecture), architecture.name);
  const GpuTensor a(gpu, w.is_matmul ? host_inputs(c, w.dtype) : c.operands.inputs.converted(w.dtype));
  const Tensor weights = host_weights(c, w.dtype);
  const GpuTensor b(gpu, w.is_matmul ? weights : weights.permuted({2, 3, 1, 0}));
  const Conv2dShape& s = w.shape;
  const Tensor::Shape images = {s.batch, s.out_channels, s.out_height(), s.out_width()};
  const GpuTensor result(gpu, sum_type(w.dtype), w.is_matmul ? result_shape(w) : images);
  Measurement m = started(c, gpu.uri(), gpu.info(), w.dtype);
  m.seconds = gpu.load(std::move(program), {a.tensor(), b.tensor(), result.tensor()})->time(time).median();
  m.difference = difference(w, c.expected, w.is_matmul ? result.read() : result.read().permuted({0, 2, 3, 1}));
  return m;
}

Measurement measure_on_gpu_library(const Comparison& c, driver::GpuLibrary& library, const driver::TimeOptions& time) {
  const Workload& w = c.workload;
  const DType dtype = library.has(w.dtype) ? w.dtype : kFloat32;
  const GpuTensor a(library.gpu(), host_inputs(c, dtype)), result(library.gpu(), sum_type(dtype), result_shape(w));
  Measurement m = started(c, library.uri(), library.gpu().info(), dtype);
  const Tensor weights = c.operands.weights.converted(dtype);
  if (w.is_matmul) {
    // As workloads have them, [n, k]: what cuBLAS asks for where it is to multiply bytes on tensor cores.
    MatmulShape shape = matmul_shape(w, dtype);
    shape.transpose_b = dtype == kInt8;
    const GpuTensor b(library.gpu(), shape.transpose_b ? weights.reshaped({shape.n, shape.k}) : host_weights(c, dtype));
    m.seconds = library.matmul(shape, {a.tensor(), b.tensor(), result.tensor()})->time(time).median();
  } else {
    m.seconds = library.conv2d(w.shape, weights, {a.tensor(), result.tensor()})->time(time).median();
  }
  m.difference = difference(w, c.expected, result.read());
  return m;
}

}  // namespace vantage::workload
