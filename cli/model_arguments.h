// What `run MODEL` and `run FILE.onnx` are told.
#pragma once

#include <cstdint>
#include <string>

#include "cli/energy_option.h"
#include "cli/model_options.h"
#include "cli/options.h"
#include "cli/report_options.h"
#include "cli/tensor_files.h"

namespace vantage::cli {

// The target that is no accelerator.
inline constexpr const char* kProcessorTarget = "cpu:";

struct ModelArguments {
  std::string model;
  ConfigOption config;
  TargetOptions target{"systemc:"};
  ModelOptions options;
  TensorFiles files;
  std::string image;
  uint64_t digits = 0;  // of MNIST's test images, that are classified
  EnergyOption energy;
  ReportOptions html;
  bool layers = false, quantization = false, check = false, what_if = false, json = false;
  // Of the processor as a target.
  int threads = 0;
  uint64_t repeat = 0;

  // What the network is run on: a picture, files, or these values. Throws Error.
  graph::Inputs inputs_of(const Network& network, graph::Inputs inputs) const;
};

}  // namespace vantage::cli
