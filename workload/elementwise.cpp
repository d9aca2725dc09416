#include "workload/elementwise.h"

#include <algorithm>

#include "base/error.h"
#include "hw/isa/lanes.h"
#include "hw/isa/packed_lanes.h"

namespace vantage::workload {

namespace {

int operand_bits(const isa::Config& config) {
  return ops::operand_memory(config) == isa::Memory::kAcc8 ? 8 : config.acc_bits();
}

int32_t combine(isa::AluOp op, int32_t a, int32_t b, int bits) {
  switch (op) {
    case isa::AluOp::kAdd: return wrap_to(static_cast<uint32_t>(a) + static_cast<uint32_t>(b), bits);
    case isa::AluOp::kMul: return wrap_to(static_cast<uint32_t>(a) * static_cast<uint32_t>(b), bits);
    case isa::AluOp::kMin: return std::min(a, b);
    case isa::AluOp::kMax: return std::max(a, b);
    case isa::AluOp::kShr: return b >= 0 ? a >> b : wrap_to(static_cast<uint32_t>(a) << -b, bits);
  }
  VANTAGE_CHECK(false);
  return 0;
}

}  // namespace

Tensor random_elementwise_operand(const ops::Elementwise& layer, const isa::Config& config, std::mt19937_64& random) {
  const int bits = operand_bits(config);
  Tensor tensor(bits <= 8 ? kInt8 : kInt32, {layer.size});
  for (int64_t e = 0; e < layer.size; ++e) tensor.set_integer(e, wrap_to(static_cast<uint32_t>(random()), bits));
  return tensor;
}

ElementwiseRun run_elementwise(driver::Accelerator& device, const ops::Elementwise& layer, const Program& program,
                               const Tensor& a, const std::optional<Tensor>& b, bool record,
                               const driver::RunOptions& options) {
  const isa::Config& config = device.config();
  std::map<std::string, std::vector<std::byte>> packed;
  std::map<std::string, std::span<const std::byte>> inputs;
  for (const ProgramTensor& tensor : program.tensors) {
    if (tensor.role != TensorRole::kInput) continue;
    const Bytes size = program.symbol_size(program.tensor_index(tensor.name));
    inputs[tensor.name] = packed[tensor.name] =
        pack_lanes(tensor.name == "A" ? a : b.value(), operand_bits(config), size);
  }
  ProgramRun run = run_program(device, program, "elementwise", inputs, {record ? "elementwise" : "", options});
  return {unpack_lanes(run.outputs.at("C"), {kInt32, {layer.size}}, config.out_bits()), std::move(run.result),
          std::move(run.bundle)};
}

Tensor elementwise_reference(const ops::Elementwise& layer, const isa::Config& config, const Tensor& a,
                             const std::optional<Tensor>& b) {
  Tensor result(kInt32, a.shape());
  std::vector<int32_t> values(static_cast<size_t>(layer.operands) + layer.steps.size());
  for (int64_t e = 0; e < a.size(); ++e) {
    auto next = values.begin();
    *next++ = static_cast<int32_t>(a.integer(e));
    if (layer.operands > 1) *next++ = static_cast<int32_t>(b.value().integer(e));
    for (const ops::ElementwiseStep& step : layer.steps) {
      const int32_t other = step.b ? values[static_cast<size_t>(*step.b)] : step.immediate;
      *next++ = combine(step.op, values[static_cast<size_t>(step.a)], other, config.acc_bits());
    }
    result.set_integer(e, wrap_to(static_cast<uint32_t>(values.back()), config.out_bits()));
  }
  return result;
}

std::string first_value_difference(const Tensor& expected, const Tensor& got) {
  if (expected == got) return {};
  for (int64_t e = 0; e < expected.size(); ++e) {
    if (expected.integer(e) == got.integer(e)) continue;
    return fmt::format("first mismatch at value {}: expected {}, got {}", e, expected.integer(e), got.integer(e));
  }
  return {};
}

}  // namespace vantage::workload
