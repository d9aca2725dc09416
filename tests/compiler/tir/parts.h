// A function with every kind of node, made of parts that a test may change one by one.
#pragma once

#include <functional>
#include <string>

#include "compiler/tir/prim_func.h"

namespace vantage::test {

// Functions of equal parts share no variable and no buffer but the free ones.
struct Parts {
  tir::Var free_var{"free"};
  tir::Buffer free_buffer = tir::make_buffer("F", {8}, tir::kInt32);

  std::string function = "main";
  tir::Annotations function_notes = {{"target", tir::make_string("vta")}};
  tir::DType param_type = tir::kInt32;
  bool swap_params = false;

  std::string buffer = "A", scope = "global";
  tir::DType dtype = tir::kInt32;
  tir::Expr first_size = 16;
  bool strides = false;
  int alignment = 64;

  bool allocate_in_function = true;
  std::string allocation = "T";

  tir::Expr min = 0, extent = 16;
  tir::ForKind loop = tir::ForKind::kThread;
  std::string thread = "threadIdx.x";
  tir::Annotations loop_notes = {{"unroll", 4}};
  tir::DType loop_type = tir::kInt32;
  std::string loop_name = "i";

  std::string block = "C";
  tir::AxisKind axis = tir::AxisKind::kSpatial;
  tir::Expr axis_min = 0, axis_extent = 16;
  int binding_offset = 0;
  std::function<tir::Expr(const tir::Expr&)> predicate = [](const tir::Expr& v) { return v < 12; };
  tir::Annotations block_notes = {{"pragma", tir::make_string("dma_copy")}};
  bool init = true;
  tir::BinaryOp combine = tir::BinaryOp::kAdd;
  std::string reducer = "sum";
  int identity = 0;
  bool has_reducer = true;

  int stored = 1, index_offset = 0;
  tir::BinaryOp op = tir::BinaryOp::kAdd;
  tir::DType cast_to = tir::kInt64;
  bool negate = false;
  std::string intrinsic = "exp";
  tir::Touch touch = tir::Touch::kRead;
  int box = 4;
  int let_value = 7;
  bool has_else = true, has_tail = true;
  double number = 0.5;
  std::string text = "shared";

  tir::PrimFunc build() const;
};

}  // namespace vantage::test
