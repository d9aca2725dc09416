// Convolutions as the compiler of the published bitstreams made them, so that a model of these can be held against the
// times that were published. A tile's sums are reset, gathered over blocks of input channels, finished by the ALU and
// stored; of two virtual threads one loads while the other multiplies. docs/published.md shows such a program.
//
// Thread safety: functions without state.
#pragma once

#include <cstdint>

#include "base/shape/conv2d.h"
#include "compiler/ops/epilogue.h"
#include "hw/program/program.h"

namespace vantage::workload {

struct PublishedTiling {
  enum class Threads : uint8_t { kRows, kChannels };

  int64_t height = 1, width = 1;         // of an output tile, in pixels,
  int64_t out_blocks = 1;                // and in blocks of channels
  int64_t in_blocks = 1;                 // loaded at a time
  Threads threads = Threads::kChannels;  // two tiles, neighbours in this, are worked on at a time
  bool operator==(const PublishedTiling&) const = default;
};

// The tensors of both are A, W and C (compiler/ops/tile_layout.h).
struct PublishedConv {
  Program micro_ops;  // brings those of the other to the chip, where a first run left them when the times were taken
  Program timed;
};

// Of one image, without a bias. Throws Error when channels are no whole blocks, when the tiling does not cut the
// output into whole pairs of tiles, or when these do not fit the scratchpads.
PublishedConv published_conv(const Conv2dShape& shape, const ops::Epilogue& epilogue, const PublishedTiling& tiling,
                             const isa::Config& config);

}  // namespace vantage::workload
