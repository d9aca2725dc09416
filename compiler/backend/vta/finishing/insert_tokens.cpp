#include "compiler/backend/vta/finishing/insert_tokens.h"

#include <algorithm>
#include <array>

#include "base/error.h"
#include "compiler/backend/vta/element_map.h"

namespace vantage::vta {

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

class TokenInserter {
 public:
  // For the operations of the list, which are appended one after another.
  explicit TokenInserter(const OperationList& list);

  void append(Operation operation);
  // Appends FINISH, waiting for the last instruction of every stage, and hands the operations over.
  std::vector<Operation> finish();

 private:
  static constexpr int kNone = -1;
  // Per stage, the last instruction known to have retired.
  using Clock = std::array<int64_t, isa::kAllStages.size()>;

  // By stage and scratchpad element, the last instructions to read and to write it.
  struct LastUses {
    std::array<ElementMap<int64_t>, isa::kAllStages.size()> read, write;
    LastUses() {
      read.fill(ElementMap<int64_t>(kNone));
      write.fill(ElementMap<int64_t>(kNone));
    }
  };
  struct TensorUse {
    uint64_t begin, end;
    int64_t insn;
    Stage stage;
    bool is_write;
  };

  // The index of the operation, which empty instructions may shift.
  size_t append_after(Operation operation, const Clock& needed);
  void wait_for(size_t waiting, int64_t producer);
  void add_tensor_conflicts(const Access& access, Stage stage, Clock& needed) const;
  void add_conflicts(const Access& first, const std::vector<Interval>& row, Stage stage, Clock& needed) const;
  void record_tensor(const Access& access, Stage stage, int64_t insn);
  LastUses& uses(Access::Space space) { return scratchpads_[static_cast<size_t>(space)]; }
  const LastUses& uses(Access::Space space) const { return scratchpads_[static_cast<size_t>(space)]; }

  std::vector<Operation> operations_;
  std::vector<Clock> clocks_;  // per operation, when it starts
  Clock last_in_stage_;
  std::array<LastUses, 3> scratchpads_;
  std::array<uint64_t, 3> sizes_;  // in elements
  std::vector<std::vector<TensorUse>> tensors_;
  std::vector<bool> is_shared_;  // per tensor: both read and written; no other causes a conflict
};

// Which tensors are both read and written.
std::vector<bool> shared_tensors(const OperationList& list) {
  std::vector<bool> read, written;
  for (const Operation& operation : list.operations) {
    for (const Access& access : operation.accesses) {
      if (access.space != Access::Space::kTensor) continue;
      const size_t count = std::max<size_t>(read.size(), access.tensor + 1);
      read.resize(count);
      written.resize(count);
      (access.is_write ? written : read)[access.tensor] = true;
    }
  }
  for (size_t i = 0; i < read.size(); ++i) read[i] = read[i] && written[i];
  return read;
}

TokenInserter::TokenInserter(const OperationList& list) : is_shared_(shared_tensors(list)) {
  tensors_.resize(is_shared_.size());
  last_in_stage_.fill(kNone);
  const auto size = [&](isa::Memory memory) { return list.config.depth(memory).count(); };
  sizes_ = {size(isa::Memory::kInp), size(isa::Memory::kWgt), size(isa::Memory::kAcc)};
}

void TokenInserter::append(Operation operation) {
  const Stage stage = isa::stage(operation.insn);
  Clock needed;
  needed.fill(kNone);
  for (const Access& access : operation.accesses) {
    if (access.space == Access::Space::kTensor) add_tensor_conflicts(access, stage, needed);
  }
  for_each_row_of(operation.accesses, [&](const Access& first, const std::vector<Interval>& row) {
    add_conflicts(first, row, stage, needed);
  });
  const size_t index = append_after(std::move(operation), needed);
  const auto insn = static_cast<int64_t>(index);
  for (const Access& access : operations_[index].accesses) {
    if (access.space == Access::Space::kTensor) record_tensor(access, stage, insn);
  }
  for_each_row_of(operations_[index].accesses, [&](const Access& first, const std::vector<Interval>& row) {
    LastUses& last = uses(first.space);
    (first.is_write ? last.write : last.read)[at(stage)].assign(row, insn);
  });
}

std::vector<Operation> TokenInserter::finish() {
  append_after({.insn = isa::Finish{}}, last_in_stage_);
  return std::move(operations_);
}

size_t TokenInserter::append_after(Operation operation, const Clock& needed) {
  isa::deps(operation.insn) = {};
  const Stage stage = isa::stage(operation.insn);
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
    direct[at(Stage::kCompute)] = static_cast<int64_t>(append_after({.insn = empty}, through_compute));
    direct[at(other)] = kNone;
  }

  const size_t index = operations_.size();
  Clock clock;
  clock.fill(kNone);
  if (const int64_t previous = last_in_stage_[at(stage)]; previous != kNone) {
    clock = clocks_[static_cast<size_t>(previous)];
    clock[at(stage)] = previous;
  }
  operations_.push_back(std::move(operation));
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
  const Stage producer_stage = isa::stage(operations_[from].insn);
  const bool forward = producer_stage < isa::stage(operations_[waiting].insn);
  isa::Deps& push = isa::deps(operations_[from].insn);
  isa::Deps& pop = isa::deps(operations_[waiting].insn);
  bool& push_bit = forward ? push.push_next : push.push_prev;
  bool& pop_bit = forward ? pop.pop_prev : pop.pop_next;
  VANTAGE_CHECK(!push_bit && !pop_bit);
  push_bit = true;
  pop_bit = true;
  for (Stage stage : isa::kAllStages) raise(clocks_[waiting][at(stage)], clocks_[from][at(stage)]);
  raise(clocks_[waiting][at(producer_stage)], producer);
}

void TokenInserter::add_tensor_conflicts(const Access& access, Stage stage, Clock& needed) const {
  if (!is_shared_[access.tensor]) return;
  for (const TensorUse& use : tensors_[access.tensor]) {
    const bool conflict =
        use.stage != stage && (use.is_write || access.is_write) && use.begin < access.end && access.begin < use.end;
    if (conflict) raise(needed[at(use.stage)], use.insn);
  }
}

void TokenInserter::add_conflicts(const Access& first, const std::vector<Interval>& row, Stage stage,
                                  Clock& needed) const {
  VANTAGE_CHECK(row.back().end <= sizes_[static_cast<size_t>(first.space)]);
  const LastUses& last = uses(first.space);
  for (Stage other : isa::kAllStages) {
    if (other == stage) continue;
    int64_t& clock = needed[at(other)];
    clock = last.write[at(other)].most(row, clock);
    if (first.is_write) clock = last.read[at(other)].most(row, clock);
  }
}

void TokenInserter::record_tensor(const Access& access, Stage stage, int64_t insn) {
  if (!is_shared_[access.tensor]) return;
  auto& list = tensors_[access.tensor];
  // A repeated access replaces the earlier one: the stage is in order, so the later one stands for both.
  for (TensorUse& use : list) {
    if (use.stage == stage && use.is_write == access.is_write && use.begin == access.begin && use.end == access.end) {
      use.insn = insn;
      return;
    }
  }
  list.push_back({access.begin, access.end, insn, stage, access.is_write});
}

}  // namespace

OperationList insert_tokens(OperationList list) {
  TokenInserter tokens(list);
  for (Operation& operation : list.operations) tokens.append(std::move(operation));
  list.operations = tokens.finish();
  return list;
}

}  // namespace vantage::vta
