// Statements as C++: what one thread does.
//
// Thread safety: none; one for each kernel.
#pragma once

#include <string>

#include "compiler/backend/cuda/expr_writer.h"
#include "compiler/ir/stmt.h"

namespace vantage::cuda {

class StmtWriter {
 public:
  // `names` has what is declared outside, buffers of shared memory among it.
  explicit StmtWriter(Names& names) : names_(names), expr_(names, analyzer_) {}

  // Throws Error for what a kernel cannot do, naming the loop or buffer.
  void write(const ir::Stmt& stmt);
  // A line at the present depth, with what else is known where it stands.
  void line(const std::string& text);
  ir::Analyzer& analyzer() { return analyzer_; }
  std::string index(const ir::Expr& expr) { return expr_.index(expr); }

  int depth = 0;
  std::string text;  // so far

 private:
  void store(const ir::Store& node);
  void loop(const ir::For& node);
  void allocate(const ir::Allocate& node);
  void condition(const ir::If& node);
  void call(const ir::Evaluate& node);
  void body(const ir::Stmt& stmt);
  void loop_head(const ir::For& node, bool unrolled);

  // vector_accesses.cpp: the iterations of a vectorized loop side by side.
  void vectorized(const ir::For& node);
  void store_lanes(const ir::For& loop, const ir::Store& node);
  std::string lanes_at(const ir::For& loop, const ir::Buffer& buffer, const std::vector<ir::Expr>& indices);
  void side_by_side(const ir::For& loop, const ir::Stmt& stmt);

  Names& names_;
  ir::Analyzer analyzer_;
  ExprWriter expr_;
};

}  // namespace vantage::cuda
