// The C entry point of a function: arguments checked, then the body called (native/abi.h).
#pragma once

#include <llvm/IR/Function.h>

#include <set>
#include <vector>

#include "compiler/target/llvm/module_builder.h"
#include "compiler/tir/prim_func.h"

namespace vantage::compiler {

// What a body takes, in order: the data of every buffer parameter, every variable, the runtime, where to keep failures.
struct BodyParameters {
  std::vector<tir::Buffer> buffers;
  std::vector<tir::Var> vars;  // scalars, then sizes and strides that the buffers define
};
BodyParameters body_parameters(const tir::PrimFunc& function);

// Defines `function.name`, of type vantage_entry.
void emit_entry(const ModuleBuilder& module, const tir::PrimFunc& function, const std::set<tir::Buffer>& written,
                llvm::Function* body, llvm::Constant* default_runtime);

}  // namespace vantage::compiler
