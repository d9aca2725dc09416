// What statements read and write, as boxes of buffers.
#pragma once

#include <optional>
#include <vector>

#include "compiler/ir/arith/analyzer.h"
#include "compiler/ir/prim_func.h"

namespace vantage::ir {

struct Regions {
  std::vector<BufferRegion> reads, writes;  // one box per buffer, buffers in order of their first access
};

struct BufferUse {
  std::vector<Buffer> reads, writes;  // each once, in order of their first access
};

// Whether a value depends on what is in memory, and so on when it is computed.
bool reads_memory(const Expr& expr);

// The part of a condition that goes on holding whatever is stored: its conjuncts that read no memory.
Expr lasting(const Expr& condition);

// Whether a statement reads or writes any of a buffer.
bool touches(const Stmt& stmt, const Buffer& buffer);

// Of a block with all inside it. What it reads only of its own output, to reduce, is no read.
BufferUse block_buffers(const Block& block);

// Of a block, on its axes. What it reads only of its own output, to reduce, is no read.
Regions block_regions(const Block& block);

// Of a statement. Loops and axes inside it run over their extents (`analyzer` learns them), what is outside stays
// fixed; where no closed form of a bound is known, or one that reads memory under a condition inside, the box has the
// buffer's whole extent. Boxes may reach out of the buffer where a condition keeps accesses inside. `only`: of those
// buffers alone; empty: of all.
Regions regions(const Stmt& stmt, Analyzer& analyzer, const std::vector<Buffer>& only = {});

// The smallest box of single elements around two boxes of one buffer.
std::vector<Range> hull(const std::vector<Range>& a, const std::vector<Range>& b, Analyzer& analyzer);

// The smallest range around a range while the variables in `over` run over theirs; nothing where no such is known.
std::optional<Range> swept(const Range& range, const std::vector<Var>& over, Analyzer& analyzer);

}  // namespace vantage::ir
