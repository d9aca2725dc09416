// The schedule primitives as functions on a function. Each checks that the result computes the same and throws Error,
// naming loops, blocks and buffers, when it would not; the function is then unchanged. Schedule (schedule.h) is what
// users call: it adds handles and the trace.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compiler/schedule/intrinsic.h"
#include "compiler/schedule/trace.h"
#include "compiler/schedule/tree.h"

namespace vantage::schedule {

// Loops. New loops are outermost first.
using KnownFactors = std::vector<std::optional<int64_t>>;
std::vector<Var> split(PrimFunc& function, const Var& loop, const KnownFactors& factors);
Var fuse(PrimFunc& function, const std::vector<Var>& loops);
void reorder(PrimFunc& function, const std::vector<Var>& loops);
void set_loop_kind(PrimFunc& function, const Var& loop, ir::ForKind kind, const std::string& thread);

// Where blocks are computed.
void compute_at(PrimFunc& function, const std::string& block, const Var& loop);
void reverse_compute_at(PrimFunc& function, const std::string& block, const Var& loop);
void compute_inline(PrimFunc& function, const std::string& block);
void reverse_compute_inline(PrimFunc& function, const std::string& block);

// Memory. The new block's name is returned.
std::string cache_read(PrimFunc& function, const std::string& block, const std::string& buffer,
                       const std::string& scope);
std::string cache_write(PrimFunc& function, const std::string& block, const std::string& scope);
void set_scope(PrimFunc& function, const std::string& block, const std::string& scope);

void storage_align(PrimFunc& function, const std::string& block, int64_t axis, int64_t factor, int64_t offset);
void double_buffer(PrimFunc& function, const std::string& block, int64_t places);
// An empty name: what the block writes.
void transform_layout(PrimFunc& function, const std::string& block, const std::string& buffer, const std::string& map);
void rolling_buffer(PrimFunc& function, const std::string& block);

// Padding.
std::string decompose_padding(PrimFunc& function, const std::string& block, const Var& loop);
void pad_einsum(PrimFunc& function, const std::string& block, const std::vector<int64_t>& padding);

// Reductions.
std::string decompose_reduction(PrimFunc& function, const std::string& block, const Var& loop);
std::string rfactor(PrimFunc& function, const Var& loop, int64_t factor_axis);

// Instructions. Of a loop, or of a block alone.
std::string blockize(PrimFunc& function, const Var& loop);
std::string blockize(PrimFunc& function, const std::string& block);
void tensorize(PrimFunc& function, const Var& loop, const Intrinsic& intrinsic);

// Notes.
void annotate_loop(PrimFunc& function, const Var& loop, const std::string& key, const Expr& value);
void annotate_block(PrimFunc& function, const std::string& block, const std::string& key, const Expr& value);

}  // namespace vantage::schedule
