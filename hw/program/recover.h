// From a run back to its program: what linking made absolute is tied to tensors and micro-ops again.
//
// Thread safety: functions without state.
#pragma once

#include <vector>

#include "hw/program/bundle.h"
#include "hw/program/program.h"

namespace vantage {

struct RecoveredProgram {
  Program program;
  std::vector<Bytes> tensors;  // where each of the program's lies in the bundle's memory
};

// The program that a bundle's run was made of. Linked where the bundle has it, it gives the bundle's instructions and
// micro-ops again, but for micro-ops of which no load knows.
//
// Tensors are the bundle's symbols. Where it has none, as those of other recorders, they are what its instructions
// reach: a piece of memory that loads or stores share is one, called by its memory and a number ("inp0"); those that
// anything stores to are outputs. Of a symbol that no instruction reaches nobody knows the element, so it is left out.
//
// An instruction keeps an absolute address when it reaches the instructions themselves, memory that is also used as
// micro-ops, more micro-ops than any program has, or a place that is no multiple of its element behind the tensor's
// beginning.
//
// Throws Error, naming the bundle, for an instruction that cannot be decoded, and for symbols that no program may have.
RecoveredProgram recover_program(const Bundle& bundle);

}  // namespace vantage
