#include "compiler/backend/vta/token_inserter.h"

#include <algorithm>

#include "base/error.h"

namespace vantage::vta {

using isa::Insn;
using isa::Stage;

namespace {

size_t at(Stage stage) {
  return static_cast<size_t>(stage);
}

bool neighbours(Stage a, Stage b) {
  return a == Stage::kCompute || b == Stage::kCompute;
}

void raise(int64_t& clock, int64_t insn) {
  clock = std::max(clock, insn);
}

}  // namespace

TokenInserter::TokenInserter(const isa::Config& config) {
  last_in_stage_.fill(kNone);
  Clock never;
  never.fill(kNone);
  const auto size = [&](isa::Memory memory) { return config.depth(memory).count(); };
  uses(Access::Space::kInp).assign(size(isa::Memory::kInp), {never, never});
  uses(Access::Space::kWgt).assign(size(isa::Memory::kWgt), {never, never});
  uses(Access::Space::kAcc).assign(size(isa::Memory::kAcc), {never, never});
}

size_t TokenInserter::append(Insn insn, const std::vector<Access>& accesses) {
  const Stage stage = isa::stage(insn);
  Clock needed;
  needed.fill(kNone);
  for (const Access& access : accesses) add_conflicts(access, stage, needed);
  const size_t index = append_after(std::move(insn), needed);
  for (const Access& access : accesses) record(access, stage, static_cast<int64_t>(index));
  return index;
}

std::vector<Insn> TokenInserter::finish() {
  append_after(isa::Finish{}, last_in_stage_);
  return std::move(insns_);
}

size_t TokenInserter::append_after(Insn insn, const Clock& needed) {
  isa::deps(insn) = {};
  const Stage stage = isa::stage(insn);
  // A conflict with a stage that is no neighbour goes through an empty instruction of the stage between them.
  Clock direct = needed;
  for (Stage other : isa::kAllStages) {
    if (other == stage || neighbours(stage, other) || needed[at(other)] == kNone) continue;
    const int64_t previous = last_in_stage_[at(stage)];
    const bool known = previous != kNone && clocks_[static_cast<size_t>(previous)][at(other)] >= needed[at(other)];
    if (known) continue;
    Clock through_compute;
    through_compute.fill(kNone);
    through_compute[at(other)] = needed[at(other)];
    isa::Load empty;
    empty.transfer.memory = isa::Memory::kUop;
    direct[at(Stage::kCompute)] = static_cast<int64_t>(append_after(empty, through_compute));
    direct[at(other)] = kNone;
  }

  const size_t index = insns_.size();
  Clock clock;
  clock.fill(kNone);
  if (const int64_t previous = last_in_stage_[at(stage)]; previous != kNone) {
    clock = clocks_[static_cast<size_t>(previous)];
    clock[at(stage)] = previous;
  }
  insns_.push_back(std::move(insn));
  clocks_.push_back(clock);
  for (Stage other : isa::kAllStages) {
    if (other == stage || clocks_[index][at(other)] >= direct[at(other)]) continue;
    wait_for(index, direct[at(other)]);
  }
  last_in_stage_[at(stage)] = static_cast<int64_t>(index);
  return index;
}

// One token from `producer`, an instruction of a neighbouring stage, to `waiting`. The queue is first in, first out;
// pairs are made in ascending order on both sides because `producer` is later than any that `waiting` knows of.
void TokenInserter::wait_for(size_t waiting, int64_t producer) {
  const auto from = static_cast<size_t>(producer);
  const Stage producer_stage = isa::stage(insns_[from]);
  const bool forward = producer_stage < isa::stage(insns_[waiting]);
  isa::Deps& push = isa::deps(insns_[from]);
  isa::Deps& pop = isa::deps(insns_[waiting]);
  bool& push_bit = forward ? push.push_next : push.push_prev;
  bool& pop_bit = forward ? pop.pop_prev : pop.pop_next;
  VANTAGE_CHECK(!push_bit && !pop_bit);
  push_bit = true;
  pop_bit = true;
  for (Stage stage : isa::kAllStages) raise(clocks_[waiting][at(stage)], clocks_[from][at(stage)]);
  raise(clocks_[waiting][at(producer_stage)], producer);
}

void TokenInserter::add_conflicts(const Access& access, Stage stage, Clock& needed) const {
  if (access.space == Access::Space::kTensor) {
    if (access.tensor >= tensors_.size()) return;
    for (const TensorUse& use : tensors_[access.tensor]) {
      const bool conflict =
          use.stage != stage && (use.is_write || access.is_write) && use.begin < access.end && access.begin < use.end;
      if (conflict) raise(needed[at(use.stage)], use.insn);
    }
    return;
  }
  const auto& elements = uses(access.space);
  VANTAGE_CHECK(access.end <= elements.size());
  for (uint64_t i = access.begin; i < access.end; ++i) {
    for (Stage other : isa::kAllStages) {
      if (other == stage) continue;
      raise(needed[at(other)], elements[i].write[at(other)]);
      if (access.is_write) raise(needed[at(other)], elements[i].read[at(other)]);
    }
  }
}

void TokenInserter::record(const Access& access, Stage stage, int64_t insn) {
  if (access.space == Access::Space::kTensor) {
    if (access.tensor >= tensors_.size()) tensors_.resize(access.tensor + 1);
    auto& list = tensors_[access.tensor];
    // A repeated access replaces the earlier one: the stage is in order, so the later one stands for both.
    for (TensorUse& use : list) {
      if (use.stage == stage && use.is_write == access.is_write && use.begin == access.begin && use.end == access.end) {
        use.insn = insn;
        return;
      }
    }
    list.push_back({access.begin, access.end, insn, stage, access.is_write});
    return;
  }
  auto& elements = uses(access.space);
  for (uint64_t i = access.begin; i < access.end; ++i) {
    (access.is_write ? elements[i].write : elements[i].read)[at(stage)] = insn;
  }
}

}  // namespace vantage::vta
