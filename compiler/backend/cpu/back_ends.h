#pragma once

#include <memory>

#include "compiler/backend/cpu/target.h"

namespace llvm {
class TargetMachine;
}

namespace vantage::cpu {

// Makes LLVM's back ends known to it, once for the process.
void initialize_back_ends();

// What turns LLVM's IR into code for a target.
std::unique_ptr<llvm::TargetMachine> make_target_machine(const Target& target);

}  // namespace vantage::cpu
