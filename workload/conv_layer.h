// A convolution or dense layer, clip((inputs * weights + bias) >> shift), resident on a device: weights are packed and
// copied once, inputs per call. Tensors are [image][channel][row][column]; a dense layer's inputs are images of one
// pixel (compiler/ops/tile_layout.h).
//
// Thread safety: one thread at a time, as the device's.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "base/tensor/tensor.h"
#include "compiler/ops/conv2d/vta_layer.h"
#include "driver/device/accelerator.h"
#include "hw/program/bundle.h"
#include "workload/traffic.h"

namespace vantage::workload {

class ConvLayer {
 public:
  // `shape` but for its batch, which each call brings. `weights` are [out channels][in channels][h][w], `bias` one
  // integer per output ([1][out channels]) or nothing; the epilogue's bias is set accordingly. `choose` makes a
  // mapping for a number of images; without it the best one is searched for.
  using ChooseMapping = std::function<ops::VtaConv2dMapping(const Conv2dShape& shape)>;
  ConvLayer(driver::Accelerator& device, std::string name, const Conv2dShape& shape, const ops::Epilogue& epilogue,
            const Tensor& weights, const std::optional<Tensor>& bias, ChooseMapping choose = {});

  struct Output {
    Tensor values;  // of the smallest of int8, int16 and int32 that holds the configuration's outputs
    driver::RunResult result;
    std::optional<Bundle> bundle;  // when recorded
    ops::Layer layer;              // as compiled
    size_t instructions = 0;
    Traffic least;  // bytes that would do
  };
  // Runs all of `inputs` through the layer. Programs are built once per number of images and kept. Throws Error when
  // the run does not end well, and for inputs that do not fit their lanes.
  Output run(const Tensor& inputs, bool record, const driver::RunOptions& options = {});

 private:
  struct Loaded {
    ops::Layer layer;
    driver::Buffer inputs;
    driver::Buffer outputs;
    std::unique_ptr<driver::LoadedProgram> program;
    Traffic least;
  };
  Loaded& loaded(int64_t images);

  driver::Accelerator& device_;
  std::string name_;
  Conv2dShape shape_;
  ops::Epilogue epilogue_;
  ChooseMapping choose_;
  driver::Buffer weights_;
  std::optional<driver::Buffer> bias_;
  std::map<int64_t, Loaded> loaded_;  // by images
};

}  // namespace vantage::workload
