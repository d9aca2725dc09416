#include "hw/memory/axi_memory.h"

#include <algorithm>

#include "base/error.h"

namespace vantage {

namespace {

// A well-mixed number of its arguments (the finalizer of splitmix64), so that a burst's jitter depends on nothing else.
uint64_t mix(uint64_t value) {
  value += 0x9e3779b97f4a7c15;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
  value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
  return value ^ (value >> 31);
}

}  // namespace

AxiMemory::AxiMemory(const MemoryTiming& timing, Bytes beat) : timing_(timing), beat_(beat) {
  // A beat takes so many cycles by so many, and no less than one
  const uint64_t cycles = beat.count() * timing.rate.cycles;
  const uint64_t by = timing.rate.bytes == 0 ? cycles : timing.rate.bytes;
  step_ = std::max<uint64_t>(1, cycles / by);
  read_pauses_ = write_pauses_ = {cycles < by ? 0 : cycles % by, by};
  reset();
}

void AxiMemory::reset() {
  reads_.assign(timing_.max_reads, Cycle());
  writing_.clear();
  read_pauses_.left = write_pauses_.left = 0;
  responses_.assign(timing_.max_writes, Cycle());
  read_count_ = write_count_ = response_count_ = 0;
  next_read_beat_ = next_beat_ = last_response_ = last_address_ = Cycle();
  read_slot_ = 0;
  banks_.assign(timing_.banks ? timing_.banks->banks : 0, Bank{});
  refreshes_ = 0;
}

uint64_t AxiMemory::jitter(uint64_t channel, uint64_t burst) const {
  return mix(mix(timing_.jitter_seed ^ channel) + burst) % (timing_.max_jitter.count() + 1);
}

uint64_t AxiMemory::access(Cycle now, uint64_t address) {
  const BankTiming& t = *timing_.banks;
  if (t.refresh_interval.count() != 0 && now.number() / t.refresh_interval.count() > refreshes_) {
    refreshes_ = now.number() / t.refresh_interval.count();
    const Cycle until(refreshes_ * t.refresh_interval.count() + t.refresh.count());
    for (Bank& bank : banks_) bank = {false, 0, std::max(bank.ready, until)};
  }
  const uint64_t row_of_all = address / t.row_size.count();
  Bank& bank = banks_[row_of_all % t.banks];
  const uint64_t row = row_of_all / t.banks;
  const Cycle start = std::max(now, bank.ready);
  Cycle opened = start;
  if (bank.open && bank.row != row) opened += t.precharge.count();
  if (!bank.open || bank.row != row) opened += t.activate.count();
  bank = {true, row, opened};
  return opened + t.column.count() - now;
}

isa::Cycle AxiMemory::write_ready_from(Cycle now) const {
  if (timing_.max_writes == 0 || write_count_ < timing_.max_writes) return now;
  const uint64_t before = write_count_ - timing_.max_writes;  // the burst that must have its response
  return before < response_count_ ? std::max(now, responses_[before % timing_.max_writes] + 1) : isa::kNever;
}

uint64_t AxiMemory::write(Cycle now, uint64_t address, unsigned beats) {
  goes_on(now);
  writing_.push_back({extra_latency(now, address, 1, write_count_++), write_pauses_.behind(beats)});
  return writing_.back().pause;
}

isa::Cycle AxiMemory::write_beat(Cycle now, bool last) {
  next_beat_ = now + step_;
  if (!last) return isa::kNever;
  VANTAGE_CHECK(!writing_.empty());
  const uint64_t latency = timing_.write_latency.count() + writing_.front().delay;
  next_beat_ += writing_.front().pause;
  writing_.pop_front();
  last_response_ = std::max(now + std::max<uint64_t>(1, latency), last_response_ + 1);
  if (timing_.max_writes != 0) responses_[response_count_ % timing_.max_writes] = last_response_;
  ++response_count_;
  return last_response_;
}

}  // namespace vantage
