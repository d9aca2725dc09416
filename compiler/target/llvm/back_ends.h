#pragma once

#include <memory>

#include "compiler/target/llvm/cpu_target.h"

namespace llvm {
class TargetMachine;
}

namespace vantage::compiler {

// Makes LLVM's back ends known to it, once for the process.
void initialize_back_ends();

// What turns LLVM's IR into code for a target.
std::unique_ptr<llvm::TargetMachine> make_target_machine(const CpuTarget& target);

}  // namespace vantage::compiler
