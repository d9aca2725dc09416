// The flat form in which a function runs: instructions on registers, made once from the tree.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/ir/interpreter/extern_call.h"
#include "compiler/ir/intrinsics.h"
#include "compiler/ir/prim_func.h"

namespace vantage::ir::interpreter {

// What the fields of an instruction mean, as far as the operation uses them: `dst`, `a`, `b`, `c` are registers,
// `list` the place of a list in Program::lists, `memory` a buffer in Program::buffers, `target` an instruction, `note`
// an index into the table named with the operation. `dtype` is the type of the result unless said otherwise.
enum class Op : uint8_t {
  kMove,          // dst = a
  kInt,           // dst = a `binary` b on operands of type dtype; note: Program::quotes
  kFloat,         // the same
  kFloatCompare,  // the same, to bool
  kConvert,       // dst = a, from type `from` to dtype
  kNot,
  kMath,       // dst = intrinsic(a, b), rounded; note: Program::intrinsics
  kPredicate,  // the same, to bool
  kBytes,      // the same of integers, to an integer
  kAbs,        // of an integer
  kLoad,       // dst = memory[list: one register per dimension]; note: Program::quotes
  kStore,      // memory[list] = a; note: Program::quotes
  kCall,       // dst = the call `note` of Program::calls

  kJump,
  kJumpIfFalse,     // where a is 0
  kJumpIfTrue,      // where a is not 0
  kJumpUnlessSame,  // where the integers a and b differ
  kLoopBegin,       // dst = a, dst + 1 = a + b; to target unless b > 0; note: Program::names
  kLoopNext,        // dst = dst + 1; to target while dst < dst + 1

  kCheckAxis,  // a must be in [b, b + c); note: Program::names
  kAllocate,   // memory = fresh elements; list: a register per size, then per stride
  kParameter,  // memory = parameter `note`; list likewise
  kLaunch,     // run the kernel `note` of Program::kernels, then go to target
  kThreadVar,  // dst = a + b, which dtype must hold; note: Program::names
  kBarrier,
  kParallelBegin,  // note: Program::names
  kParallelNext,   // an iteration with loop variable a begins, where b is the first one's
  kParallelEnd,
  kEnd,
};

struct Instr {
  Op op;
  BinaryOp binary = BinaryOp::kAdd;
  DType dtype = kInt32, from = kInt32;
  int32_t dst = 0, a = 0, b = 0, c = 0;
  int32_t memory = 0, list = 0, target = 0, note = 0;
};

// Where a buffer's elements come from.
enum class Home : uint8_t {
  kParameter,
  kFunction,  // an allocation outside every kernel
  kThread,    // an allocation inside a kernel: one per thread
  kBlock,     // likewise, of scope "shared": one per block
};

struct BufferUse {
  Buffer buffer;
  Home home = Home::kFunction;
};

// Loops bound to GPU indices and everything inside the outermost of them.
struct Kernel {
  struct Loop {
    std::string name;
    int32_t extent;  // register
  };
  struct Dimension {
    std::string tag;  // "threadIdx.x"
    int32_t index;    // the register for this thread's place
    std::vector<Loop> loops;
  };
  std::string loop;  // the outermost, for messages
  std::vector<Dimension> blocks, threads;
  // Buffers from outside of which every thread, or every block, has its own.
  std::vector<int32_t> thread_memory, block_memory;
  int32_t begin = 0;  // the first instruction of a thread
};

struct CallArgument {
  enum class Kind : uint8_t { kScalar, kText, kView } kind;
  DType dtype = kVoid;  // of a scalar
  int32_t value = 0;    // a scalar's register
  std::string text;
  Expr view;                 // the View node
  int32_t memory = 0;        // a view's buffer
  std::vector<int32_t> box;  // registers of its minima, then of its extents
};

struct ExternUse {
  std::string name;
  const Extern* function;
  std::vector<CallArgument> arguments;
};

struct Program {
  std::string name;
  std::vector<Instr> code;
  std::vector<int32_t> lists;
  // Registers 0 to `registers` - 1 are variables and intermediate values; constant i is register -1 - i.
  int32_t registers = 0;
  std::vector<Scalar> constants;
  std::vector<BufferUse> buffers;

  // Where arguments go: variables that are parameters, and those that get their value from a size of an array
  // (dimension rank + d: from stride d).
  struct ScalarParameter {
    size_t parameter;
    Var var;
    int32_t value;
  };
  struct SizeVariable {
    size_t parameter, dimension;
    Var var;
    int32_t value;
  };
  std::vector<ScalarParameter> scalars;
  std::vector<SizeVariable> sizes;
  std::vector<Param> parameters;

  std::vector<Kernel> kernels;
  std::vector<ExternUse> calls;
  std::vector<const Intrinsic*> intrinsics;
  // For messages.
  std::vector<Expr> quotes;
  std::vector<std::string> names;
};

}  // namespace vantage::ir::interpreter
