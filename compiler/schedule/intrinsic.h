// An instruction of a target, declared by the formula that it computes and by how it is called.
//
//   Tensor a = placeholder({4, 8}, kInt8, "A"), b = placeholder({8, 4}, kInt8, "B");
//   Tensor c = compute({4, 4}, [&](Expr i, Expr j) {
//     return sum(cast(kInt32, a(i, k)) * cast(kInt32, b(k, j)), {k});
//   }, "C");
//   Intrinsic mma("dev.mma", create_prim_func({a, b, c}),
//                 {.reset = [](const Operands& o) { return instruction("dev.zero", {o.write("C")}); },
//                  .update = [](const Operands& o) {
//                    return instruction("dev.mma", {o.update("C"), o.read("A"), o.read("B")});
//                  }},
//                 externs);
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/ir/call_extern.h"
#include "compiler/schedule/tensor_intrinsic.h"

namespace vantage::schedule {

// The parameters that a part of an intrinsic works on, by their names in the formula. Naming another is an Error that
// lists those there are.
class Operands {
 public:
  // `part` is what messages call it.
  Operands(std::string part, std::vector<ir::Buffer> buffers);

  // All of a parameter, as the argument of a call that reads it, overwrites it, or does both.
  ir::Expr read(std::string_view name) const { return ir::reads((*this)[name]); }
  ir::Expr write(std::string_view name) const { return ir::writes((*this)[name]); }
  ir::Expr update(std::string_view name) const { return ir::updates((*this)[name]); }
  // The parameter itself, for loads and stores.
  const ir::Buffer& operator[](std::string_view name) const;

 private:
  std::string part_;
  std::vector<ir::Buffer> buffers_;
};

// A call of the target's own as a statement.
ir::Stmt instruction(std::string function, std::vector<ir::Expr> arguments);

// How an instruction is called. An instruction that does not reduce has `compute` alone, and one that reduces has
// `compute`, `update`, or both. Where there is an `update` but no `reset`, the initial values are left as plain stores,
// which the target must have another way to lower.
struct Implementations {
  using Body = std::function<ir::Stmt(const Operands&)>;
  // From nothing: the initial values, and all of the reduction.
  Body compute = nullptr;
  // The initial values alone.
  Body reset = nullptr;
  // The reduction onto what is there.
  Body update = nullptr;
  // The memories in which the instruction finds its parameters, by their names; "global" stands for any.
  std::map<std::string, std::string> scopes = {};
};

class Intrinsic {
 public:
  // `definition` is what create_prim_func makes of one formula. Each part is run beside what it must do, on random
  // numbers, with the target's calls as `externs` defines them. Throws Error, naming the part, when results differ, and
  // when the formula has no such part.
  Intrinsic(std::string name, const ir::PrimFunc& definition, const Implementations& implementations,
            const Externs& externs = {});
  // One description and its implementation, whichever of the three it is.
  explicit Intrinsic(TensorIntrinsic only);

  const std::string& name() const { return name_; }
  // Those that it has, called NAME.compute, NAME.reset and NAME.update; null for others.
  const TensorIntrinsic* compute() const { return compute_ ? &*compute_ : nullptr; }
  const TensorIntrinsic* reset() const { return reset_ ? &*reset_ : nullptr; }
  const TensorIntrinsic* update() const { return update_ ? &*update_ : nullptr; }
  bool reduces() const;

 private:
  std::string name_;
  std::optional<TensorIntrinsic> compute_, reset_, update_;
};

// Those that tensorize may name.
using Intrinsics = std::vector<std::shared_ptr<const Intrinsic>>;

}  // namespace vantage::schedule
