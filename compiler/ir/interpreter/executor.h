// Runs programs.
#pragma once

#include <memory>

#include "compiler/ir/interpreter/access_checker.h"
#include "compiler/ir/interpreter/interpreter.h"
#include "compiler/ir/interpreter/program.h"

namespace vantage::ir::interpreter {

// Where one thread of control is. The first one starts the function; a kernel's start as copies of it.
struct Thread {
  std::vector<Scalar> file;                  // constants, the last one first, then registers
  std::vector<Memory*> memory;               // by buffer: what the thread sees
  std::vector<std::unique_ptr<Memory>> own;  // by buffer: what it has for itself, kept to be allocated again
  int32_t next = 0;                          // instruction
  uint32_t place = 0;                        // among the threads of its block

  // Elements of its own for a buffer, which it sees from here on.
  Memory& take(size_t buffer) {
    if (own[buffer] == nullptr) own[buffer] = std::make_unique<Memory>();
    return *(memory[buffer] = own[buffer].get());
  }
};

class Executor {
 public:
  // `program` and the arrays must outlive it.
  Executor(const Program& program, const std::vector<Argument>& arguments, const InterpreterOptions& options);
  void run();

 private:
  enum class Stop : uint8_t { kEnd, kBarrier };

  // arguments.cpp
  void pass_arguments();
  void set_parameter(Thread& thread, const Instr& instr);

  // Runs a thread until it ends or waits at a barrier.
  Stop run(Thread& thread);

  Scalar* registers(Thread& thread) const { return thread.file.data() + program_.constants.size(); }
  void step();
  int64_t locate(const Memory& memory, const Instr& instr, const Scalar* registers) const;
  std::vector<int64_t> index_of(const Memory& memory, const Instr& instr, const Scalar* registers) const;
  std::vector<Memory::Dimension> dimensions(const Instr& instr, const Scalar* registers) const;
  void allocate(Thread& thread, const Instr& instr);
  Scalar call(Thread& thread, const ExternUse& use);
  const std::string& label(const Instr& instr) const { return program_.names[static_cast<size_t>(instr.note)]; }
  [[noreturn]] void out_of_range(const Memory& memory, const Instr& instr, size_t dimension, int64_t index) const;
  [[noreturn]] void no_quotient(const Instr& instr) const;

  // launch.cpp
  void launch(Thread& host, const Kernel& kernel);
  void run_block(const Thread& host, const Kernel& kernel, uint32_t threads, const std::vector<int64_t>& extents);
  void start_block(const Thread& host, const Kernel& kernel);
  void start_thread(Thread& thread, const Thread& host, const Kernel& kernel);
  void check_barrier(const Kernel& kernel, const std::vector<std::unique_ptr<Thread>>& waiting, uint32_t threads,
                     const std::vector<int64_t>& extents) const;

  const Program& program_;
  const std::vector<Argument>& arguments_;
  const InterpreterOptions& options_;
  AccessChecker checker_;
  uint64_t steps_ = 0, most_steps_;
  Thread host_;
  std::vector<std::unique_ptr<Thread>> idle_;  // threads to be started again
  // By buffer: elements that the threads of the running block share, once they have been allocated in it.
  std::vector<std::unique_ptr<Memory>> block_memory_;
  std::vector<bool> in_block_;
  int64_t parallel_first_ = 0;  // the first value of the checked parallel loop's variable
};

}  // namespace vantage::ir::interpreter
