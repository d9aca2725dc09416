#pragma once

#include "compiler/backend/vta/operations.h"

namespace vantage::vta {

// Puts in the dependence tokens from what each operation declares to read and write, so that nobody sets them by hand,
// and FINISH, which waits for the last instruction of every stage.
//
// Two instructions of different stages that touch the same elements, at least one of them writing, must run in program
// order. For each instruction the pass knows, through a vector clock, which instructions of the other stages are
// certain to have retired before it starts; where a conflicting one is not among them, it adds one token between the
// two. Every push has one pop and points forward in program order, so no deadlock can arise and no token is left over.
// Load and store stage are no neighbours: a conflict between them goes through an empty instruction of the compute
// stage.
//
// Expects every instruction of the program but FINISH, in order and without holes; tokens that are set already are
// overwritten. Leaves a list that to_program() takes. It stands last because a token counts the instructions between
// two: whatever moves, drops or adds one has to come before.
OperationList insert_tokens(OperationList list);

}  // namespace vantage::vta
