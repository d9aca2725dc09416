// Random layers with random tilings on random configurations.
#pragma once

#include <optional>
#include <random>
#include <string>
#include <vector>

#include "compiler/ops/conv2d/vta_layer.h"
#include "hw/isa/config.h"

namespace vantage::test {

struct RandomLayer {
  isa::Config config;
  ops::Layer layer;
};

// A configuration of whole bytes with small scratchpads.
isa::Config random_byte_config(std::mt19937_64& random);

// A convolution or matrix multiply, small enough to be interpreted, with a mapping of one to three parts that fits.
RandomLayer random_layer(std::mt19937_64& random, const isa::Config& config);

// Another tiling of the same layer that fits; nothing when none is found soon.
std::optional<ops::VtaConv2dTiling> random_tiling(std::mt19937_64& random, const RandomLayer& layer);

// Layers with one thing less or half as large that still fit: what a failure is shrunk by.
std::vector<RandomLayer> smaller(const RandomLayer& layer);

// Configuration, shape and epilogue as initialisers in C++, and the mapping's file, to make a test of.
std::string to_text(const RandomLayer& layer);

}  // namespace vantage::test
