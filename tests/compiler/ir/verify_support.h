// Small functions, right and wrong, and what verify() says about them.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "compiler/ir/verify.h"
#include "tests/catch.h"

namespace vantage::test::verifying {

using namespace ir;

inline std::string text(const std::vector<std::string>& messages) {
  std::string result;
  for (const std::string& message : messages) {
    CHECK(message.find('\n') == std::string::npos);
    result += message + "\n";
  }
  return result;
}

// What is wrong with a function of these parameters.
inline std::string wrong(std::vector<Param> params, const Stmt& body, std::vector<Buffer> allocations = {}) {
  PrimFunc function;
  function.params = std::move(params);
  function.allocations = std::move(allocations);
  function.body = body;
  return text(verify(function));
}

inline Stmt loop_from(const Var& var, Expr min, Expr extent, const Stmt& body, ForKind kind = ForKind::kSerial,
                      const std::string& thread = "") {
  For node;
  node.var = var;
  node.min = std::move(min);
  node.extent = std::move(extent);
  node.loop = kind;
  node.thread = thread;
  node.body = body;
  return make_stmt(node);
}

inline Stmt block_of(const std::string& name, std::vector<Axis> axes, std::vector<Expr> bindings, const Stmt& body,
                     const Stmt& init = {}, const Expr& predicate = true) {
  Block block;
  block.name = name;
  block.axes = std::move(axes);
  block.bindings = std::move(bindings);
  block.body = body;
  block.init = init;
  block.predicate = predicate;
  return make_stmt(block);
}

inline Axis spatial(const Var& var, Expr extent) {
  return {var, {0, std::move(extent)}, AxisKind::kSpatial};
}
inline Axis reduce(const Var& var, Expr extent) {
  return {var, {0, std::move(extent)}, AxisKind::kReduce};
}
inline Axis ordered(const Var& var, Expr extent) {
  return {var, {0, std::move(extent)}, AxisKind::kOrdered};
}

// Nodes that the constructors would refuse.
template <typename Node, typename... Args>
Expr raw(Args&&... args) {
  return Expr(std::make_shared<Node>(std::forward<Args>(args)...));
}
template <typename Node, typename... Args>
Stmt raw_stmt(Args&&... args) {
  return Stmt(std::make_shared<Node>(std::forward<Args>(args)...));
}

// Variables and buffers to make functions of.
struct World {
  Var i{"i"}, j{"j"}, k{"k"}, n{"n"}, m{"m"}, vi{"vi"}, vj{"vj"}, vk{"vk"};
  Buffer a = make_buffer("A", {128}, kInt32), b = make_buffer("B", {128, 128}, kInt32),
         an = make_buffer("An", {n}, kInt32), bm = make_buffer("Bm", {m}, kInt32);
};

}  // namespace vantage::test::verifying
