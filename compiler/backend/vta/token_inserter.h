// Puts the dependence tokens into an instruction stream from what each instruction declares to read and write, so that
// nobody sets them by hand.
//
// Two instructions of different stages that touch the same elements, at least one of them writing, must run in program
// order. For each instruction the inserter knows, through a vector clock, which instructions of the other stages are
// certain to have retired before it starts; where a conflicting one is not among them, it adds one token between the
// two. Every push has one pop and points forward in program order, so no deadlock can arise and no token is left over.
// Load and store stage are no neighbours: a conflict between them goes through an empty instruction of the compute
// stage.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "hw/isa/insn.h"
#include "hw/program/program.h"

namespace vantage::vta {

// What an instruction touches: elements [begin, end) of a scratchpad, or bytes [begin, end) of a tensor in DRAM.
struct Access {
  enum class Space : uint8_t { kInp, kWgt, kAcc, kTensor };
  Space space;
  uint32_t tensor = 0;  // index, for kTensor
  uint64_t begin = 0;
  uint64_t end = 0;
  bool is_write = false;
};

class TokenInserter {
 public:
  explicit TokenInserter(const isa::Config& config);

  // Appends an instruction; its Deps are overwritten. Returns its final index, which empty instructions may shift.
  size_t append(isa::Insn insn, const std::vector<Access>& accesses);

  // Appends FINISH, waiting for the last instruction of every stage, and hands the stream over.
  std::vector<isa::Insn> finish();

 private:
  static constexpr int64_t kNone = -1;
  // Per stage, the last instruction known to have retired.
  using Clock = std::array<int64_t, isa::kAllStages.size()>;

  // The last instruction of each stage to read and to write one scratchpad element.
  struct LastUse {
    Clock read, write;
  };
  struct TensorUse {
    uint64_t begin, end;
    int64_t insn;
    isa::Stage stage;
    bool is_write;
  };

  size_t append_after(isa::Insn insn, const Clock& needed);
  void wait_for(size_t waiting, int64_t producer);
  void add_conflicts(const Access& access, isa::Stage stage, Clock& needed) const;
  void record(const Access& access, isa::Stage stage, int64_t insn);
  std::vector<LastUse>& uses(Access::Space space) { return scratchpads_[static_cast<size_t>(space)]; }
  const std::vector<LastUse>& uses(Access::Space space) const { return scratchpads_[static_cast<size_t>(space)]; }

  std::vector<isa::Insn> insns_;
  std::vector<Clock> clocks_;  // per instruction, when it starts
  Clock last_in_stage_;
  std::array<std::vector<LastUse>, 3> scratchpads_;
  std::vector<std::vector<TensorUse>> tensors_;
};

}  // namespace vantage::vta
