// Finding and replacing things in the tree of a function that is being scheduled.
//
// Loops are named by their variables, blocks by their names, which are unique in a function. A scope is the function or
// the innermost block around something: producers and consumers are looked for in it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compiler/ir/arith/analyzer.h"
#include "compiler/ir/prim_func.h"

namespace vantage::schedule {

using ir::Block;
using ir::Buffer;
using ir::Expr;
using ir::For;
using ir::PrimFunc;
using ir::Stmt;
using ir::Var;

// From the body of the function down to the thing looked for, both included.
using Path = std::vector<Stmt>;

// Throw Error when there is no such block or loop; a block's lists those there are.
Path path_to_block(const PrimFunc& function, std::string_view name);
Path path_to_loop(const PrimFunc& function, const Var& var);
// To a statement that is there.
Path path_to_stmt(const PrimFunc& function, const Stmt& stmt);

const Block& block_at(const Path& path);
const For& loop_at(const Path& path);

// The loop around a block with this name: as the function prints it, or its variable's own. Error, with what
// may have been meant, when there is none, and when the name may mean several.
Var loop_by_name(const PrimFunc& function, const Path& block, const std::string& name);

// The number of iterations of a loop; Error, beginning with `primitive`, when it is not constant.
int64_t constant_extent(const PrimFunc& function, const Var& loop, std::string_view primitive);

// Error, beginning with `primitive`, when the block at the end of a path stands inside of another.
void require_outermost(const Path& path, std::string_view primitive);

// The loops of a path below its last block (the thing looked for not counted), outermost first.
std::vector<Stmt> loops_of(const Path& path);

// All blocks below a statement, in order; with `nested`, those inside blocks as well.
std::vector<Stmt> blocks_below(const Stmt& stmt, bool nested = false);
std::vector<Stmt> all_blocks(const PrimFunc& function);

// The function with one statement of the tree (that very node) replaced; null removes it with the loops that it
// empties.
void replace(PrimFunc& function, const Stmt& old, const Stmt& replacement);

// Knows the ranges of the loops and axes on a path and of symbolic sizes.
ir::Analyzer analyzer_for(const PrimFunc& function, const Path& path);
// Makes it know that a block's bindings lie in its axes' domains: elsewhere the block does not run.
void assume_domains(ir::Analyzer& analyzer, const Block& block);

// A name that no block has yet: the given one, or with a number.
std::string unique_block_name(const PrimFunc& function, const std::string& wanted);
std::string unique_buffer_name(const PrimFunc& function, const std::string& wanted);

// Blocks' bindings and predicates below a statement simplified, under what `analyzer` knows.
Stmt simplify_bindings(const Stmt& stmt, ir::Analyzer& analyzer);

// A condition added to the outermost blocks below a statement, or around what is in no block.
Stmt add_predicate(const Stmt& stmt, const Expr& condition);

}  // namespace vantage::schedule
