// How products and convolutions are compiled for a GPU, step by step: for `lower --target cuda:`.
#pragma once

#include <string>
#include <vector>

#include "base/shape/conv2d.h"
#include "cli/stages.h"

namespace CLI {
class App;
}

namespace vantage::cli {

// --target, --architecture and --dtype.
struct GpuLowerOptions {
  std::string target = "vta:";
  std::string architecture = "sm_90a";
  std::string dtype = "float32";

  void add_to(CLI::App& app);
  bool is_gpu() const { return target == "cuda:"; }
  // Throws Error for a stage of the other target; and, for a GPU, for options that were given and mean nothing there,
  // of which those named in `sizes` are none, or, for the VTA, for --architecture and --dtype.
  void check(const CLI::App& app, const std::string& stage, const std::vector<std::string>& sizes) const;
};

// The stages of a matrix product, and of a convolution of images [batch][channels][height][width], by the schedule that
// is made for whatever has none of its own. Where NVRTC is not installed the last ones say so.
std::vector<Stage> gpu_stages(const MatmulShape& shape, const GpuLowerOptions& options);
std::vector<Stage> gpu_stages(const Conv2dShape& shape, const GpuLowerOptions& options);

// The names of all of them.
std::vector<std::string> gpu_stage_names();

}  // namespace vantage::cli
