// A dense layer, clip((inputs . weights^T + bias) >> shift), resident on a device: weights are packed and copied once,
// inputs per call.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "compiler/ops/gemm.h"
#include "compiler/ops/tile_layout.h"
#include "driver/device/executable.h"
#include "hw/spec/bundle.h"

namespace vantage::cli {

class DenseLayer {
 public:
  // `weights` has a row per output, `bias` one row or nothing. problem.m is ignored: each call brings its own. Sides of
  // `blocks` that are 0 are chosen.
  DenseLayer(driver::Device& device, std::string name, compiler::GemmProblem problem, compiler::GemmBlocks blocks,
             const compiler::Matrix& weights, const std::optional<compiler::Matrix>& bias);

  struct Output {
    compiler::Matrix values;
    driver::RunResult result;
    std::optional<Bundle> bundle;  // when recorded
    compiler::GemmBlocks blocks;   // as used
  };
  // Runs every row of `inputs` through the layer. Programs are built once per number of rows and kept. Throws Error
  // when the run does not end well.
  Output run(const compiler::Matrix& inputs, bool record, const driver::RunOptions& options = {});

 private:
  struct Loaded {
    compiler::GemmBlocks blocks;
    driver::Buffer inputs;
    driver::Buffer outputs;
    std::unique_ptr<driver::Executable> executable;
  };
  Loaded& loaded(uint64_t rows);

  driver::Device& device_;
  std::string name_;
  compiler::GemmProblem problem_;
  compiler::GemmBlocks blocks_;
  driver::Buffer weights_;
  std::optional<driver::Buffer> bias_;
  std::map<uint64_t, Loaded> loaded_;  // by rows
};

// The same computed on the host in plain loops, wrapping at the accumulator's width: the reference for every layer.
// `progress`, if given, is called with the rows done so far.
compiler::Matrix dense_reference(const spec::Config& config, const compiler::GemmProblem& problem,
                                 const compiler::Matrix& inputs, const compiler::Matrix& weights,
                                 const std::optional<compiler::Matrix>& bias,
                                 const std::function<void(uint64_t)>& progress = nullptr);

}  // namespace vantage::cli
