// Expressions to instructions.
#pragma once

#include <optional>

#include "compiler/ir/interpreter/assembler.h"

namespace vantage::ir::interpreter {

// Throws Error for a variable, buffer or function that is not known.
class ExprCompiler {
 public:
  ExprCompiler(Assembler& assembler, const std::map<std::string, Extern, std::less<>>& externs)
      : out_(assembler), externs_(externs) {}

  // The register where the expression's value will be: a constant's or a variable's own, else a new one.
  int32_t value(const Expr& expr);
  // The value in this register.
  void into(int32_t dst, const Expr& expr);
  std::vector<int32_t> values(const std::vector<Expr>& exprs);
  // A call for its effect.
  void effect(const Expr& call);
  // The memory of a buffer in scope.
  int32_t memory(const Buffer& buffer) const;

 private:
  // A register that already holds the value; nothing when it must be computed.
  std::optional<int32_t> leaf(const Expr& expr);
  void binary(int32_t dst, const Expr& expr);
  void logic(int32_t dst, const Binary& node);
  void select(int32_t dst, const Select& node);
  void call(int32_t dst, const Call& node);
  void intrinsic(int32_t dst, const Call& node, const Intrinsic& intrinsic);
  CallArgument argument(const Expr& expr);

  Assembler& out_;
  const std::map<std::string, Extern, std::less<>>& externs_;
};

}  // namespace vantage::ir::interpreter
