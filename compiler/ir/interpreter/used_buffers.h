// Which buffers a statement works on.
#pragma once

#include <unordered_set>

#include "compiler/ir/stmt.h"

namespace vantage::ir::interpreter {

std::unordered_set<const BufferNode*> used_buffers(const Stmt& stmt);

}  // namespace vantage::ir::interpreter
