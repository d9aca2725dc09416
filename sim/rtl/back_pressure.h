// A memory's port as awkward as AXI4 allows, drawn from a seed: it stalls every channel at random, leaves gaps between
// the beats of reads, is late with responses, and takes a write's address and data in whatever order it likes. For
// tests: a master that works with it works with any memory.
//
// Probabilities change every few hundred cycles and are often 0 or 100 %, so that the core meets channels that are
// always, never and now and then there.
#pragma once

#include <array>
#include <cstdint>
#include <random>

namespace vantage::sim {

enum class AxiChannel { kReadAddress, kReadData, kWriteAddress, kWriteData, kResponse };

// Thread safety: none.
class BackPressure {
 public:
  explicit BackPressure(uint64_t seed);

  // How the write channels stand before a cycle.
  struct Writes {
    bool address_waits = false;  // was shown in the cycle before and not taken
    bool data_wait = false;      // likewise
    bool open = false;           // an address was taken, and not all of its data
    bool ahead = false;          // data were taken, and not their address
    bool ahead_whole = false;    // ... all data of a burst
  };

  // Draws the next cycle.
  void step(const Writes& writes);
  // Whether something may pass in it: whether the memory is ready on AR, AW and W, and begins to show what it has on R
  // and B.
  bool open(AxiChannel channel) const { return open_[static_cast<size_t>(channel)]; }

 private:
  static constexpr size_t kChannels = 5;
  // Addresses of writes before their data; their data, all of a burst, before the address; the address and the first
  // beat in one cycle only; either.
  enum class Order { kAddressFirst, kDataFirst, kTogether, kAny };

  uint32_t draw(uint32_t below);
  void change();

  std::mt19937_64 random_;
  bool one_order_;  // for good
  Order order_;
  uint64_t left_ = 0;                          // cycles until the next change
  std::array<uint32_t, kChannels> chances_{};  // of kWhole
  std::array<bool, kChannels> open_{};
};

}  // namespace vantage::sim
