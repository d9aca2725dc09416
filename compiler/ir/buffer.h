// Buffers: named arrays in a memory scope.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "compiler/ir/expr.h"

namespace vantage::ir {

// A scope is the memory that a buffer lives in. "global", "shared" (a GPU block's threads) and "local" (one thread's)
// are known everywhere; a target has its own ("vta.inp").
struct BufferNode {
  virtual ~BufferNode() = default;  // a front end may keep more with its buffers

  std::string name;
  DType dtype;
  std::vector<Expr> shape;    // elements
  std::vector<Expr> strides;  // elements; empty: row-major without gaps
  std::string scope = "global";
  // Bytes that the first element's address must be a multiple of: a parameter asks it of its caller, an allocation gets
  // it. 0: whatever suits, for a parameter no more than any array of its type has.
  int alignment = 0;

  size_t rank() const { return shape.size(); }
  // The stride of every dimension, given or implied.
  std::vector<Expr> all_strides() const;
  // The number of elements between first and last, gaps included, plus one: an int64.
  Expr span() const;
};

// Throws Error for a name that is no identifier, a size that is no positive integer, a stride count that is not the
// rank, or an alignment that is neither 0 nor a power of two.
void check_buffer(const BufferNode& node);
// Checked buffers.
Buffer make_buffer(std::string name, std::vector<Expr> shape, DType dtype, std::string scope = "global",
                   std::vector<Expr> strides = {}, int alignment = 0);
Buffer make_buffer(BufferNode node);

struct BufferRegion {
  Buffer buffer;
  std::vector<Range> box;
};

// Letters, digits and underscores, not beginning with a digit; inside it may have dots ("A.local").
bool is_identifier(std::string_view name);

}  // namespace vantage::ir
