// A description and an implementation that do the same: what tensorize puts in the place of what.
#pragma once

#include <string>

#include "compiler/ir/interpreter/interpreter.h"
#include "compiler/ir/prim_func.h"

namespace vantage::schedule {

using Externs = decltype(ir::InterpreterOptions::externs);

// `description` is a nest of loops around one block, over constant extents, that uses all of its parameters. It may
// initialise what it reduces, as what create_prim_func makes does. `implementation` has the same parameters and does
// the same with the target's own calls, whose arguments are views of the parameters. A parameter's scope, unless it is
// "global", is the memory in which the instruction finds it.
class TensorIntrinsic {
 public:
  // Runs both on random buffers, with the target's calls as `externs` defines them. Throws Error when the description
  // has another form, and when parameters or results differ.
  TensorIntrinsic(ir::PrimFunc description, ir::PrimFunc implementation, const Externs& externs = {});

  // The implementation's.
  const std::string& name() const { return implementation_.name; }
  const ir::PrimFunc& description() const { return description_; }
  const ir::PrimFunc& implementation() const { return implementation_; }

 private:
  ir::PrimFunc description_;
  ir::PrimFunc implementation_;
};

// The block that `description` is. Throws Error, naming `intrinsic`, when it is anything but one block under its loops.
const ir::Block& described_block(const ir::PrimFunc& description, const std::string& intrinsic);

}  // namespace vantage::schedule
