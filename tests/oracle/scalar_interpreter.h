// The test oracle: a straightforward interpreter of VTA programs, written from docs/isa.md alone. It shares no code
// with the simulators, only the configuration's numbers: it decodes bits its own way, keeps every lane as one integer
// and loops over them one by one. Slow, and meant to be read. It also is the baseline of the benchmarks.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "hw/core/activity.h"
#include "hw/isa/config.h"
#include "hw/isa/counters.h"

namespace vantage::oracle {

class ScalarInterpreter {
 public:
  explicit ScalarInterpreter(const isa::Config& config);

  // Runs `count` instructions at byte `address` of `dram` up to the first FINISH. False when the program cannot be
  // finished: no FINISH, or a deadlock. REQUIRES: docs/isa.md refuses none of its instructions.
  bool run(std::span<std::byte> dram, uint64_t address, uint64_t count);

  const isa::Counters& counters() const { return counters_; }
  // Counted step by step, by docs/hardware.md.
  const core::Activity& activity() const { return activity_; }

 private:
  struct Insn;
  Insn decode(const std::byte* bytes) const;
  bool ready(const Insn& insn, int stage) const;
  void execute(const Insn& insn, int stage);
  void load(const Insn& insn);
  void store(const Insn& insn);
  void gemm(const Insn& insn);
  void alu(const Insn& insn);
  bool may_hold_source(const Insn& insn) const;
  int64_t wrapped(int64_t value) const;

  isa::Config config_;
  int batch_, block_in_, block_out_;
  std::span<std::byte> dram_;
  std::vector<uint32_t> uop_;
  std::vector<int32_t> inp_, wgt_;
  std::vector<int64_t> acc_;
  std::array<uint64_t, 4> tokens_{};  // load->compute, compute->load, compute->store, store->compute
  isa::Counters counters_;
  core::Activity activity_;
};

}  // namespace vantage::oracle
