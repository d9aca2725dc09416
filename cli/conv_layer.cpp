#include "cli/conv_layer.h"

#include <algorithm>

#include "base/error.h"
#include "compiler/ops/conv2d/vta_search.h"
#include "driver/runtime/recorder.h"
#include "hw/isa/lanes.h"

namespace vantage::cli {

using isa::Memory;
using ops::Conv2dShape;
using ops::Epilogue;
using ops::Images;
using ops::Matrix;

namespace {

driver::Buffer upload(driver::Accelerator& device, const std::vector<std::byte>& bytes) {
  driver::Buffer buffer = device.allocate(Bytes(bytes.size()));
  buffer.write_constant(bytes);
  return buffer;
}

}  // namespace

ConvLayer::ConvLayer(driver::Accelerator& device, std::string name, const Conv2dShape& shape, const Epilogue& epilogue,
                     const Images& weights, const std::optional<Matrix>& bias, ChooseTiling choose)
    : device_(device),
      name_(std::move(name)),
      shape_(shape),
      epilogue_(epilogue),
      choose_(std::move(choose)),
      weights_(upload(device, pack_tiles(weights, Memory::kWgt, device.config(), name_ + " weights"))) {
  epilogue_.bias = bias.has_value();
  if (bias) bias_ = upload(device, pack_tiles(*bias, Memory::kAcc, device.config(), name_ + " bias"));
}

ConvLayer::Loaded& ConvLayer::loaded(uint64_t images) {
  const auto found = loaded_.find(images);
  if (found != loaded_.end()) return found->second;
  Conv2dShape shape = shape_;
  shape.batch = static_cast<int64_t>(images);
  const ops::Conv2dTiling tiling =
      choose_ ? choose_(shape) : ops::choose_conv2d_tiling(shape, epilogue_, device_.config());
  const ops::Layer layer{shape, epilogue_, tiling};
  const Program program = ops::compile_layer(layer, device_.config());
  const auto allocate = [&](std::string_view tensor) {
    return device_.allocate(program.symbol_size(program.tensor_index(tensor)));
  };
  Loaded& result = loaded_.emplace(images, Loaded{layer, allocate("A"), allocate("C"), nullptr}).first->second;
  std::map<std::string, const driver::Buffer*> tensors = {
      {"A", &result.inputs}, {"W", &weights_}, {"C", &result.outputs}};
  if (bias_) tensors["bias"] = &*bias_;
  result.executable = std::make_unique<driver::Executable>(device_, program, tensors);
  return result;
}

ConvLayer::Output ConvLayer::run(const Images& inputs, bool record, const driver::RunOptions& options) {
  Loaded& layer = loaded(inputs.n);
  layer.inputs.write(pack_tiles(inputs, Memory::kInp, device_.config(), name_ + " inputs"));
  Output output;
  output.layer = layer.layer;
  output.instructions = layer.executable->image().insn_count;
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
  const Conv2dShape& shape = layer.layer.shape;
  output.values = ops::unpack_tiles(bytes, inputs.n, static_cast<size_t>(shape.out_channels),
                                    static_cast<size_t>(shape.out_height()), static_cast<size_t>(shape.out_width()),
                                    device_.config());
  return output;
}

Images conv_reference(const isa::Config& config, const Conv2dShape& shape, const Epilogue& epilogue,
                      const Images& inputs, const Images& weights, const std::optional<Matrix>& bias,
                      const std::function<void(uint64_t)>& progress) {
  const auto height = static_cast<size_t>(shape.out_height()), width = static_cast<size_t>(shape.out_width());
  const auto channels = static_cast<size_t>(shape.out_channels);
  Images result(inputs.n, channels, height, width);
  std::vector<uint32_t> sums(width);  // of one row; unsigned: the accumulator wraps
  for (size_t i = 0; i < inputs.n; ++i) {
    for (size_t y = 0; y < height; ++y) {
      if (progress) progress(i * height + y);
      for (size_t o = 0; o < channels; ++o) {
        std::fill(sums.begin(), sums.end(), bias ? static_cast<uint32_t>(bias->at(0, o)) : 0);
        for (size_t c = 0; c < inputs.c; ++c) {
          for (int64_t ky = 0; ky < shape.kernel_h; ++ky) {
            const int64_t row = static_cast<int64_t>(y) * shape.stride + ky - shape.pad;
            if (row < 0 || row >= shape.height) continue;
            const int32_t* in = &inputs.values[((i * inputs.c + c) * inputs.h + static_cast<size_t>(row)) * inputs.w];
            for (int64_t kx = 0; kx < shape.kernel_w; ++kx) {
              const auto w = static_cast<uint32_t>(weights.at(o, c, static_cast<size_t>(ky), static_cast<size_t>(kx)));
              for (size_t x = 0; x < width; ++x) {
                const int64_t column = static_cast<int64_t>(x) * shape.stride + kx - shape.pad;
                if (column >= 0 && column < shape.width) sums[x] += static_cast<uint32_t>(in[column]) * w;
              }
            }
          }
        }
        for (size_t x = 0; x < width; ++x) {
          result.at(i, o, y, x) =
              std::clamp(wrap_to(sums[x], config.acc_bits()) >> epilogue.shift, epilogue.clip_min, epilogue.clip_max);
        }
      }
    }
  }
  return result;
}

std::string first_difference(const Images& expected, const Images& got) {
  for (size_t i = 0; i < expected.values.size(); ++i) {
    if (expected.values[i] == got.values[i]) continue;
    const size_t x = i % expected.w, y = i / expected.w % expected.h;
    const size_t c = i / expected.w / expected.h % expected.c, n = i / expected.w / expected.h / expected.c;
    const std::string where = expected.h * expected.w == 1
                                  ? fmt::format("row {}, column {}", n, c)
                                  : fmt::format("image {}, channel {}, row {}, column {}", n, c, y, x);
    return fmt::format("first mismatch at {}: expected {}, got {}", where, expected.values[i], got.values[i]);
  }
  return {};
}

}  // namespace vantage::cli
