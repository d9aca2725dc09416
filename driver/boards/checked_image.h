// A program in a board's memory, with all that is to be known before it runs: that it touches this memory only, ends,
// and does nothing that docs/isa.md refuses.
//
// A core may check nothing, and what it fetches decides what it writes. So nothing of that may change while it runs: a
// program that stores over its own instructions, or over or around micro-ops that it loads, is refused.
//
// Thread safety: none.
#pragma once

#include <functional>
#include <span>
#include <stop_token>
#include <vector>

#include "base/units.h"
#include "driver/device/loaded_program.h"
#include "hw/isa/codec.h"
#include "hw/isa/config.h"
#include "hw/isa/counters.h"
#include "hw/isa/legality.h"

namespace vantage::boards {

class CheckedImage {
 public:
  // Memory from `begin` to `end`, which outlives the image.
  struct BoardMemory {
    Bytes begin, end;
    std::function<void(Bytes address, std::span<std::byte> bytes)> read;
  };

  // Throws Error that names the instruction, and Stopped (base/stop.h) when told to stop, as do the checks below. The
  // configuration must outlive this.
  CheckedImage(const isa::Config& config, BoardMemory memory, const driver::ProgramImage& image,
               const std::stop_token& stop);

  // Throws Error when it is illegal with the micro-ops that memory holds now, whatever is in the scratchpad.
  void require_possible(const std::stop_token& stop);

  // Throws Error unless it is legal with the micro-ops that memory holds now, and with these in the scratchpad before
  // it runs. To be called before each run; cheap when neither has changed.
  void require_legal(std::span<const isa::MicroOp> scratchpad, const std::stop_token& stop);

  // What is in the scratchpad after a run. REQUIRES: require_legal() was called before it.
  void load_micro_ops(std::vector<isa::MicroOp>& scratchpad) const;

  const std::vector<isa::Insn>& insns() const { return insns_; }  // up to FINISH
  std::span<const std::byte> bytes() const { return bytes_; }     // of all of the image
  uint64_t steps() const { return steps_; }
  // From the first byte that it stores to one past the last; both 0: none.
  isa::ByteRange stored() const { return stored_; }
  const isa::Counters& counters() const { return counters_; }  // of a run that ends well

 private:
  // Micro-ops in memory that some instruction loads.
  struct MicroOps {
    isa::ByteRange place;
    std::vector<std::byte> bytes;  // as they were when they were looked at last
  };

  void decode(const driver::ProgramImage& image, const std::stop_token& stop);
  void find_micro_ops();
  void require_own_memory() const;
  void require_constant(const driver::ProgramImage& image, const std::stop_token& stop);
  void read_micro_ops();
  isa::MicroOp micro_op(Bytes address) const;
  // What the verifier says of it; empty: nothing.
  std::string refusal(std::span<const isa::MicroOp> scratchpad, const std::stop_token& stop) const;

  const isa::Config& config_;
  const isa::Codec codec_;
  const BoardMemory memory_;
  std::vector<std::byte> bytes_;
  std::vector<isa::Insn> insns_;
  uint64_t steps_ = 0;
  isa::Counters counters_;
  isa::ByteRange stored_;
  std::vector<MicroOps> micro_ops_;  // by address, apart from each other

  bool was_legal_ = false;
  bool needs_scratchpad_ = true;                // whether it relies on what was in the scratchpad before
  std::vector<isa::MicroOp> legal_scratchpad_;  // what that was when it was legal
};

}  // namespace vantage::boards
