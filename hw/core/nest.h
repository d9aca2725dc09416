// What the micro-ops of a GEMM or ALU instruction make an engine do: which steps read their source, and which halves of
// the accumulators they touch. The compute stage issues by it (docs/hardware.md).
//
// Thread safety: functions without state. REQUIRES of all of a nest: it has a step, and `uops` are its own.
#pragma once

#include <cstdint>
#include <span>

#include "hw/isa/insn.h"

namespace vantage::core {

// Least and largest index.
struct IndexRange {
  uint64_t least, largest;
  bool overlaps(const IndexRange& other) const { return least <= other.largest && other.least <= largest; }
};

// Micro-ops of the scratchpad, both included.
struct UopRange {
  uint32_t first = 0, last = 0;
  uint32_t count() const { return last - first + 1; }
  bool overlaps(const UopRange& other) const { return first <= other.last && other.first <= last; }
};

// A bit for each half of the accumulators; `upper_half`: where the second one begins (hw/isa/scratchpad_ports.h).
inline constexpr unsigned kLowHalf = 1, kHighHalf = 2;
unsigned halves_of(const IndexRange& indices, uint64_t upper_half);
// Those of a nest's destinations and, where it reads accumulators, of its sources.
unsigned halves_of_nest(const isa::Loop& loop, std::span<const isa::MicroOp> uops, bool reads_accumulators,
                        uint64_t upper_half);

// How many of an ALU nest's steps read their source: those whose source index is not that of the step before, or all,
// if the ranges of destinations and sources overlap. Takes time in the number of micro-ops, not of steps.
uint64_t source_reads(const isa::Loop& loop, std::span<const isa::MicroOp> uops);

}  // namespace vantage::core
