// A function with every kind of node, made of parts that a test may change one by one.
#pragma once

#include <functional>
#include <string>

#include "compiler/ir/prim_func.h"

namespace vantage::test {

// Functions of equal parts share no variable and no buffer but the free ones.
struct Parts {
  ir::Var free_var{"free"};
  ir::Buffer free_buffer = ir::make_buffer("F", {8}, ir::kInt32);

  std::string function = "main";
  ir::Annotations function_notes = {{"target", ir::make_string("vta")}};
  ir::DType param_type = ir::kInt32;
  bool swap_params = false;

  std::string buffer = "A", scope = "global";
  ir::DType dtype = ir::kInt32;
  ir::Expr first_size = 16;
  bool strides = false;
  int alignment = 0;

  bool allocate_in_function = true;
  std::string allocation = "T";

  ir::Expr min = 0, extent = 16;
  ir::ForKind loop = ir::ForKind::kThread;
  std::string thread = "threadIdx.x";
  ir::Annotations loop_notes = {{"unroll", 4}};
  ir::DType loop_type = ir::kInt32;
  std::string loop_name = "i";

  std::string block = "C";
  ir::AxisKind axis = ir::AxisKind::kSpatial;
  ir::Expr axis_min = 0, axis_extent = 16;
  int binding_offset = 0;
  std::function<ir::Expr(const ir::Expr&)> predicate = [](const ir::Expr& v) { return v < 12; };
  ir::Annotations block_notes = {{"pragma", ir::make_string("dma_copy")}};
  bool init = true;
  ir::BinaryOp combine = ir::BinaryOp::kAdd;
  std::string reducer = "sum";
  int identity = 0;
  bool has_reducer = true;

  int stored = 1, index_offset = 0;
  ir::BinaryOp op = ir::BinaryOp::kAdd;
  ir::DType cast_to = ir::kInt64;
  bool negate = false;
  std::string intrinsic = "exp";
  ir::Touch touch = ir::Touch::kRead;
  int box = 4;
  int let_value = 7;
  bool has_else = true, has_tail = true;
  double number = 0.5;
  std::string text = "shared";

  ir::PrimFunc build() const;
};

}  // namespace vantage::test
