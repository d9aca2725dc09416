// Each rule of the AXI4 port, broken by a sequence of its own; and what the rules allow.
#include "sim/rtl/axi_checker.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/file.h"
#include "tests/catch.h"
#include "tests/support/temporary.h"

namespace vantage::test::sim_rtl_axi_checker_test {

using namespace vantage;
using sim::AxiRule;
using sim::AxiViolation;

namespace {

constexpr uint64_t kBeat = 8;  // bytes
constexpr uint64_t kAll = 0xff;

using Pins = vantage_rtl_pins;

// A port of a 64-bit bus. In each cycle everything is ready, and nothing is valid but what is given.
class Port {
 public:
  Port& cycle(const std::function<void(Pins&)>& give = [](Pins&) {}) {
    Pins pins{};
    pins.rst_n = pins.m_rst_n = pins.m_ar_ready = pins.m_aw_ready = pins.m_w_ready = pins.m_r_ready = pins.m_b_ready =
        1;
    // What is not valid may be anything
    pins.m_ar_addr = pins.m_aw_addr = static_cast<uint32_t>(now_ * 3);
    pins.m_w_strb = now_;
    pins.m_r_resp = pins.m_b_resp = 1;
    give(pins);
    checker_.cycle(isa::Cycle(now_++), pins);
    return *this;
  }
  Port& cycles(int count, const std::function<void(Pins&)>& give) {
    for (int i = 0; i < count; ++i) cycle(give);
    return *this;
  }
  uint64_t now() const { return now_; }

