// What a kernel's text has of shared memory, as the writer notes it (shared_banks.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "compiler/ir/buffer.h"

namespace vantage::cuda {

// An access to shared memory, as it is written in a kernel.
struct SharedAccess {
  ir::Buffer buffer;
  ir::Expr offset;    // of its first element, in elements
  int64_t lanes = 1;  // elements at once
  std::string text;   // of the place: "A_shared[4 * i]"
  // Of a tile that a warp loads: elements from a row to the next. Eight rows are served together.
  std::optional<int64_t> row_stride = {};
  bool is_vector_load = false;  // of `lanes` elements to registers
};

}  // namespace vantage::cuda
