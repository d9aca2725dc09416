#include "compiler/ir/interpreter/executor.h"

#include <algorithm>
#include <limits>

#include "base/error.h"
#include "base/tensor/dtype.h"
#include "compiler/ir/printer.h"

namespace vantage::ir::interpreter {

Executor::Executor(const Program& program, const std::vector<Argument>& arguments, const InterpreterOptions& options)
    : program_(program),
      arguments_(arguments),
      options_(options),
      most_steps_(options.max_steps == 0 ? std::numeric_limits<uint64_t>::max() : options.max_steps) {
  const size_t buffers = program.buffers.size();
  host_.file.assign(program.constants.rbegin(), program.constants.rend());
  host_.file.resize(program.constants.size() + static_cast<size_t>(program.registers));
  host_.memory.resize(buffers);
  host_.own.resize(buffers);
  block_memory_.resize(buffers);
  in_block_.resize(buffers);
}

void Executor::run() {
  pass_arguments();
  VANTAGE_CHECK(run(host_) == Stop::kEnd);
}

void Executor::step() {
  if (++steps_ > most_steps_) {
    fail("{} was given up after {} steps (loop iterations and threads); allow more or run a smaller case",
         program_.name, most_steps_);
  }
}

int64_t Executor::locate(const Memory& memory, const Instr& instr, const Scalar* registers) const {
  const auto& dimensions = memory.dimensions();
  const int32_t* indices = program_.lists.data() + instr.list;
  int64_t at = 0;
  for (size_t d = 0; d < dimensions.size(); ++d) {
    const int64_t index = registers[indices[d]].i;
    const auto [extent, stride] = dimensions[d];
    if (static_cast<uint64_t>(index) >= static_cast<uint64_t>(extent)) out_of_range(memory, instr, d, index);
    at += index * stride;
  }
  return at;
}

std::vector<int64_t> Executor::index_of(const Memory& memory, const Instr& instr, const Scalar* registers) const {
  std::vector<int64_t> index;
  for (size_t d = 0; d < memory.dimensions().size(); ++d) {
    index.push_back(registers[program_.lists[static_cast<size_t>(instr.list) + d]].i);
  }
  return index;
}

void Executor::out_of_range(const Memory& memory, const Instr& instr, size_t dimension, int64_t index) const {
  fail("index {} in dimension {} of {} is outside its extent {}, in '{}'{}", index, dimension, memory.buffer().name,
       memory.dimensions()[dimension].extent, to_text(program_.quotes[static_cast<size_t>(instr.note)]),
       checker_.who());
}

void Executor::no_quotient(const Instr& instr) const {
  fail("division by zero in '{}'{}", to_text(program_.quotes[static_cast<size_t>(instr.note)]), checker_.who());
}

Executor::Stop Executor::run(Thread& thread) {
  Scalar* const r = registers(thread);
  const Instr* const code = program_.code.data();
  for (int32_t next = thread.next;;) {
    const Instr& in = code[next++];
    switch (in.op) {
      case Op::kMove: r[in.dst] = r[in.a]; break;
      case Op::kInt: {
        int64_t result = 0;
        if (!evaluate_int(in.binary, in.dtype, r[in.a].i, r[in.b].i, &result)) no_quotient(in);
        r[in.dst].i = result;
        break;
      }
      case Op::kFloat: r[in.dst].f = evaluate_float(in.binary, in.dtype, r[in.a].f, r[in.b].f); break;
      case Op::kFloatCompare:
        r[in.dst].i = evaluate_float(in.binary, in.dtype, r[in.a].f, r[in.b].f) != 0 ? 1 : 0;
        break;
      case Op::kConvert: r[in.dst] = convert(in.from, in.dtype, r[in.a]); break;
      case Op::kNot: r[in.dst].i = r[in.a].i == 0 ? 1 : 0; break;
      case Op::kMath: {
        const Intrinsic& f = *program_.intrinsics[static_cast<size_t>(in.note)];
        r[in.dst].f = round_to(in.dtype, f.evaluate(r[in.a].f, r[in.b].f));
        break;
      }
      case Op::kPredicate: {
        const Intrinsic& f = *program_.intrinsics[static_cast<size_t>(in.note)];
        r[in.dst].i = f.evaluate(r[in.a].f, r[in.b].f) != 0 ? 1 : 0;
        break;
      }
      case Op::kBytes: {
        const Intrinsic& f = *program_.intrinsics[static_cast<size_t>(in.note)];
        const double value = f.evaluate(static_cast<double>(r[in.a].i), static_cast<double>(r[in.b].i));
        r[in.dst].i = static_cast<int64_t>(value);
        break;
      }
      case Op::kAbs: {
        const int64_t value = r[in.a].i;
        r[in.dst].i = value >= 0 ? value : wrap(in.dtype, static_cast<int64_t>(-static_cast<uint64_t>(value)));
        break;
      }
      case Op::kLoad: {
        Memory& memory = *thread.memory[static_cast<size_t>(in.memory)];
        const int64_t at = locate(memory, in, r);
        checker_.check_read(memory, at, [&] { return index_of(memory, in, r); });
        r[in.dst] = memory.read(at);
        break;
      }
      case Op::kStore: {
        Memory& memory = *thread.memory[static_cast<size_t>(in.memory)];
        const int64_t at = locate(memory, in, r);
        checker_.check_write(memory, at, [&] { return index_of(memory, in, r); });
        memory.write(at, r[in.a]);
        break;
      }
      case Op::kCall: {
        const Scalar result = call(thread, program_.calls[static_cast<size_t>(in.note)]);
        if (!in.dtype.is_void()) r[in.dst] = convert(in.dtype, in.dtype, result);
        break;
      }
      case Op::kJump: next = in.target; break;
      case Op::kJumpIfFalse:
        if (r[in.a].i == 0) next = in.target;
        break;
      case Op::kJumpIfTrue:
        if (r[in.a].i != 0) next = in.target;
        break;
      case Op::kJumpUnlessSame:
        if (r[in.a].i != r[in.b].i) next = in.target;
        break;
      case Op::kLoopBegin: {
        const int64_t min = r[in.a].i;
        const int64_t extent = r[in.b].i;
        if (extent <= 0) {
          next = in.target;
          break;
        }
        int64_t end = 0;
        if (__builtin_add_overflow(min, extent, &end) || !in.dtype.holds(min) || !in.dtype.holds(end - 1)) {
          fail("the loop {} runs from {} for {} iterations, which its type {} does not hold", label(in), min, extent,
               name(in.dtype));
        }
        r[in.dst].i = min;
        r[in.dst + 1].i = end;
        step();
        break;
      }
      case Op::kLoopNext:
        if (++r[in.dst].i < r[in.dst + 1].i) {
          step();
          next = in.target;
        }
        break;
      case Op::kCheckAxis: {
        const int64_t value = r[in.a].i;
        const int64_t begin = r[in.b].i;
        const int64_t extent = r[in.c].i;
        const auto from_begin = static_cast<uint64_t>(value) - static_cast<uint64_t>(begin);
        if (from_begin >= static_cast<uint64_t>(std::max<int64_t>(extent, 0))) {
          const auto end = static_cast<int64_t>(static_cast<uint64_t>(begin) + static_cast<uint64_t>(extent));
          fail("{} is bound to {}{}, outside its domain {}:{}; a predicate must exclude that", label(in), value,
               checker_.who(), begin, end);
        }
        break;
      }
      case Op::kAllocate: allocate(thread, in); break;
      case Op::kParameter: set_parameter(thread, in); break;
      case Op::kLaunch:
        launch(thread, program_.kernels[static_cast<size_t>(in.note)]);
        next = in.target;
        break;
      case Op::kThreadVar: {
        int64_t value = 0;
        if (__builtin_add_overflow(r[in.a].i, r[in.b].i, &value) || !in.dtype.holds(value)) {
          fail("the loop {} reaches {} + {}, which its type {} does not hold", label(in), r[in.a].i, r[in.b].i,
               name(in.dtype));
        }
        r[in.dst].i = value;
        break;
      }
      case Op::kBarrier:
        if (&thread == &host_) break;  // one thread alone
        thread.next = next;
        return Stop::kBarrier;
      case Op::kParallelBegin:
        parallel_first_ = r[in.a].i;
        checker_.begin(Level::kBlocks, true, [this, &in](uint32_t iteration) {
          return fmt::format("iteration {} of the parallel loop {}", parallel_first_ + iteration, label(in));
        });
        break;
      case Op::kParallelNext: checker_.enter(Level::kBlocks, static_cast<uint32_t>(r[in.a].i - r[in.b].i)); break;
      case Op::kParallelEnd: checker_.end(Level::kBlocks); break;
      case Op::kEnd: return Stop::kEnd;
    }
  }
}

std::vector<Memory::Dimension> Executor::dimensions(const Instr& instr, const Scalar* registers) const {
  const BufferNode& buffer = *program_.buffers[static_cast<size_t>(instr.memory)].buffer;
  const int32_t* list = program_.lists.data() + instr.list;
  std::vector<Memory::Dimension> result(buffer.rank());
  int64_t dense = 1;  // stays at the largest value once it is beyond that: then the buffer is too large anyway
  for (size_t d = result.size(); d-- > 0;) {
    const int64_t extent = registers[list[d]].i;
    if (extent < 0)
      fail("the size '{}' of {} is {}, expected at least 0", to_text(buffer.shape[d]), buffer.name, extent);
    const bool given = !buffer.strides.empty();
    const int64_t stride = given ? registers[list[result.size() + d]].i : dense;
    if (stride < 0) {
      fail("the stride '{}' of {} is {}, expected at least 0", to_text(buffer.strides[d]), buffer.name, stride);
    }
    result[d] = {extent, stride};
    if (__builtin_mul_overflow(dense, extent, &dense)) dense = std::numeric_limits<int64_t>::max();
  }
  return result;
}

void Executor::allocate(Thread& thread, const Instr& instr) {
  const auto buffer = static_cast<size_t>(instr.memory);
  const auto& [node, home] = program_.buffers[buffer];
  auto wanted = dimensions(instr, registers(thread));
  if (home == Home::kBlock) {
    auto& memory = block_memory_[buffer];
    if (memory == nullptr) memory = std::make_unique<Memory>();
    if (!in_block_[buffer]) {
      memory->allocate(*node, std::move(wanted), Sharing::kBlock);
      in_block_[buffer] = true;
    } else if (memory->dimensions() != wanted) {
      fail("the shared buffer {} is allocated twice in one block with different sizes; give it one", node->name);
    }
    thread.memory[buffer] = memory.get();
    return;
  }
  const Sharing sharing = home == Home::kThread ? Sharing::kPrivate : Sharing::kAll;
  thread.take(buffer).allocate(*node, std::move(wanted), sharing);
}

Scalar Executor::call(Thread& thread, const ExternUse& use) {
  const Scalar* r = registers(thread);
  std::vector<ExternCall::Argument> arguments;
  for (const CallArgument& argument : use.arguments) {
    switch (argument.kind) {
      case CallArgument::Kind::kScalar:
        arguments.emplace_back(ExternCall::Number{argument.dtype, r[argument.value]});
        break;
      case CallArgument::Kind::kText: arguments.emplace_back(argument.text); break;
      case CallArgument::Kind::kView: {
        const View& view = *argument.view.as<View>();
        std::vector<int64_t> box;
        for (int32_t value : argument.box) box.push_back(r[value].i);
        const auto middle = box.begin() + static_cast<std::ptrdiff_t>(view.box.size());
        arguments.emplace_back(ExternView(view, {box.begin(), middle}, {middle, box.end()},
                                          *thread.memory[static_cast<size_t>(argument.memory)], checker_));
        break;
      }
    }
  }
  ExternCall call(use.name, std::move(arguments));
  (*use.function)(call);
  return call.result();
}

}  // namespace vantage::ir::interpreter
