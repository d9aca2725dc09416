// The core's timing, as docs/hardware.md states it: latencies, depths, and the rules that are sums of some. How the
// stages follow them lies in the modules, with no number but this: what happens in a cycle is seen in the next.
#pragma once

#include "sim/systemc/clock.h"

namespace vantage::systemc::rules {

// Bursts: cut where addresses pass a multiple of so many beats.
inline constexpr unsigned kBurstBeats = 16;

// Under way at once
inline constexpr unsigned kReads = 16;            // read bursts, of all requesters
inline constexpr unsigned kWrites = 16;           // write bursts
inline constexpr unsigned kFetchBeats = 64;       // asked for by fetch and not taken out of its buffer
inline constexpr unsigned kDmaBeats = 128;        // asked for by a read DMA and not written
inline constexpr unsigned kStoreBeats = 8;        // read from the scratchpad and not sent
inline constexpr unsigned kWaitingTransfers = 4;  // issued loads behind the one whose turn it is
inline constexpr unsigned kStores = 4;            // issued stores
inline constexpr unsigned kComputeInsns = 16;     // instructions of the compute stage, issued and not retired

// A beat that memory gives in cycle t lies in its buffer in t + 1.
constexpr Cycle in_buffer(Cycle given) {
  return given + 1;
}

// An instruction dispatched in cycle t leaves its queue no sooner than this.
constexpr Cycle leaves_queue(Cycle dispatched) {
  return dispatched + 1;
}

// A token pushed in cycle t can be popped from then on.
constexpr Cycle token_available(Cycle pushed) {
  return pushed + 1;
}

// Load and store stage: a transfer that leaves the queue in cycle t can be issued from then on.
constexpr Cycle transfer_ready(Cycle taken) {
  return taken + 3;
}

// Compute stage: an instruction that is checked from cycle t on leaves the check from then on, and can be issued a
// cycle later. Its check begins a cycle after it has left the queue.
constexpr Cycle check_begins(Cycle taken) {
  return taken + 1;
}
constexpr Cycle finish_checked(Cycle begun) {
  return begun + 1;
}
constexpr Cycle transfer_checked(Cycle begun) {
  return begun + 2;
}
// `uops`: micro-ops that the check reads; none for a loop without a step.
constexpr Cycle loop_checked(Cycle begun, uint64_t uops) {
  return begun + 1 + (uops == 0 ? 1 : uops);
}
constexpr Cycle issued_after_check(Cycle left) {
  return left + 1;
}

// A nest issued in cycle t has its first step in t + 1. A step takes a cycle, and one more when it reads its source:
// the accumulators have one read port. The last step ends in:
constexpr Cycle last_step(Cycle issued, uint64_t steps, uint64_t source_reads) {
  return issued + steps + source_reads;
}

// The pipelines behind the steps.
struct Pipeline {
  unsigned halves_free;  // cycles from the last step until other engines may touch its accumulator halves
  unsigned ends;         // ... to its last write
};
inline constexpr Pipeline kGemm = {4, 5};
inline constexpr Pipeline kVector = {2, 3};

// What has neither steps nor bytes ends the cycle after its issue.
constexpr Cycle nothing_ends(Cycle issued) {
  return issued + 1;
}

// A load that ends in cycle t frees its halves, and micro-ops for the check, then.
constexpr Cycle after_load(Cycle ended) {
  return ended + 1;
}

// A DMA transfer issued in cycle t asks for its first burst then, and takes its turn no sooner; its first write comes a
// cycle after its turn. One that moves nothing ends in that cycle.
constexpr Cycle first_burst(Cycle issued) {
  return issued + 1;
}
constexpr Cycle turn(Cycle issued) {
  return issued + 1;
}
constexpr Cycle first_write(Cycle turn) {
  return turn + 1;
}

// Stores: the first beat is read a cycle after the issue; a beat read in cycle t can be sent in t + 2; no sooner than a
// cycle after its burst's address.
constexpr Cycle first_read(Cycle issued) {
  return issued + 1;
}
constexpr Cycle packed(Cycle read) {
  return read + 2;
}
constexpr Cycle after_address(Cycle taken) {
  return taken + 1;
}

// A run that fails in cycle t issues nothing from the next one on; fetch stops as it does after a FINISH in that cycle.
// The core is idle when nothing is under way, two cycles after the failure at the earliest.
constexpr Cycle stops_after(Cycle failed) {
  return failed + 1;
}

}  // namespace vantage::systemc::rules
