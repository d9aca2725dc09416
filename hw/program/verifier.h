// Finds everything that docs/isa.md refuses before anything runs: illegal fields and indices, ranges outside memory
// or outside a tensor, a missing FINISH, deadlock. Leftover tokens and unreachable instructions are warnings.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "hw/isa/codec.h"
#include "hw/isa/config.h"
#include "hw/isa/register_map.h"
#include "hw/program/program.h"

namespace vantage {

struct Diagnostic {
  enum class Severity { kWarning, kError };
  Severity severity;
  std::optional<size_t> insn;  // none for the program as a whole
  std::string text;            // "instruction 4: gemm uop=0:1 ...: its destination index reaches 2050, ..."
};

bool has_errors(std::span<const Diagnostic> diagnostics);
// One line each: "error: ..." or "warning: ...".
std::string to_text(std::span<const Diagnostic> diagnostics);

struct VerifyOptions {
  // Bytes of DRAM from address 0.
  Bytes dram_size = isa::kAddressSpace;
  // The micro-op scratchpad's contents before the run; zeros when empty, as on a device just opened.
  std::vector<isa::MicroOp> initial_uops;
  // Stop after so many errors, and drop warnings past as many; one mistake of a generator tends to repeat.
  size_t max_diagnostics = 20;
  // Verifying throws Stopped (base/stop.h) once it is told to.
  std::stop_token stop = {};
};

// Reads the micro-op stored at an element index of DRAM before the run, or nothing where what lies there is not known;
// called with indices inside memory only.
using ReadMicroOp = std::function<std::optional<isa::MicroOp>(uint64_t element)>;

// Instructions with absolute addresses, as they lie in memory. Micro-ops that `read` does not know, or that a STORE of
// the same program may write, cannot be known before it runs: an instruction that uses them is an error if it would be
// illegal whatever they are, and otherwise gets a warning, and the machine checks it. Tokens are looked at only in
// programs that are legal but for them. Takes time in proportion to the instructions, and to the micro-ops that they
// load.
std::vector<Diagnostic> verify(std::span<const isa::Insn> insns, const isa::Config& config, const ReadMicroOp& read,
                               const VerifyOptions& options);

// The same from encoded words; bits that are no instruction are errors too.
std::vector<Diagnostic> verify(std::span<const isa::Words> words, const isa::Config& config, const ReadMicroOp& read,
                               const VerifyOptions& options);

// A relocatable program: also checks that every relocated transfer stays inside its tensor. Micro-ops loaded without a
// relocation to the program's own are not known.
std::vector<Diagnostic> verify(const Program& program, const VerifyOptions& options);

}  // namespace vantage
