#include "cli/dense_layer.h"

#include <algorithm>

#include "driver/runtime/recorder.h"
#include "hw/spec/error.h"
#include "hw/spec/lanes.h"

namespace vantage::cli {

using compiler::GemmBlocks;
using compiler::GemmProblem;
using compiler::Matrix;
using isa::Memory;

namespace {

driver::Buffer upload(driver::Device& device, const std::vector<std::byte>& bytes) {
  driver::Buffer buffer = device.allocate(Bytes(bytes.size()));
  buffer.write(bytes);
  return buffer;
}

}  // namespace

DenseLayer::DenseLayer(driver::Device& device, std::string name, GemmProblem problem, GemmBlocks blocks,
                       const Matrix& weights, const std::optional<Matrix>& bias)
    : device_(device),
      name_(std::move(name)),
      problem_(problem),
      blocks_(blocks),
      weights_(upload(device, pack_tiles(weights, Memory::kWgt, device.config(), name_ + " weights"))) {
  problem_.bias = bias.has_value();
  if (bias) bias_ = upload(device, pack_tiles(*bias, Memory::kAcc, device.config(), name_ + " bias"));
}

DenseLayer::Loaded& DenseLayer::loaded(uint64_t rows) {
  const auto found = loaded_.find(rows);
  if (found != loaded_.end()) return found->second;
  GemmProblem problem = problem_;
  problem.m = rows;
  // As many rows as fit; the whole depth and width where the scratchpads allow.
  const GemmBlocks limit{256, std::max<uint64_t>(256, problem.k), std::max<uint64_t>(256, problem.n)};
  const GemmBlocks blocks = choose_gemm_blocks(device_.config(), problem, blocks_, limit);
  const Program program = build_gemm(device_.config(), problem, blocks);
  const auto allocate = [&](std::string_view tensor) {
    return device_.allocate(program.symbol_size(program.tensor_index(tensor)));
  };
  Loaded& loaded = loaded_.emplace(rows, Loaded{blocks, allocate("A"), allocate("C"), nullptr}).first->second;
  std::map<std::string, const driver::Buffer*> tensors = {
      {"A", &loaded.inputs}, {"B", &weights_}, {"C", &loaded.outputs}};
  if (bias_) tensors["bias"] = &*bias_;
  loaded.executable = std::make_unique<driver::Executable>(device_, program, tensors);
  return loaded;
}

DenseLayer::Output DenseLayer::run(const Matrix& inputs, bool record, const driver::RunOptions& options) {
  VANTAGE_CHECK(inputs.cols == problem_.k);
  Loaded& layer = loaded(inputs.rows);
  layer.inputs.write(pack_tiles(inputs, Memory::kInp, device_.config(), name_ + " inputs"));
  Output output;
  output.blocks = layer.blocks;
  if (record) {
    auto recorded = run_and_record(device_, *layer.executable, name_, options);
    output.result = std::move(recorded.result);
    output.bundle = std::move(recorded.bundle);
  } else {
    output.result = layer.executable->run(options);
  }
  if (!output.result.ok()) {
    fail("{}: the run ended with {}", name_, failure(output.result));
  }
  std::vector<std::byte> bytes(layer.outputs.size().count());
  layer.outputs.read(bytes);
  output.values = compiler::unpack_tiles(bytes, inputs.rows, problem_.n, device_.config());
  return output;
}

Matrix dense_reference(const spec::Config& config, const GemmProblem& problem, const Matrix& inputs,
                       const Matrix& weights, const std::optional<Matrix>& bias,
                       const std::function<void(uint64_t)>& progress) {
  Matrix result(inputs.rows, weights.rows);
  for (size_t row = 0; row < inputs.rows; ++row) {
    if (progress) progress(row);
    const int32_t* x = &inputs.values[row * inputs.cols];
    for (size_t out = 0; out < weights.rows; ++out) {
      const int32_t* w = &weights.values[out * weights.cols];
      uint32_t sum = 0;  // unsigned: the accumulator wraps
      for (size_t i = 0; i < inputs.cols; ++i) sum += static_cast<uint32_t>(x[i]) * static_cast<uint32_t>(w[i]);
      if (bias) sum += static_cast<uint32_t>(bias->at(0, out));
      result.at(row, out) =
          std::clamp(wrap_to(sum, config.acc_bits()) >> problem.shift, problem.clip_min, problem.clip_max);
    }
  }
  return result;
}

}  // namespace vantage::cli
