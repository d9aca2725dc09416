// Random functions of one thread: expressions of every type, and statements of every kind but calls, that mostly have
// a meaning. Variables are defined once each.
#pragma once

#include <random>

#include "compiler/ir/prim_func.h"

namespace vantage::test {

class RandomFunction {
 public:
  explicit RandomFunction(uint64_t seed);

  // Parameters: variables of several types, then buffers of several types and shapes.
  std::vector<ir::Var> vars;
  std::vector<ir::Buffer> buffers;

  ir::Expr expr(ir::DType dtype, int depth);
  ir::Stmt stmt(int depth);
  // A variable that expressions may use from here on.
  void add_var(const ir::Var& var) { scope_.push_back(var); }
  // From here on statements write to this buffer and those that they allocate, and only read the others.
  void write_only_to(const ir::Buffer& buffer);
  uint64_t pick(uint64_t count) { return random_() % count; }
  // An argument for a parameter: small numbers and, now and then, those at the end.
  int64_t integer(ir::DType dtype);
  double number(ir::DType dtype);

 private:
  ir::Expr leaf(ir::DType dtype);
  ir::Expr index(const ir::Buffer& buffer, size_t dimension, int depth);
  std::vector<ir::Expr> indices(const ir::Buffer& buffer, int depth);
  ir::Stmt store(int depth);
  ir::Stmt loop(int depth);
  ir::Stmt block(int depth);
  ir::Stmt let(int depth);
  ir::Stmt allocate(int depth);
  ir::Var fresh(ir::DType dtype);

  std::mt19937_64 random_;
  std::vector<ir::Var> scope_;
  std::vector<ir::Buffer> visible_;
  size_t first_written_ = 0;  // of visible_
  int names_ = 0;
};

}  // namespace vantage::test
