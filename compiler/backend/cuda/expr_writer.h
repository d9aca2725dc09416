// Expressions as C++ (device/vantage.cuh has the functions that they call).
//
// Thread safety: none; one for each kernel.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "compiler/backend/cuda/cpp_tokens.h"
#include "compiler/backend/cuda/names.h"
#include "compiler/backend/cuda/shared_access.h"
#include "compiler/ir/arith/analyzer.h"

namespace vantage::cuda {

// How many elements a buffer takes, gaps included; nothing where that is no number.
std::optional<int64_t> constant_span(const ir::Buffer& buffer);
// How many elements it has, as a message says it: "n * 4".
std::string size_text(const ir::Buffer& buffer);

class ExprWriter {
 public:
  // `analyzer` knows the loops and conditions around what is written; both must outlive this. `strict`: indices wrap
  // like values, and nothing is taken for granted of them.
  ExprWriter(Names& names, ir::Analyzer& analyzer, bool strict) : names_(names), analyzer_(analyzer), strict_(strict) {}

  // A product of floats and what it is added to, in a step of a sum, by one instruction that rounds once. All else is
  // rounded as it is written (nvrtc_arguments() sees to it). None for what is no product, and in strict code.
  std::optional<std::string> fused(const ir::Expr& product, const std::string& sum);

  // A value: integers wrap. In parentheses where it binds less than `around` wants.
  std::string value(const ir::Expr& expr, int around = kAny);
  // A place in memory or a number of iterations: integers of 32 bits and more do not overflow.
  std::string index(const ir::Expr& expr, int around = kAny);
  // Bounds that hold though integers wrap.
  ir::Bounds bounds(const ir::Expr& expr) const;
  // "A[i * 64 + j]".
  std::string element(const ir::Buffer& buffer, const std::vector<ir::Expr>& indices);
  // Where an element lies, counted from the first: in 64 bits where 32 may not be enough.
  ir::Expr offset(const ir::Buffer& buffer, const std::vector<ir::Expr>& indices);

  // A variable has this value from here on.
  void define(const ir::Var& var, const ir::Expr& value) {
    if (is_data(value)) data_.insert(var.get());
  }

  // Loads that are written as something else; "" for those that are not.
  std::function<std::string(const ir::Load&)> replaced;

  // Notes an access, if that is one to shared memory.
  void note(SharedAccess access);
  // All that were written so far.
  std::vector<SharedAccess> shared_accesses;

 private:
  std::string write(const ir::Expr& expr, int around);
  std::string cast(const ir::Cast& node, int around);
  std::string binary(const ir::Expr& expr, const ir::Binary& node, int around);
  std::string integer(const ir::Expr& expr, const ir::Binary& node, int around);
  std::string infix(const ir::Binary& node, std::string_view symbol, int own, int around);
  std::string call(const std::string& function, const std::vector<ir::Expr>& arguments);
  std::string intrinsic(const ir::Call& node, int around);
  bool never_wraps(const ir::Expr& expr) const;
  bool is_data(const ir::Expr& expr) const;
  size_t assume(const ir::Expr& condition) { return analyzer_.assume(strict_ ? ir::Expr(true) : condition); }

  Names& names_;
  ir::Analyzer& analyzer_;
  bool strict_;
  bool is_index_ = false;
  std::unordered_set<const ir::VarNode*> data_;  // variables that come from tensors' elements
};

}  // namespace vantage::cuda
