// Statements as C++: what one thread does.
//
// Thread safety: none; one for each kernel.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>

#include "compiler/backend/cuda/expr_writer.h"
#include "compiler/backend/cuda/group_products.h"
#include "compiler/backend/cuda/kernel.h"
#include "compiler/ir/stmt.h"

namespace vantage::cuda {

// Bytes that one instruction of a thread moves at the most.
inline constexpr int64_t kWidestAccess = 16;

class StmtWriter {
 public:
  // `names` has what is declared outside, buffers of shared memory among it. `strict`: as of ExprWriter.
  StmtWriter(Names& names, bool strict) : names_(names), strict_(strict), expr_(names, analyzer_, strict) {}

  // Throws Error for what a kernel cannot do, naming the loop or buffer.
  void write(const ir::Stmt& stmt);
  // A line at the present depth, with what else is known where it stands.
  void line(const std::string& text);
  ir::Analyzer& analyzer() { return analyzer_; }
  std::string index(const ir::Expr& expr) { return expr_.index(expr); }
  std::vector<SharedAccess> shared_accesses() && { return std::move(expr_.shared_accesses); }

  // What the kernel takes to copy boxes of tensors, and the names of that.
  struct NamedMap {
    TensorMap map;
    std::string name;
  };
  std::vector<NamedMap> maps;
  // That warpgroups make.
  std::set<GroupProduct> products;
  std::set<ir::DType> multiplied;  // by warps, on tensor cores

  int depth = 0;
  std::string text;  // so far

 private:
  void store(const ir::Store& node);
  // What a store of so many bytes only copies from global to shared memory: an element, or zero where a condition does
  // not hold. Nothing where no copy runs beside the thread here.
  struct Copied {
    const ir::Load* load;
    ir::Expr condition;  // null: it always holds
  };
  std::optional<Copied> copied_beside(const ir::Store& node, int64_t bytes) const;
  void copy_beside(int64_t bytes, const std::string& to, const std::string& from, const ir::Expr& condition);
  void loop(const ir::For& node);
  void allocate(const ir::Allocate& node);
  void condition(const ir::If& node);
  static const ir::Expr* added_to(const ir::Store& node);
  void call(const ir::Evaluate& node);
  void body(const ir::Stmt& stmt);
  void loop_head(const ir::For& node, bool unrolled);

  // tile_calls.cpp
  void tile_call(const ir::Call& call);
  std::string tile(const ir::View& view);
  std::string rows(const ir::View& view, bool aligned);
  bool begins_even(const ir::View& view);
  void require_loaded(const ir::View& side, std::string_view by);
  void require_multiple(const ir::Expr& value, int64_t of, const ir::View& view);

  // group_calls.cpp
  void group_product(const ir::Call& call);
  void copy_box(const ir::Call& call);
  void begin_arrivals(const ir::Call& call);
  const std::string& arrivals_of(const ir::Expr& pipeline) const;

  // vector_accesses.cpp: the iterations of a vectorized loop side by side.
  void vectorized(const ir::For& node);
  void store_lanes(const ir::For& loop, const ir::Store& node);
  std::string lanes_at(const ir::For& loop, const ir::Buffer& buffer, const std::vector<ir::Expr>& indices,
                       bool is_load);
  void side_by_side(const ir::For& loop, const ir::Stmt& stmt);

  size_t assume(const ir::Expr& condition) { return analyzer_.assume(strict_ ? ir::Expr(true) : condition); }
  void bind(const ir::For& node);
  bool differs(const ir::Expr& expr) const;

  Names& names_;
  bool strict_;
  ir::Analyzer analyzer_;
  ExprWriter expr_;
  bool copies_ = false;                                     // copies to shared memory may run beside what follows
  bool differs_ = false;                                    // threads of a warp may not all be here
  bool by_warp_ = false;                                    // all threads of a warp are here together
  std::map<const ir::BufferNode*, std::string> loaded_by_;  // which call brought tiles to a buffer
  std::map<int64_t, std::string> arrivals_;                 // of pipelines, by their number
  int64_t local_bytes_ = 0;                                 // of a thread, in what is allocated around
  std::set<const ir::BufferNode*> own_;                     // what the thread itself allocates
  ir::Var thread_x_;                                        // what is bound to threadIdx.x; null where nothing is
};

}  // namespace vantage::cuda
