// Runs any function of the tensor IR as written, on arrays of the host: the oracle for schedules, passes and targets.
//
//   Tensor a(kFloat32, {128, 128}), b(kFloat32, {128, 128}), c(kFloat32, {128, 128});
//   interpret(matmul, {&a, &b, &c});
//
// What everything means, where the IR's own headers do not say:
//
// Memory. Elements that a function allocates have no value until they are written. Arrays given as parameters have.
// Indices must be inside the shape in every dimension.
//
// Numbers. Integers wrap at their type, floats round to theirs after every operation; Cast is convert()
// (base/tensor/dtype.h).
//
// Blocks. Bindings are evaluated, then the predicate; where it holds, bindings must be inside their axes' domains,
// `init` runs when all reduce axes are at their beginning, then the body.
//
// Loops run in ascending order, except those bound to GPU indices. The outermost of these with all inside it is a
// kernel, and is run as a GPU runs it: its blocks one after another, each by as many threads as the tags "threadIdx.*"
// that occur anywhere in the kernel have places together, every thread running the whole kernel. A loop bound to a tag
// has one iteration in each thread, the one of the thread's own place; so loops with one tag are one index and must
// have one extent, which is known before the kernel starts, and what stands outside of a tag's loops is run by all
// places of that tag. A thread runs until a storage_sync or its end, then the next one does.
// Every thread has its own buffers of scope "local", every block its own of scope "shared" (or "shared.*"), wherever
// they are allocated; all other buffers from outside a kernel are common to all threads, and those allocated inside
// are one thread's. Shared memory has no value when a block starts; allocating it in a loop gives the same elements
// again.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/tensor/tensor.h"
#include "compiler/ir/interpreter/extern_call.h"
#include "compiler/ir/prim_func.h"

namespace vantage::ir {

struct InterpreterOptions {
  // Called for functions that are no intrinsics, by name.
  std::map<std::string, Extern, std::less<>> externs;
  // Loop iterations and threads after which a run is given up with an Error; 0: never.
  uint64_t max_steps = 0;
  // False: loops bound to GPU indices are loops like others, inner ones with the tag of an outer one too, and buffers
  // of every scope are common: what a schedule means before barriers are placed.
  bool threads = true;
  // Whether two threads that touch an element with no barrier between, one of them writing, are an Error; likewise
  // threads of two blocks of a kernel.
  bool check_races = true;
  // The same for iterations of parallel loops (of the outermost, where they nest).
  bool check_parallel = false;
};

// For a buffer an array (not null), for a variable a number.
using Argument = std::variant<Tensor*, int64_t, double>;

// Throws Error when arguments do not fit the parameters, when the function cannot be run (an unknown variable, buffer
// or function) and when it breaks a rule while it runs; arrays then hold what had been written.
//
// An array must have its parameter's type, shape and strides. Variables in shapes and strides that are no parameters
// themselves get their value from the first array where they stand alone.
//
// Thread safety: runs do not affect each other as long as their arrays are different.
void interpret(const PrimFunc& function, const std::vector<Argument>& arguments,
               const InterpreterOptions& options = {});

}  // namespace vantage::ir
