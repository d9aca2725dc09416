// What names stand for at a place in the generated code.
#pragma once

#include <unordered_map>
#include <vector>

#include "compiler/backend/cpu/value.h"
#include "compiler/ir/prim_func.h"

namespace vantage::cpu {

// A buffer's memory. All values are 64-bit integers or pointers, the same in all lanes.
struct Storage {
  llvm::Value* data = nullptr;
  std::vector<llvm::Value*> strides;  // elements
  bool may_alias = false;             // another buffer may be the same memory (compiler/ir/in_place.h)
  // Of a buffer allocated inside of a vectorized loop: how many it has, one per lane, element by element.
  int copies = 1;
};

// Only what is visible at the place: a name is taken out again where its statement ends.
struct Scope {
  std::unordered_map<const ir::VarNode*, Value> vars;
  std::unordered_map<const ir::BufferNode*, Storage> buffers;
};

}  // namespace vantage::cpu
