// The rules that hold at a core's AXI4 port, by name: those of the protocol (ARM IHI 0022, whose sections are named),
// and what this core promises beyond them. Channels are called AR, R, AW, W and B, as there.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"
#include "hw/isa/timing.h"

namespace vantage::sim {

enum class AxiRule {
  kValidStays,
  kPayloadStays,
  kQuietInReset,
  kBurstLength,
  kBurst4Kb,
  kBurstType,
  kBurstSize,
  kAddressAligned,
  kReadsUnderWay,
  kWritesUnderWay,
  kDataAhead,
  kWlast,
  kStrobes,
  kReadDataAskedFor,
  kRlast,
  kResponseCode,
  kResponseOwed,
  kResponseAfterData,
  kResponseAfterAddress,
};

struct AxiRuleInfo {
  AxiRule rule;
  std::string_view name;
  std::string_view text;
};

// In the order of AxiRule.
inline constexpr std::array kAxiRules = {
    AxiRuleInfo{AxiRule::kValidStays, "VALID_STAYS",
                "VALID that is raised stays until READY is there as well (A3.2.1)"},
    AxiRuleInfo{AxiRule::kPayloadStays, "PAYLOAD_STAYS",
                "what a channel shows does not change while it waits (A3.2.1)"},
    AxiRuleInfo{AxiRule::kQuietInReset, "QUIET_IN_RESET",
                "VALID is low in reset and until a clock edge has seen its end (A3.1.2)"},
    AxiRuleInfo{AxiRule::kBurstLength, "BURST_LENGTH",
                "a burst has at most 16 beats, as in AXI3; AXI4 would allow 256 (A3.4.1)"},
    AxiRuleInfo{AxiRule::kBurst4Kb, "BURST_4KB", "a burst crosses no multiple of 4 KB (A3.4.1)"},
    AxiRuleInfo{AxiRule::kBurstType, "BURST_TYPE", "a burst's addresses count up: the core promises INCR (A3.4.1)"},
    AxiRuleInfo{AxiRule::kBurstSize, "BURST_SIZE",
                "a beat is as wide as the bus: no wider by A3.4.1, no narrower as the core promises"},
    AxiRuleInfo{AxiRule::kAddressAligned, "ADDRESS_ALIGNED",
                "a burst begins at a multiple of a beat; AXI4 would allow others (A3.4.2), the core promises it"},
    AxiRuleInfo{AxiRule::kReadsUnderWay, "READS_UNDER_WAY",
                "no more reads are shown and not ended than the core promises (READ_BURSTS)"},
    AxiRuleInfo{AxiRule::kWritesUnderWay, "WRITES_UNDER_WAY",
                "no more writes are shown and not answered than the core promises (WRITE_BURSTS)"},
    AxiRuleInfo{AxiRule::kDataAhead, "DATA_AHEAD",
                "data come with or behind their address, or are those of the next burst while an address waits; AXI4 "
                "would allow more (A3.3.1), the core promises it"},
    AxiRuleInfo{AxiRule::kWlast, "WLAST",
                "a write has as many beats as its address says, and WLAST marks the last and no other (A3.4.1)"},
    AxiRuleInfo{
        AxiRule::kStrobes, "STROBES",
        "strobes lie on the bus (A3.4.3); those of a burst name bytes without a gap, and each beat has some, as "
        "the core promises but for bursts that a reset of the core alone cut short"},
    AxiRuleInfo{AxiRule::kReadDataAskedFor, "READ_DATA_ASKED_FOR",
                "a read's data come after its address was taken, and none without one (A3.3.1)"},
    AxiRuleInfo{AxiRule::kRlast, "RLAST",
                "a read has as many beats as its address says, in the order of the addresses, and RLAST marks the last "
                "and no other (A3.4.1)"},
    AxiRuleInfo{AxiRule::kResponseCode, "RESPONSE_CODE",
                "a response is OKAY, SLVERR or DECERR: EXOKAY answers exclusive accesses, of which there are none "
                "(A3.4.4)"},
    AxiRuleInfo{AxiRule::kResponseOwed, "RESPONSE_OWED", "a write has one response, and nothing else has any (A3.3.1)"},
    AxiRuleInfo{AxiRule::kResponseAfterData, "RESPONSE_AFTER_DATA",
                "the response comes after the write's last beat was taken (A3.3.1)"},
    AxiRuleInfo{AxiRule::kResponseAfterAddress, "RESPONSE_AFTER_ADDRESS",
                "the response comes after the write's address was taken (A3.3.1)"},
};

constexpr const AxiRuleInfo& info(AxiRule rule) {
  return kAxiRules[static_cast<size_t>(rule)];
}

// A rule was broken, by the core or by the memory model. The message names the rule, the cycle, the channel and what
// was seen there.
class AxiViolation : public InternalError {
 public:
  AxiViolation(AxiRule rule, isa::Cycle cycle, std::string_view channel, const std::string& seen);
  AxiRule rule() const { return rule_; }

 private:
  AxiRule rule_;
};

}  // namespace vantage::sim
