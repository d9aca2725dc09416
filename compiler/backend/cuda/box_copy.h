// Boxes of tensors in memory of scope "shared.swizzled", as the GPU's copy engine lays them down and warpgroups read
// them: columns of 128 bytes, each with all its rows one behind the other, before the next. Within eight rows, the 16
// bytes number i of row r lie where those number i xor r would, so that eight rows of one number lie in all banks.
//
// Source: NVIDIA's PTX ISA 9.0, "Swizzling Modes" of tensors and "Strides" of "Asynchronous Warpgroup Level Matrix
// Instructions".
//
// Thread safety: functions without state.
#pragma once

#include <string>
#include <vector>

#include "compiler/ir/arith/analyzer.h"
#include "compiler/ir/stmt.h"

namespace vantage::cuda {

inline constexpr int64_t kColumnBytes = 128, kColumnRows = 8, kMostBoxSide = 256;
// What the first byte of such memory must be a multiple of.
inline constexpr int64_t kSwizzledAlignment = kColumnBytes * kColumnRows;

// Throws Error where the copy engine cannot take boxes of a tensor whose rows, or rows of rows, begin so many bytes
// apart.
void require_map_stride(const std::string& tensor, int64_t bytes);

// A call kCopyBox (calls.h), which takes a copy for each column of 128 bytes.
struct BoxCopy {
  const ir::View *to, *from;
  // Where the box begins in each dimension of `from`, and how far it goes.
  std::vector<ir::Expr> first;
  std::vector<int64_t> extents;
  ir::Expr pipeline, place;

  size_t columns_dimension() const;  // of `from`: that of its elements side by side
  int64_t column_elements() const;   // of a row of a column
  int64_t columns() const;
  std::vector<int64_t> column() const;  // its extents
  int64_t column_size() const;          // elements
};

// Throws Error for a box that the engine cannot copy, naming it.
BoxCopy box_copy(const ir::Call& call);

// How many elements behind the first of its buffer a box begins. Throws Error where it does not begin where the
// hardware can: at a multiple of 8 rows, and columns that `step` divides.
ir::Expr swizzled_offset(const ir::View& view, int64_t step, ir::Analyzer& analyzer);
// Bytes from a column of a buffer to the next.
int64_t column_distance(const ir::Buffer& buffer);

}  // namespace vantage::cuda
