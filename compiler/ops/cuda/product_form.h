// Whether a block is a product, and which of its axes belong to what.
//
// Thread safety: functions without state.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "compiler/schedule/schedule.h"

namespace vantage::ops {

// A sum of products of two tensors, each of which is read with axes of its own: as rows and columns of a matrix are.
struct ProductForm {
  struct Axis {
    size_t number = 0;  // among the block's axes
    int64_t extent = 0;
    bool is_index = false;  // as it is, wherever operands are read with it and sums are stored
  };
  struct Side {
    ir::Buffer operand;
    std::vector<ir::Expr> indices;  // at which it is read
    std::vector<Axis> axes;         // that the other one does not move with
    int64_t extent() const;
  };
  // The second is the one with the last axis: its neighbours are neighbours in memory.
  std::array<Side, 2> sides;
  std::vector<Axis> batch;   // of both, or of none
  std::vector<Axis> reduce;  // of the sum, at least one
  const Axis& longest() const;
  DType sums;
};

// Nothing: it is no product, or its sizes are not constant.
std::optional<ProductForm> product_form(schedule::Schedule& s, const std::string& block);

}  // namespace vantage::ops
