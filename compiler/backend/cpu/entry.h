// The C entry point of a function: arguments checked, then the body called (native/abi.h).
#pragma once

#include <llvm/IR/Function.h>

#include <set>
#include <vector>

#include "compiler/backend/cpu/module_builder.h"
#include "compiler/ir/prim_func.h"

namespace vantage::cpu {

// What a body takes, in order: the data of every buffer parameter, every variable, the runtime, where to keep failures.
struct BodyParameters {
  std::vector<ir::Buffer> buffers;
  std::vector<ir::Var> vars;  // scalars, then sizes and strides that the buffers define
};
BodyParameters body_parameters(const ir::PrimFunc& function);

// Defines `function.name`, of type vantage_entry.
void emit_entry(const ModuleBuilder& module, const ir::PrimFunc& function, const std::set<ir::Buffer>& written,
                llvm::Function* body, llvm::Constant* default_runtime);

}  // namespace vantage::cpu
