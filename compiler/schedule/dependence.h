// Who writes and reads what, and what kind of block something is: the ground on which primitives stand.
#pragma once

#include <string_view>
#include <vector>

#include "compiler/schedule/tree.h"

namespace vantage::schedule {

// Buffers that a block (with all inside it) stores to and loads from, each once, in order; `reads` without those it
// only reads to reduce into them.
std::vector<Buffer> written_by(const Block& block);
std::vector<Buffer> read_by(const Block& block);

// Outermost blocks of the function, or of the block that `path` (not its last node) goes through last, that write or
// read a buffer.
std::vector<Stmt> writers(const PrimFunc& function, const Path& path, const Buffer& buffer);
std::vector<Stmt> readers(const PrimFunc& function, const Path& path, const Buffer& buffer);

// The one buffer that a block writes; Error, beginning with `primitive`, when it writes several.
Buffer single_output(const Block& block, std::string_view primitive);

// The buffer of that name among those that a block reads and writes; Error, beginning with `primitive`, when there is
// none.
Buffer touched_buffer(const Block& block, std::string_view name, std::string_view primitive);

// Whether all axes are spatial: every instance makes its own elements, from others only.
bool is_complete(const Block& block);
bool is_reduction(const Block& block);

// The axes of a kind whose bindings move with a loop.
bool binds(const Block& block, const Var& loop, ir::AxisKind kind);

// Whether a loop says which element is made, of a recurrence at which step: what is not for the reduction alone.
bool selects(const Block& block, const Var& loop);

// Whether a block has been rolled (rolling_buffer) and a loop around it has its readers inside as well: places that it
// writes there come again.
bool keeps_places_in(const For& loop, const Block& block);

// For a block that stores to `buffer` at distinct axes, one per dimension: the position in block.axes for each
// dimension, -1 where the dimension is indexed by a literal 0. Error, beginning with `primitive`, for other indices.
std::vector<int> output_axes(const Block& block, const Buffer& buffer, std::string_view primitive);

// The only store of a block's body, if there is only one; else null.
const ir::Store* single_store(const Block& block);

}  // namespace vantage::schedule
