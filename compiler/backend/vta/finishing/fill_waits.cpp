#include "compiler/backend/vta/finishing/fill_waits.h"

#include <algorithm>
#include <array>

#include "hw/core/nest.h"
#include "hw/isa/codec.h"
#include "hw/isa/scratchpad_ports.h"
#include "hw/isa/timing.h"

namespace vantage::vta {

namespace {

constexpr size_t kMostWaits = 256;    // GEMMs that are looked at
constexpr size_t kWindow = 48;        // operations behind a GEMM among which some are looked for
constexpr uint64_t kFirstBeat = 128;  // about when a program's first load brings its first beat

// When operations of a program's beginning are issued and end, roughly.
class Clock {
 public:
  explicit Clock(const OperationList& list) : list_(list) {
    fetch_ = list.operations.size() * isa::kInsnBytes / list.config.bus_width().count();
  }

  void load(const Operation& operation) {
    beats_ += beats_of(*load_of(operation), list_.config);
    // Fetch takes every other beat for as long as there are instructions to be fetched.
    const uint64_t comes = kFirstBeat + beats_ + std::min(beats_, fetch_);
    for (const Access& a : operation.accesses) {
      if (a.is_write) loaded_.push_back({a, comes});
    }
  }

  // When it can be issued.
  uint64_t issue(const Operation& operation) const {
    uint64_t from = std::max(issued_, is_gemm(operation) ? gemm_.free : vector_.next);
    const Engine& other = is_gemm(operation) ? vector_ : gemm_;
    for (const unsigned half : {0U, 1U}) {
      if ((halves(operation) >> half) & 1) from = std::max(from, other.halves[half]);
    }
    for (const auto& [access, comes] : loaded_) {
      if (comes > from && touches(operation, access)) from = comes;
    }
    return from;
  }
  uint64_t end(const Operation& operation) const {
    return std::max(issue(operation), engine(operation).free) + steps(operation, list_.kernels);
  }

  void compute(const Operation& operation) {
    const uint64_t ends = end(operation);
    issued_ = issue(operation);
    std::erase_if(loaded_, [&](const Loaded& l) { return l.comes <= issued_; });  // nobody waits for them any more
    Engine& its = is_gemm(operation) ? gemm_ : vector_;
    its.next = std::max(issued_, its.free);
    its.free = ends;
    for (const unsigned half : {0U, 1U}) {
      if ((halves(operation) >> half) & 1) its.halves[half] = ends;
    }
  }

  unsigned halves(const Operation& operation) const {
    unsigned all = 0;
    for (const Access& a : operation.accesses) {
      if (a.space != Access::Space::kAcc) continue;
      all |= core::halves_of({a.begin, a.end - 1}, isa::upper_half(list_.config));
    }
    return all;
  }

 private:
  struct Engine {
    uint64_t next = 0;  // when it takes one more, behind what it does
    uint64_t free = 0;
    std::array<uint64_t, 2> halves{};  // when it leaves them
  };
  struct Loaded {
    Access access;
    uint64_t comes;
  };

  const Engine& engine(const Operation& operation) const { return is_gemm(operation) ? gemm_ : vector_; }
  static bool touches(const Operation& operation, const Access& loaded) {
    return std::any_of(operation.accesses.begin(), operation.accesses.end(),
                       [&](const Access& a) { return overlap(a, loaded); });
  }

  const OperationList& list_;
  uint64_t fetch_, beats_ = 0;
  std::vector<Loaded> loaded_;
  uint64_t issued_ = 0;
  Engine gemm_, vector_;
};

}  // namespace

OperationList fill_waits(OperationList list) {
  if (!list.fills_waits) return list;
  std::vector<Operation>& all = list.operations;
  Clock clock(list);
  size_t gemms = 0;
  for (size_t i = 0; i < all.size() && gemms < kMostWaits; ++i) {
    if (load_of(all[i]) != nullptr) {
      clock.load(all[i]);
    } else if (is_vector(all[i])) {
      clock.compute(all[i]);
    } else if (is_gemm(all[i])) {
      ++gemms;
      uint64_t begins = clock.issue(all[i]);
      for (size_t j = i + 1; j < std::min(all.size(), i + kWindow); ++j) {
        if (!is_vector(all[j]) || clock.issue(all[j]) > begins) continue;
        const bool same_half = (clock.halves(all[j]) & clock.halves(all[i])) != 0;
        if (same_half && clock.end(all[j]) > begins) continue;
        const auto from = all.begin() + static_cast<ptrdiff_t>(i), at = all.begin() + static_cast<ptrdiff_t>(j);
        if (std::any_of(from, at, [&](const Operation& between) { return conflict(between, *at); })) continue;
        clock.compute(*at);
        std::rotate(from, at, at + 1);
        begins = clock.issue(all[++i]);
      }
      clock.compute(all[i]);
    }
  }
  return list;
}

}  // namespace vantage::vta
