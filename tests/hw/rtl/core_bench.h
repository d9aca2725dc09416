// The bench of the whole core (benches/vta_bench.sv) under Icarus, around its RTL or a netlist of it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "hw/isa/config.h"
#include "hw/program/bundle.h"
#include "tests/support/random_program.h"
#include "tests/support/temporary.h"

namespace vantage::test {

class CoreBench {
 public:
  static constexpr uint64_t kDramBytes = 1 << 18;

  // The RTL. With `unknown`, block RAM has no initial contents, and an assertion whose condition is unknown fails.
  CoreBench(const isa::Config& config, bool unknown);
  // A netlist of it: Verilog, with all that its cells are.
  CoreBench(const isa::Config& config, const std::string& netlist);

  struct Program {
    std::string memory;  // kDramBytes of them
    uint64_t address = 0, insns = 0;
  };
  struct Outcome {
    std::vector<std::string> memory;         // bytes in hexadecimal, x or X where bits are unknown
    std::map<uint32_t, uint64_t> registers;  // 32 bits each, by offset
  };
  // Nothing when what others act on was unknown, or the run did not end: then `said` is why. The seed is that of the
  // moments at which memory answers: runs with the same take the same cycles.
  std::optional<Outcome> run(const Program& program, uint64_t seed, std::string& said);

 private:
  void compile(const std::vector<std::string>& options, const std::vector<std::string>& files);
  TemporaryFolder folder_;
};

CoreBench::Program bench_program(const Bundle& bundle);

// Random programs may use micro-ops that they never loaded, which are zeros on an FPGA, while here the scratchpad may
// hold anything: all of it is first loaded with zeros. Runs the program on the oracle as well: `expected` is memory
// after it, `counters` what it counts. REQUIRES: the oracle finds no deadlock.
struct BenchProgram {
  CoreBench::Program program;
  std::string expected;
  std::map<std::string, uint64_t> counters;
};
BenchProgram bench_program(const RandomProgram& random);

// What of the outcome differs from a run that ended well with these bytes in memory and these counters, or nothing.
// Bytes of which a bit is unknown equal all others where `unknown` allows them.
std::optional<std::string> difference(const CoreBench::Outcome& outcome, const std::vector<MemorySegment>& expected,
                                      const std::map<std::string, uint64_t>& counters, bool unknown);

}  // namespace vantage::test
