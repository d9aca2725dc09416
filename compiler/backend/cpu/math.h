// The intrinsics of compiler/ir/intrinsics.h on LLVM values, scalars or vectors.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include <string_view>
#include <vector>

#include "compiler/backend/cpu/target.h"
#include "compiler/ir/dtype.h"

namespace vantage::cpu {

// A function of floats, or `abs`. What no instruction does is a call of the C library's: of its vector functions
// (glibc's libmvec, within 4 units in the last place) where the target has them, else of the scalar one in every lane.
// Throws Error for an intrinsic that means nothing here, a GPU's barrier.
llvm::Value* emit_intrinsic(llvm::IRBuilder<>& builder, const Target& target, std::string_view intrinsic,
                            ir::DType dtype, const std::vector<llvm::Value*>& arguments);

}  // namespace vantage::cpu
