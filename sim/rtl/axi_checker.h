// Watches a core's AXI4 port, cycle by cycle, and knows the protocol and nothing else: neither what the core is meant
// to do nor what the memory holds. Both sides are held to the rules (axi_rules.h).
//
// The core has no IDs, so reads end and writes are answered in the order of their addresses; SIZE and BURST must be
// constant.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string_view>

#include "base/units.h"
#include "hw/isa/config.h"
#include "hw/isa/timing.h"
#include "sim/rtl/axi_rules.h"
#include "sim/rtl/model_abi.h"

namespace vantage::sim {

// Thread safety: none.
class AxiChecker {
 public:
  // `beat`: bytes of a beat of the bus.
  explicit AxiChecker(Bytes beat);

  // One cycle, by its inputs and by its outputs before its clock edge. `now` is for messages. Throws AxiViolation.
  void cycle(isa::Cycle now, const vantage_rtl_pins& pins);
  // Both sides begin anew: what was under way is forgotten.
  void restart();

 private:
  struct Address {
    uint32_t address;
    uint8_t len, size, burst;
    bool operator==(const Address&) const = default;
  };
  struct Beat {
    uint8_t last, resp;
    uint64_t strobes;
    std::array<std::byte, isa::kMaxBeat.count()> data;
  };

  [[noreturn]] void broken(AxiRule rule, std::string_view channel, const std::string& seen) const;
  void in_reset(const vantage_rtl_pins& pins);
  void read_address(const vantage_rtl_pins& pins);
  void read_data(const vantage_rtl_pins& pins);
  void write_address(const vantage_rtl_pins& pins);
  void write_data(const vantage_rtl_pins& pins);
  void response(const vantage_rtl_pins& pins);
  // What every address has to keep to.
  void check_address(const Address& shown, std::string_view channel) const;
  // The beats of a burst whose data came ahead of its address, now that it is known.
  void check_ahead(unsigned beats);
  void check_strobes(const vantage_rtl_pins& pins) const;
  void check_same(const Beat& waiting, const uint64_t* data, uint8_t last, uint8_t resp, uint64_t strobes,
                  std::string_view channel) const;
  Beat beat_of(const uint64_t* data, uint8_t last, uint8_t resp, uint64_t strobes) const;

  size_t beat_;        // bytes
  uint8_t beat_size_;  // the same as AXI's SIZE
  uint64_t all_strobes_;
  isa::Cycle now_;
  bool was_reset_ = false;  // in the cycle before
  // The core was reset by itself, and writes of before have no response: what it lost of them comes without strobes
  bool ends_writes_ = false;

  // What was shown in the cycle before and not taken
  std::optional<Address> ar_waits_, aw_waits_;
  std::optional<Beat> r_waits_, w_waits_;
  std::optional<uint8_t> b_waits_;

  std::deque<unsigned> reads_;     // beats to come, of each read whose address was taken
  std::deque<unsigned> expected_;  // beats of each write whose address was shown and whose last beat was not taken
  unsigned beats_ = 0;             // taken of the write whose data come now
  std::optional<unsigned> ahead_;  // beats of a write whose last was taken and whose address was not shown
  // Not answered: addresses shown, and taken, last beats taken
  unsigned writes_shown_ = 0, writes_taken_ = 0, writes_sent_ = 0;
};

}  // namespace vantage::sim
