// The arbiter of the memory port's read side, which is hw/rtl/vta_arbiter.sv: it goes round those who read and grants a
// burst at a time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "hw/isa/timing.h"

namespace vantage::core {

// Who reads, in the order of turns.
enum class Requester : uint8_t { kFetch, kLoad, kCompute };
inline constexpr size_t kRequesters = 3;

class ReadArbiter {
 public:
  // Who is granted a burst in cycle `at`, of those who ask from these cycles on. REQUIRES: someone asks by then.
  Requester next(const std::array<isa::Cycle, kRequesters>& from, isa::Cycle at) const {
    size_t turn = last_;
    do turn = turn + 1 == kRequesters ? 0 : turn + 1;
    while (from[turn] > at);
    return static_cast<Requester>(turn);
  }
  void grant(Requester requester) { last_ = static_cast<size_t>(requester); }

 private:
  size_t last_ = kRequesters - 1;
};

}  // namespace vantage::core
