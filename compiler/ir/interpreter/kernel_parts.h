// What a kernel consists of: loops bound to GPU indices, and buffers by whom they belong to.
#pragma once

#include <string_view>
#include <unordered_set>
#include <vector>

#include "compiler/ir/stmt.h"

namespace vantage::ir::interpreter {

// "threadIdx.x" and its like, or "blockIdx.x" and its like.
bool is_thread_tag(std::string_view tag);
bool is_block_tag(std::string_view tag);
// Of one thread; of the threads of one block.
bool is_local(std::string_view scope);
bool is_shared(std::string_view scope);

// All loops in `stmt` that are bound to GPU indices, in order.
std::vector<const For*> thread_loops(const Stmt& stmt);
std::unordered_set<const BufferNode*> used_buffers(const Stmt& stmt);

}  // namespace vantage::ir::interpreter
