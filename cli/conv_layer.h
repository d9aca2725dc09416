// A convolution or dense layer, clip((inputs * weights + bias) >> shift), resident on a device: weights are packed and
// copied once, inputs per call. A dense layer's inputs are images of one pixel (compiler/ops/tile_layout.h).
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "compiler/ops/conv2d/vta_layer.h"
#include "compiler/ops/tile_layout.h"
#include "driver/device/executable.h"
#include "hw/program/bundle.h"

namespace vantage::cli {

class ConvLayer {
 public:
  // `shape` but for its batch, which each call brings. `weights` are [out channels][in channels][h][w], `bias` one
  // value per output or nothing; the epilogue's bias is set accordingly. `choose` makes a tiling for a number of
  // images; without it the best one is searched for.
  using ChooseTiling = std::function<ops::Conv2dTiling(const ops::Conv2dShape& shape)>;
  ConvLayer(driver::Accelerator& device, std::string name, const ops::Conv2dShape& shape, const ops::Epilogue& epilogue,
            const ops::Images& weights, const std::optional<ops::Matrix>& bias, ChooseTiling choose = {});

  struct Output {
    ops::Images values;
    driver::RunResult result;
    std::optional<Bundle> bundle;  // when recorded
    ops::Layer layer;              // as compiled
    size_t instructions = 0;
  };
  // Runs all of `inputs` through the layer. Programs are built once per number of images and kept. Throws Error when
  // the run does not end well.
  Output run(const ops::Images& inputs, bool record, const driver::RunOptions& options = {});

 private:
  struct Loaded {
    ops::Layer layer;
    driver::Buffer inputs;
    driver::Buffer outputs;
    std::unique_ptr<driver::Executable> executable;
  };
  Loaded& loaded(uint64_t images);

  driver::Accelerator& device_;
  std::string name_;
  ops::Conv2dShape shape_;
  ops::Epilogue epilogue_;
  ChooseTiling choose_;
  driver::Buffer weights_;
  std::optional<driver::Buffer> bias_;
  std::map<uint64_t, Loaded> loaded_;  // by images
};

// The same computed on the host in plain loops, wrapping at the accumulator's width: the reference for every layer.
// `progress`, if given, is called with the output rows done so far, of all images.
ops::Images conv_reference(const isa::Config& config, const ops::Conv2dShape& shape, const ops::Epilogue& epilogue,
                           const ops::Images& inputs, const ops::Images& weights,
                           const std::optional<ops::Matrix>& bias,
                           const std::function<void(uint64_t)>& progress = nullptr);

// "first mismatch at ...", empty when equal. Tensors of one row and column are called matrices.
std::string first_difference(const ops::Images& expected, const ops::Images& got);

}  // namespace vantage::cli
