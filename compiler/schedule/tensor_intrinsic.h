// An instruction of a target, declared by what it computes and by how it is called.
#pragma once

#include <string>

#include "compiler/ir/interpreter/interpreter.h"
#include "compiler/ir/prim_func.h"

namespace vantage::schedule {

using Externs = decltype(ir::InterpreterOptions::externs);

// `description` is a loop nest of one block over constant extents. `implementation` has the same parameters and does
// the same with the target's own calls, whose arguments are views of the parameters. A parameter's scope, unless it is
// "global", is the memory in which the instruction finds it.
class TensorIntrinsic {
 public:
  // Runs both on random buffers, with the target's calls as `externs` defines them. Throws Error when parameters or
  // results differ.
  TensorIntrinsic(ir::PrimFunc description, ir::PrimFunc implementation, const Externs& externs = {});

  // The implementation's.
  const std::string& name() const { return implementation_.name; }
  const ir::PrimFunc& description() const { return description_; }
  const ir::PrimFunc& implementation() const { return implementation_; }

 private:
  ir::PrimFunc description_;
  ir::PrimFunc implementation_;
};

}  // namespace vantage::schedule
