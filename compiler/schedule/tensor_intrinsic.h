// An instruction of a target, declared by what it computes and by how it is called.
#pragma once

#include <string>

#include "compiler/tir/interpreter/interpreter.h"
#include "compiler/tir/prim_func.h"

namespace vantage::schedule {

using Externs = decltype(tir::InterpreterOptions::externs);

// `description` is a loop nest of one block over constant extents. `implementation` has the same parameters and does
// the same with the target's own calls, whose arguments are views of the parameters. A parameter's scope, unless it is
// "global", is the memory in which the instruction finds it.
class TensorIntrinsic {
 public:
  // Runs both on random buffers, with the target's calls as `externs` defines them. Throws Error when parameters or
  // results differ.
  TensorIntrinsic(tir::PrimFunc description, tir::PrimFunc implementation, const Externs& externs = {});

  // The implementation's.
  const std::string& name() const { return implementation_.name; }
  const tir::PrimFunc& description() const { return description_; }
  const tir::PrimFunc& implementation() const { return implementation_; }

 private:
  tir::PrimFunc description_;
  tir::PrimFunc implementation_;
};

}  // namespace vantage::schedule
