// Random functions of one thread: expressions of every type, and statements of every kind but calls, that mostly have
// a meaning. Variables are defined once each.
#pragma once

#include <random>

#include "compiler/tir/prim_func.h"

namespace vantage::test {

class RandomFunction {
 public:
  explicit RandomFunction(uint64_t seed);

  // Parameters: variables of several types, then buffers of several types and shapes.
  std::vector<tir::Var> vars;
  std::vector<tir::Buffer> buffers;

  tir::Expr expr(tir::DType dtype, int depth);
  tir::Stmt stmt(int depth);
  // A variable that expressions may use from here on.
  void add_var(const tir::Var& var) { scope_.push_back(var); }
  // From here on statements write to this buffer and those that they allocate, and only read the others.
  void write_only_to(const tir::Buffer& buffer);
  uint64_t pick(uint64_t count) { return random_() % count; }
  // An argument for a parameter: small numbers and, now and then, those at the end.
  int64_t integer(tir::DType dtype);
  double number(tir::DType dtype);

 private:
  tir::Expr leaf(tir::DType dtype);
  tir::Expr index(const tir::Buffer& buffer, size_t dimension, int depth);
  std::vector<tir::Expr> indices(const tir::Buffer& buffer, int depth);
  tir::Stmt store(int depth);
  tir::Stmt loop(int depth);
  tir::Stmt block(int depth);
  tir::Stmt let(int depth);
  tir::Stmt allocate(int depth);
  tir::Var fresh(tir::DType dtype);

  std::mt19937_64 random_;
  std::vector<tir::Var> scope_;
  std::vector<tir::Buffer> visible_;
  size_t first_written_ = 0;  // of visible_
  int names_ = 0;
};

}  // namespace vantage::test
