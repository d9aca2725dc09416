#include "sim/profile/scratchpad_uses.h"

#include <algorithm>

namespace vantage::sim {

using isa::Memory;
using isa::MicroOp;

namespace {

// ACC, ACC8 and OUT are one scratchpad.
Memory scratchpad_of(Memory memory) {
  return memory == Memory::kAcc8 || memory == Memory::kOut ? Memory::kAcc : memory;
}

// From the lowest to the highest index that a nest reaches by one field of its micro-ops.
ScratchpadUse reach(uint32_t index, Memory memory, bool writes, std::span<const MicroOp> uops, uint32_t MicroOp::*field,
                    const isa::Loop& loop, uint32_t factor_out, uint32_t factor_in) {
  uint32_t low = UINT32_MAX, high = 0;
  for (const MicroOp& uop : uops) {
    low = std::min(low, uop.*field);
    high = std::max(high, uop.*field);
  }
  high += (loop.iter_out - 1) * factor_out + (loop.iter_in - 1) * factor_in;
  return {index, memory, low, high - low + 1, writes};
}

struct Entry {
  bool filled = false;
  uint64_t since = 0, read = 0;  // the fill's first cycle; the last cycle of its last reader, 0: none yet
};

// Entries that are no longer wanted, as changes of a count. Neighbours were mostly filled and read together.
class Closed {
 public:
  // They are filled anew from cycle `limit` on, when a reader may still be at work on others.
  Closed(Changes& changes, uint64_t limit) : changes_(changes), limit_(limit) {}
  ~Closed() { flush(); }

  void add(const Entry& entry) {
    if (!entry.filled || entry.read == 0) return;
    if (count_ != 0 && (entry.since != like_.since || entry.read != like_.read)) flush();
    like_ = entry;
    ++count_;
  }

 private:
  void flush() {
    if (count_ == 0) return;
    const uint64_t end = std::min(like_.read + 1, limit_);
    if (end > like_.since) {
      changes_[like_.since] += count_;
      changes_[end] -= count_;
    }
    count_ = 0;
  }

  Changes& changes_;
  uint64_t limit_;
  Entry like_;
  int64_t count_ = 0;
};

}  // namespace

void append_uses(std::vector<ScratchpadUse>& uses, uint32_t index, const isa::Insn& insn,
                 std::span<const MicroOp> uops) {
  if (const isa::Transfer* t = isa::transfer(insn)) {
    const bool writes = isa::stage(insn) != isa::Stage::kStore;
    const uint64_t count = writes ? t->padded_row() * t->padded_rows() : uint64_t{t->x_size} * t->y_size;
    if (count == 0) return;
    uses.push_back({index, scratchpad_of(t->memory), t->sram_base, static_cast<uint32_t>(count), writes});
    return;
  }
  if (isa::steps(insn) == 0) return;
  const auto nest = [&](const isa::Loop& loop) {
    uses.push_back({index, Memory::kUop, loop.uop_bgn, loop.uop_end - loop.uop_bgn, false});
    return uops.subspan(loop.uop_bgn, loop.uop_end - loop.uop_bgn);
  };
  if (const auto* gemm = std::get_if<isa::Gemm>(&insn)) {
    const isa::Loop& l = gemm->loop;
    const auto ops = nest(l);
    if (!gemm->reset) {
      uses.push_back(reach(index, Memory::kInp, false, ops, &MicroOp::src, l, l.src_factor_out, l.src_factor_in));
      uses.push_back(
          reach(index, Memory::kWgt, false, ops, &MicroOp::wgt, l, gemm->wgt_factor_out, gemm->wgt_factor_in));
      uses.push_back(reach(index, Memory::kAcc, false, ops, &MicroOp::dst, l, l.dst_factor_out, l.dst_factor_in));
    }
    uses.push_back(reach(index, Memory::kAcc, true, ops, &MicroOp::dst, l, l.dst_factor_out, l.dst_factor_in));
  } else if (const auto* alu = std::get_if<isa::Alu>(&insn)) {
    const isa::Loop& l = alu->loop;
    const auto ops = nest(l);
    if (!alu->use_imm) {
      uses.push_back(reach(index, Memory::kAcc, false, ops, &MicroOp::src, l, l.src_factor_out, l.src_factor_in));
    }
    uses.push_back(reach(index, Memory::kAcc, false, ops, &MicroOp::dst, l, l.dst_factor_out, l.dst_factor_in));
    uses.push_back(reach(index, Memory::kAcc, true, ops, &MicroOp::dst, l, l.dst_factor_out, l.dst_factor_in));
  }
}

std::map<Memory, Changes> occupied_entries(const RecordedRun& run) {
  std::vector<std::pair<uint64_t, uint64_t>> worked(run.insns.size());
  for (const RetireRecord& record : run.result.retired) {  // what no engine works on fills entries with zeros
    worked[record.insn] = {record.start.count(), record.end.count()};
  }
  for (const EngineWork& work : run.work) worked[work.insn] = {work.first.count(), work.last.count()};
  std::map<Memory, Changes> all;
  std::map<Memory, std::vector<Entry>> scratchpads;
  for (const ScratchpadUse& use : run.uses) {
    std::vector<Entry>& entries = scratchpads[use.memory];
    Changes& changes = all[use.memory];
    if (entries.size() < size_t{use.first} + use.count) entries.resize(size_t{use.first} + use.count);
    const auto [first, last] = worked[use.insn];
    Closed closed(changes, first);
    for (uint32_t e = use.first; e < use.first + use.count; ++e) {
      Entry& entry = entries[e];
      if (use.writes) {
        closed.add(entry);
        entry = {true, std::max(first, entry.since), 0};  // zeros may be filled in ahead of their turn
      } else {
        entry.read = std::max(entry.read, last);
      }
    }
  }
  for (auto& [memory, entries] : scratchpads) {
    Closed closed(all[memory], UINT64_MAX);
    for (const Entry& entry : entries) closed.add(entry);
  }
  return all;
}

}  // namespace vantage::sim