 private:
  sim::AxiChecker checker_{Bytes(kBeat)};
  uint64_t now_ = 0;
};

using Give = std::function<void(Pins&)>;

Give operator+(const Give& a, const Give& b) {
  return [=](Pins& pins) {
    a(pins);
    b(pins);
  };
}

Give ar(uint32_t address, unsigned beats) {
  return [=](Pins& p) {
    p.m_ar_valid = 1;
    p.m_ar_addr = address;
    p.m_ar_len = static_cast<uint8_t>(beats - 1);
    p.m_ar_size = 3;
    p.m_ar_burst = 1;
  };
}
Give aw(uint32_t address, unsigned beats) {
  return [=](Pins& p) {
    p.m_aw_valid = 1;
    p.m_aw_addr = address;
    p.m_aw_len = static_cast<uint8_t>(beats - 1);
    p.m_aw_size = 3;
    p.m_aw_burst = 1;
  };
}
Give r(bool last, uint64_t data = 0, uint8_t resp = 0) {
  return [=](Pins& p) {
    p.m_r_valid = 1;
    p.m_r_last = last;
    p.m_r_data[0] = data;
    p.m_r_resp = resp;
  };
}
Give w(bool last, uint64_t strobes = kAll, uint64_t data = 0) {
  return [=](Pins& p) {
    p.m_w_valid = 1;
    p.m_w_last = last;
    p.m_w_data[0] = data;
    p.m_w_strb = strobes;
  };
}
Give b(uint8_t resp = 0) {
  return [=](Pins& p) {
    p.m_b_valid = 1;
    p.m_b_resp = resp;
  };
}
Give stalled(uint8_t Pins::*ready) {
  return [=](Pins& p) { p.*ready = 0; };
}
const Give kArStalled = stalled(&Pins::m_ar_ready), kAwStalled = stalled(&Pins::m_aw_ready),
           kWStalled = stalled(&Pins::m_w_ready), kRStalled = stalled(&Pins::m_r_ready),
           kBStalled = stalled(&Pins::m_b_ready), kReset = stalled(&Pins::m_rst_n), kCoreReset = stalled(&Pins::rst_n);
Give with(uint8_t Pins::*pin, uint8_t value) {
  return [=](Pins& p) { p.*pin = value; };
}

// The last cycle breaks the rule, and no cycle before it breaks any.
struct Fault {
  AxiRule rule;
  std::string channel;
  std::string seen;  // part of the message
  std::vector<Give> cycles;
};

std::vector<Give> times(int count, const Give& give) {
  return std::vector<Give>(static_cast<size_t>(count), give);
}
std::vector<Give> joined(std::vector<Give> a, const std::vector<Give>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

std::vector<Fault> faults() {
  const Give none = [](Pins&) {};
  return {
      {AxiRule::kValidStays, "AR", "VALID is 0", {ar(64, 2) + kArStalled, none}},
      {AxiRule::kValidStays, "AW", "VALID is 0", {aw(64, 2) + kAwStalled, none}},
      {AxiRule::kValidStays, "W", "VALID is 0", {aw(64, 2) + w(false) + kWStalled, none}},
      {AxiRule::kValidStays, "R", "VALID is 0", {ar(64, 2), r(false) + kRStalled, none}},
      {AxiRule::kValidStays, "B", "VALID is 0", {aw(64, 1) + w(true), b() + kBStalled, none}},

      {AxiRule::kPayloadStays, "AR", "ADDR was 0x40 and is 0x48", {ar(64, 2) + kArStalled, ar(72, 2)}},
      {AxiRule::kPayloadStays, "AR", "LEN 1 and 2", {ar(64, 2) + kArStalled, ar(64, 3) + kArStalled}},
      {AxiRule::kPayloadStays, "AR", "SIZE 3 and 2", {ar(64, 2) + kArStalled, ar(64, 2) + with(&Pins::m_ar_size, 2)}},
      {AxiRule::kPayloadStays, "AW", "ADDR was 0x40 and is 0x48", {aw(64, 2) + kAwStalled, aw(72, 2)}},
      {AxiRule::kPayloadStays, "AW", "LEN 1 and 2", {aw(64, 2) + kAwStalled, aw(64, 3) + kAwStalled}},
      {AxiRule::kPayloadStays, "AW", "BURST 1 and 2", {aw(64, 2) + kAwStalled, aw(64, 2) + with(&Pins::m_aw_burst, 2)}},
      {AxiRule::kPayloadStays,
       "W",
       "byte 1 of DATA was 2 and is 3",
       {aw(64, 2) + w(false, kAll, 0x0201) + kWStalled, w(false, kAll, 0x0301)}},
      {AxiRule::kPayloadStays, "W", "STRB was 0xff and is 0xfe", {aw(64, 2) + w(false) + kWStalled, w(false, 0xfe)}},
      {AxiRule::kPayloadStays, "W", "LAST was 0 and is 1", {aw(64, 2) + w(false) + kWStalled, w(true)}},
      {AxiRule::kPayloadStays,
       "R",
       "byte 7 of DATA was 1 and is 0",
       {ar(64, 2), r(false, uint64_t{1} << 56) + kRStalled, r(false)}},
      {AxiRule::kPayloadStays, "R", "RESP was 0 and is 2", {ar(64, 2), r(false) + kRStalled, r(false, 0, 2)}},
      {AxiRule::kPayloadStays, "B", "RESP was 0 and is 3", {aw(64, 1) + w(true), b() + kBStalled, b(3)}},

      // Reset is seen at the edge behind its first cycle, and its end at the edge behind the first cycle without it.
      {AxiRule::kQuietInReset, "AR", "RESETn 0", {kReset + ar(64, 1), kReset + ar(64, 1)}},
      {AxiRule::kQuietInReset, "AW", "RESETn 1", {kReset, kReset, aw(64, 1)}},
      {AxiRule::kQuietInReset, "W", "RESETn 0", {kReset, kReset + w(true)}},
      {AxiRule::kQuietInReset, "R", "RESETn 1", {kReset, r(true)}},
      {AxiRule::kQuietInReset, "B", "RESETn 0", {kReset, kReset, kReset + b()}},

      {AxiRule::kBurstLength, "AR", "LEN is 16", {ar(0, 17)}},
      {AxiRule::kBurstLength, "AW", "LEN is 255", {aw(0, 256)}},
      {AxiRule::kBurst4Kb, "AR", "ADDR is 0xff8 and LEN 1", {ar(0xff8, 2)}},
      {AxiRule::kBurst4Kb, "AW", "ADDR is 0xffffff88 and LEN 15", {aw(0xffffff88, 16)}},
      {AxiRule::kBurstType, "AR", "BURST is 0", {ar(64, 1) + with(&Pins::m_ar_burst, 0)}},
      {AxiRule::kBurstType, "AW", "BURST is 2", {aw(64, 1) + with(&Pins::m_aw_burst, 2)}},
      {AxiRule::kBurstSize, "AR", "SIZE is 2", {ar(64, 1) + with(&Pins::m_ar_size, 2)}},
      {AxiRule::kBurstSize, "AW", "SIZE is 4", {aw(64, 1) + with(&Pins::m_aw_size, 4)}},
      {AxiRule::kAddressAligned, "AR", "ADDR is 0x44", {ar(68, 1)}},
      {AxiRule::kAddressAligned, "AW", "ADDR is 0x41", {aw(65, 1)}},

      {AxiRule::kReadsUnderWay, "AR", "16 reads have not ended", joined(times(16, ar(64, 1)), {ar(64, 1)})},
      // The last beat of the first counts from the cycle after
      {AxiRule::kReadsUnderWay, "AR", "16 reads", joined(times(16, ar(64, 2)), {r(false), ar(64, 1)})},
      {AxiRule::kWritesUnderWay, "AW", "16 writes have no response", joined(times(16, aw(64, 1)), {aw(64, 1)})},
      {AxiRule::kWritesUnderWay, "AW", "16 writes", joined(times(16, aw(64, 1) + w(true)), {aw(64, 1)})},

      {AxiRule::kDataAhead, "W", "no address waits", {w(true)}},
      {AxiRule::kDataAhead, "W", "beat 1 is shown", {aw(64, 1) + w(true), w(true)}},
      {AxiRule::kDataAhead, "W", "another burst came ahead", joined(times(3, aw(64, 1) + w(true) + kAwStalled), {})},

      {AxiRule::kWlast, "W", "LAST is 1 in beat 2 of 3", {aw(64, 3), w(false), w(true)}},
      {AxiRule::kWlast, "W", "LAST is 0 in beat 2 of 2", {aw(64, 2), w(false), w(false)}},
      {AxiRule::kWlast,
       "W",
       "LAST is 1 in beat 1 of 2",  // of the second burst
       {aw(64, 1), w(true) + aw(64, 2), w(true)}},
      // Data that came ahead of their address
      {AxiRule::kWlast,
       "AW",
       "LEN is 2, and the burst had 1 beats",
       {aw(64, 1) + w(true) + kAwStalled, aw(64, 1) + w(true), aw(72, 3)}},
      {AxiRule::kWlast,
       "AW",
       "LEN is 0, and 1 beats came without WLAST",
       {aw(64, 1) + w(true) + kAwStalled, aw(64, 1) + w(false), aw(72, 1)}},
      {AxiRule::kWlast,
       "W",
       "LAST is 0 in beat 1 of 1",
       {aw(64, 1) + w(true) + kAwStalled, aw(64, 1) + w(false) + kWStalled, aw(72, 1) + w(false)}},

      {AxiRule::kStrobes, "W", "STRB is 0x100", {aw(64, 1), w(true, 0x100)}},
      {AxiRule::kStrobes, "W", "STRB is 0x0", {aw(64, 1), w(true, 0)}},
      // A core that was reset ends its bursts so, and no later ones
      {AxiRule::kStrobes, "W", "STRB is 0x1", {aw(64, 1) + kCoreReset, w(true, 0x100) + kCoreReset}},
      {AxiRule::kStrobes,
       "W",
       "STRB is 0x0",
       {aw(64, 1) + kCoreReset, aw(72, 1) + w(true, 0), w(true, 0), b(), b(), aw(64, 1) + w(true, 0)}},
      {AxiRule::kStrobes, "W", "STRB is 0x5", {aw(64, 1), w(true, 5)}},
      {AxiRule::kStrobes, "W", "STRB is 0x7f and LAST 0", {aw(64, 2), w(false, 0x7f)}},
      {AxiRule::kStrobes, "W", "STRB is 0xfe and LAST 1 in beat 1", {aw(64, 2), w(false), w(true, 0xfe)}},

      {AxiRule::kReadDataAskedFor, "R", "no read is under way", {r(true)}},
      {AxiRule::kReadDataAskedFor, "R", "no read is under way", {ar(64, 1), r(true), r(true)}},
      {AxiRule::kReadDataAskedFor, "R", "no read is under way", {ar(64, 1) + r(true)}},
      {AxiRule::kReadDataAskedFor, "R", "no read is under way", {ar(64, 1) + kArStalled, ar(64, 1) + r(true)}},
      {AxiRule::kRlast, "R", "LAST is 1, and 2", {ar(64, 2), r(true)}},
      {AxiRule::kRlast, "R", "LAST is 0, and 1", {ar(64, 2), r(false), r(false)}},
      // The second read's data in the first one's place
      {AxiRule::kRlast, "R", "LAST is 1, and 2", {ar(64, 2), ar(128, 1), r(true)}},
      {AxiRule::kResponseCode, "R", "RESP is 1", {ar(64, 2), r(false, 0, 1)}},
      {AxiRule::kResponseCode, "B", "RESP is 1", {aw(64, 1) + w(true), b(1)}},

      {AxiRule::kResponseOwed, "B", "every write has its response", {b()}},
      {AxiRule::kResponseOwed, "B", "every write has its response", {aw(64, 1) + w(true), b(), b()}},
      {AxiRule::kResponseAfterData, "B", "the last beat was not taken", {aw(64, 2), w(false), b()}},
      {AxiRule::kResponseAfterData, "B", "the last beat was not taken", {aw(64, 1), w(true) + b()}},
      {AxiRule::kResponseAfterData,
       "B",
       "the last beat was not taken",
       {aw(64, 1), w(true) + kWStalled, w(true) + b()}},
      {AxiRule::kResponseAfterAddress,
       "B",
       "the address was not taken",
       {aw(64, 1) + w(true) + kAwStalled, aw(64, 1) + b()}},
  };
}

}  // namespace

TEST_CASE("each rule of the port can be broken, and says where and by what", "[unit]") {
  std::set<AxiRule> broken;
  size_t number = 0;
  for (const Fault& fault : faults()) {
    INFO(number++ << ": " << sim::info(fault.rule).name << " " << fault.channel << " " << fault.seen);
    Port port;
    for (size_t i = 0; i + 1 < fault.cycles.size(); ++i) CHECK_NOTHROW(port.cycle(fault.cycles[i]));
    try {
      port.cycle(fault.cycles.back());
      FAIL_CHECK("not seen");
    } catch (const AxiViolation& violation) {
      CHECK(violation.rule() == fault.rule);
      const std::string message = violation.what();
      CHECK_THAT(message, ContainsSubstring(std::string(sim::info(fault.rule).name) + " "));
      CHECK_THAT(message, ContainsSubstring(" channel " + fault.channel + " in cycle " +
                                            std::to_string(fault.cycles.size() - 1) + ": "));
      CHECK_THAT(message, ContainsSubstring(fault.seen));
    }
    broken.insert(fault.rule);
  }
  for (const sim::AxiRuleInfo& rule : sim::kAxiRules) {
    INFO(rule.name);
    CHECK(broken.contains(rule.rule));
    CHECK(&sim::info(rule.rule) == &rule);
  }
}

TEST_CASE("the documentation has every rule of the port", "[unit]") {
  const std::string page = read_file(test::source_dir() / "docs" / "hardware.md", Bytes(1 << 20));
  for (const sim::AxiRuleInfo& rule : sim::kAxiRules) {
    CHECK_THAT(page, ContainsSubstring("| `" + std::string(rule.name) + "` | " + std::string(rule.text) + " |\n"));
  }
}

TEST_CASE("a port may stall, and reads and writes go on side by side", "[unit]") {
  Port port;
  CHECK_NOTHROW(port.cycle(kReset).cycles(3, kReset).cycle());
  // Addresses wait for as long as memory likes, and the longest burst ends at 4 KB
  CHECK_NOTHROW(port.cycles(5, ar(0xf80, 16) + kArStalled).cycle(ar(0xf80, 16)).cycle(ar(0x1000, 1)));
  CHECK_NOTHROW(port.cycles(15, r(false)).cycles(3, r(true, 5, 2) + kRStalled).cycle(r(true, 5, 2)).cycle(r(true)));
  // As many as there may be, and the next with the cycle after the first one's end
  CHECK_NOTHROW(port.cycles(16, ar(64, 1)).cycle(r(true)).cycle(ar(64, 1) + r(true)).cycles(15, r(true)));
}

TEST_CASE("a write's address and data may be taken in any order", "[unit]") {
  Port port;
  CHECK_NOTHROW(port.cycle(aw(64, 2)).cycle(w(false, 0xf0)).cycle(w(true, 0x0f)).cycle(b()));
  CHECK_NOTHROW(port.cycle(aw(64, 1) + w(true, 0x18)).cycles(2, b(2) + kBStalled).cycle(b(2)));
  // All data while the address waits, and those of the burst behind it
  const Give first = aw(64, 2) + kAwStalled;
  CHECK_NOTHROW(port.cycle(first + w(false)).cycle(first + w(true)).cycle(first + w(true)).cycle(aw(64, 2)));
  CHECK_NOTHROW(port.cycle(aw(128, 1) + b()).cycle(b()));
  // ... of which only some
  CHECK_NOTHROW(
      port.cycle(first + w(false)).cycle(first + w(true)).cycle(first + w(false)).cycle(aw(64, 2) + kWStalled));
  CHECK_NOTHROW(port.cycle(aw(128, 2) + w(true)).cycle(b()).cycle(b()));
  // Addresses ahead of their data, as many as there may be
  CHECK_NOTHROW(port.cycles(16, aw(64, 1)).cycle(w(true)).cycles(15, w(true) + b()).cycle(b()).cycle(aw(64, 1)));
}

TEST_CASE("reset forgets what was under way on both sides", "[unit]") {
  Port port;
  CHECK_NOTHROW(port.cycle(ar(64, 2) + aw(64, 2) + w(false) + kWStalled));
  CHECK_NOTHROW(port.cycle(kReset + r(false)).cycle(kReset).cycle());
  CHECK_NOTHROW(port.cycle(ar(64, 1) + aw(64, 1) + w(true)).cycle(r(true) + b()));
}

}  // namespace vantage::test::sim_rtl_axi_checker_test
