#include "sim/outcome/fault.h"

#include <fmt/format.h>

#include <variant>

#include "base/error.h"
#include "hw/isa/disassemble.h"
#include "hw/isa/legality.h"
#include "hw/isa/tokens.h"

namespace vantage::sim {

using namespace isa;
using isa::ErrorCause;

namespace {

// Why docs/isa.md refuses an instruction, if it does.
struct Refusal {
  const FaultContext& context;
  Illegal operator()(const Load& i) const { return check(i, context.config, context.memory_size); }
  Illegal operator()(const Store& i) const { return check(i, context.config, context.memory_size); }
  Illegal operator()(const Gemm& i) const { return check(i, context.config, context.uops); }
  Illegal operator()(const Alu& i) const { return check(i, context.config, context.uops); }
  Illegal operator()(const Finish&) const { return std::nullopt; }
};

// Nothing that a core says of a program may end the process: on a board it may say anything.
[[noreturn]] void disagree(const std::string& what) {
  fail("the core reports {}; it does not work as docs/isa.md says, and its results are not to be trusted", what);
}

std::string refused_instruction(const FaultContext& context, uint32_t index) {
  if (index >= context.program.size() / kInsnBytes) {
    disagree(
        fmt::format("an error at instruction {} of a program that has {}", index, context.program.size() / kInsnBytes));
  }
  const Words bits = words_of(context.program, index);
  const Decoded decoded = context.codec.decode(bits);
  if (!decoded.insn) {
    return fmt::format("instruction {}: 0x{:016x} 0x{:016x}: {}", index, bits[0], bits[1], decoded.error);
  }
  const Illegal illegal = std::visit(Refusal{context}, *decoded.insn);
  if (!illegal) disagree(fmt::format("that instruction {}, {}, is illegal", index, disassemble(*decoded.insn)));
  return fmt::format("instruction {}: {}: {}", index, disassemble(*decoded.insn), *illegal);
}

}  // namespace

Words words_of(std::span<const std::byte> program, uint32_t index) {
  VANTAGE_CHECK(index < program.size() / kInsnBytes);
  return load_words(program.subspan(size_t{index} * kInsnBytes).first<kInsnBytes>());
}

std::vector<Insn> instructions(const FaultContext& context) {
  std::vector<Insn> insns;
  for (uint32_t i = 0; i < context.program.size() / kInsnBytes; ++i) {
    const Decoded decoded = context.codec.decode(words_of(context.program, i));
    if (!decoded.insn) break;
    insns.push_back(*decoded.insn);
    if (std::holds_alternative<Finish>(insns.back())) break;
  }
  return insns;
}

Fault explain_fault(const FaultContext& context, ErrorCause cause, uint32_t index) {
  switch (cause) {
    case ErrorCause::kDecode:
    case ErrorCause::kIllegal: return {RunStatus::kRefused, refused_instruction(context, index)};
    case ErrorCause::kNoFinish:
      if (const auto insns = instructions(context); !insns.empty() && std::holds_alternative<Finish>(insns.back())) {
        disagree(fmt::format("no FINISH, but instruction {} is one", insns.size() - 1));
      }
      return {RunStatus::kRefused,
              fmt::format("the program has no FINISH among its first {} instructions: it would never be done",
                          context.program.size() / kInsnBytes)};
    case ErrorCause::kDeadlock: {
      const std::vector<Insn> insns = instructions(context);
      const TokenReport tokens = run_tokens(insns);
      if (!tokens.deadlock) disagree("a deadlock of a program that has none");
      return {RunStatus::kDeadlock, deadlock_message(tokens.deadlock, insns)};
    }
    case ErrorCause::kTimedOut: return {RunStatus::kTimedOut, "the run took more cycles than WATCHDOG allowed"};
    case ErrorCause::kAborted: disagree("that a run was aborted, which nobody did");
    case ErrorCause::kReadError:
    case ErrorCause::kWriteError:
    case ErrorCause::kNone: break;
  }
  disagree(fmt::format("error cause {}, which no program has", static_cast<int>(cause)));
}

}  // namespace vantage::sim
