// How tensors lie in DRAM: cut into the tiles of the GEMM core, zero-padded to whole tiles, each tile one element of
// its memory type (docs/isa.md section 1), lanes packed at their width, little-endian.
//
//   INP [n/BATCH][c/BLOCK_IN][h][w][BATCH][BLOCK_IN]          activations, and
//   OUT [n/BATCH][c/BLOCK_OUT][h][w][BATCH][BLOCK_OUT]        results, of n images of c channels
//   WGT [n/BLOCK_OUT][c/BLOCK_IN][h][w][BLOCK_OUT][BLOCK_IN]  weights of n outputs and c inputs
//   ACC [c/BLOCK_OUT][BATCH][BLOCK_OUT]                       a bias vector, repeated for every image of the batch
//
// On the host these are dense tensors [n][c][h][w]; one of fewer dimensions has 1 for the last ones, so a matrix is n
// images of one pixel: a row each, a channel per column. A bias is [1][c].
//
// Thread safety: functions without state.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/tensor/tensor.h"
#include "hw/isa/config.h"

namespace vantage::ops {

// The bytes of a tensor of integers as INP, WGT or ACC elements (ACC: one row, repeated BATCH times). `name` begins the
// message of the Error thrown when a value does not fit the width of its lane.
std::vector<std::byte> pack_tiles(const vantage::Tensor& tensor, isa::Memory memory, const isa::Config& config,
                                  std::string_view name);

// The inverse for OUT elements: a tensor of this shape, of the smallest of int8, int16 and int32 that holds them;
// padding dropped.
vantage::Tensor unpack_tiles(std::span<const std::byte> bytes, const vantage::Tensor::Shape& shape,
                             const isa::Config& config);

}  // namespace vantage::ops
