// Index maps: for every element of a buffer, its place in a buffer of another shape. Each index of the new buffer is a
// sum of digits of the old indices:
//
//   "i, j -> i // 16, j // 16, i % 16, j % 16"     tiles of 16 by 16
//   "i, j -> j, i"                                 transposed
//   "i, j -> i * 8 + j"                            one dimension, if there are 8 j
//   "i -> i // 64, i % 8, i // 8 % 8"              parts of an index, in another order
//
// Names are free, one for each dimension. Every element must get a place of its own, and every place an element.
//
// Thread safety: values; functions without state.
#pragma once

#include <string>
#include <vector>

#include "compiler/ir/arith/analyzer.h"

namespace vantage::schedule {

class IndexMap {
 public:
  // Throws Error when the text is no such map, or none from this shape: where a division leaves a rest, where elements
  // would share a place or places stay empty. A size that is not constant can only be an index by itself.
  IndexMap(const std::string& text, const std::vector<ir::Expr>& shape);

  const std::vector<ir::Expr>& shape() const { return shape_; }  // of the new buffer
  // Where the element at these indices is in it, simplified by what `analyzer` knows.
  std::vector<ir::Expr> place(const std::vector<ir::Expr>& indices, ir::Analyzer& analyzer) const;

 private:
  std::vector<ir::Var> axes_;
  std::vector<ir::Expr> indices_;  // of the new buffer, in terms of axes
  std::vector<ir::Expr> shape_;
};

}  // namespace vantage::schedule
