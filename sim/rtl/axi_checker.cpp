#include "sim/rtl/axi_checker.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <span>
#include <string>

namespace vantage::sim {

namespace {

constexpr uint64_t kBoundary = 4096;
constexpr uint8_t kIncrementing = 1;
constexpr uint8_t kExclusiveOkay = 1;

}  // namespace

AxiChecker::AxiChecker(Bytes beat)
    : beat_(beat.count()),
      beat_size_(static_cast<uint8_t>(std::countr_zero(beat.count()))),
      all_strobes_(beat == isa::kMaxBeat ? ~uint64_t{0} : (uint64_t{1} << beat.count()) - 1) {}

void AxiChecker::restart() {
  was_reset_ = false;
  ends_writes_ = false;
  ar_waits_.reset();
  aw_waits_.reset();
  r_waits_.reset();
  w_waits_.reset();
  b_waits_.reset();
  reads_.clear();
  expected_.clear();
  beats_ = 0;
  ahead_.reset();
  writes_shown_ = writes_taken_ = writes_sent_ = 0;
}

void AxiChecker::broken(AxiRule rule, std::string_view channel, const std::string& seen) const {
  throw AxiViolation(rule, now_, channel, seen);
}

void AxiChecker::cycle(isa::Cycle now, const vantage_rtl_pins& pins) {
  now_ = now;
  if (pins.m_rst_n == 0 || was_reset_) in_reset(pins);
  if (pins.m_rst_n == 0) return;
  if (pins.rst_n == 0) ends_writes_ = true;
  // The memory's side first: what it answers was taken in an earlier cycle. An address before data, as both may be
  // shown together.
  if (pins.m_r_valid || r_waits_) read_data(pins);
  if (pins.m_b_valid || b_waits_) response(pins);
  if (pins.m_ar_valid || ar_waits_) read_address(pins);
  if (pins.m_aw_valid || aw_waits_) write_address(pins);
  if (pins.m_w_valid || w_waits_) write_data(pins);
  // One whose address was sent in the cycle of the reset is shown in the next
  if (pins.rst_n != 0 && writes_shown_ == 0) ends_writes_ = false;
}

// Reset is synchronous, so in its first cycle the core still shows what it showed before.
void AxiChecker::in_reset(const vantage_rtl_pins& pins) {
  const bool seen = was_reset_;
  restart();
  was_reset_ = pins.m_rst_n == 0;
  if (!seen) return;
  const std::pair<std::string_view, uint8_t> valids[] = {{"AR", pins.m_ar_valid},
                                                         {"AW", pins.m_aw_valid},
                                                         {"W", pins.m_w_valid},
                                                         {"R", pins.m_r_valid},
                                                         {"B", pins.m_b_valid}};
  for (const auto& [channel, valid] : valids) {
    if (valid) broken(AxiRule::kQuietInReset, channel, fmt::format("VALID is 1 and RESETn {}", pins.m_rst_n));
  }
}

void AxiChecker::check_address(const Address& shown, std::string_view channel) const {
  const unsigned beats = shown.len + 1u;
  if (beats > isa::timing::kBurstBeats) broken(AxiRule::kBurstLength, channel, fmt::format("LEN is {}", shown.len));
  if (shown.size != beat_size_) {
    broken(AxiRule::kBurstSize, channel, fmt::format("SIZE is {}, a beat has {} bytes", shown.size, beat_));
  }
  if (shown.burst != kIncrementing) broken(AxiRule::kBurstType, channel, fmt::format("BURST is {}", shown.burst));
  if (shown.address % beat_ != 0) {
    broken(AxiRule::kAddressAligned, channel, fmt::format("ADDR is 0x{:x}, a beat has {} bytes", shown.address, beat_));
  }
  if (shown.address % kBoundary + beats * beat_ > kBoundary) {
    broken(AxiRule::kBurst4Kb, channel,
           fmt::format("ADDR is 0x{:x} and LEN {}, a beat has {} bytes", shown.address, shown.len, beat_));
  }
}

namespace {

template <typename Address>
std::string changed(const Address& from, const Address& to) {
  return fmt::format("ADDR was 0x{:x} and is 0x{:x}, LEN {} and {}, SIZE {} and {}, BURST {} and {}", from.address,
                     to.address, from.len, to.len, from.size, to.size, from.burst, to.burst);
}

constexpr const char* kGone = "VALID was 1 and READY 0, and VALID is 0";

}  // namespace

void AxiChecker::read_address(const vantage_rtl_pins& pins) {
  const Address shown{pins.m_ar_addr, pins.m_ar_len, pins.m_ar_size, pins.m_ar_burst};
  if (ar_waits_) {
    if (!pins.m_ar_valid) broken(AxiRule::kValidStays, "AR", kGone);
    if (shown != *ar_waits_) broken(AxiRule::kPayloadStays, "AR", changed(*ar_waits_, shown));
  } else {
    check_address(shown, "AR");
    if (reads_.size() >= isa::timing::kReadBursts) {
      broken(AxiRule::kReadsUnderWay, "AR", fmt::format("{} reads have not ended", reads_.size()));
    }
  }
  ar_waits_.reset();
  if (pins.m_ar_ready) {
    reads_.push_back(shown.len + 1u);
  } else {
    ar_waits_ = shown;
  }
}

void AxiChecker::write_address(const vantage_rtl_pins& pins) {
  const Address shown{pins.m_aw_addr, pins.m_aw_len, pins.m_aw_size, pins.m_aw_burst};
  if (aw_waits_) {
    if (!pins.m_aw_valid) broken(AxiRule::kValidStays, "AW", kGone);
    if (shown != *aw_waits_) broken(AxiRule::kPayloadStays, "AW", changed(*aw_waits_, shown));
  } else {
    check_address(shown, "AW");
    if (writes_shown_ >= isa::timing::kWriteBursts) {
      broken(AxiRule::kWritesUnderWay, "AW", fmt::format("{} writes have no response", writes_shown_));
    }
    ++writes_shown_;
    check_ahead(shown.len + 1u);
  }
  aw_waits_.reset();
  if (pins.m_aw_ready) {
    ++writes_taken_;
  } else {
    aw_waits_ = shown;
  }
}

void AxiChecker::check_ahead(unsigned beats) {
  if (ahead_) {
    if (*ahead_ != beats) {
      broken(AxiRule::kWlast, "AW", fmt::format("LEN is {}, and the burst had {} beats", beats - 1, *ahead_));
    }
    ahead_.reset();
    return;
  }
  // The beat that is shown now, if there is one, is looked at by itself.
  if (expected_.empty() && beats_ >= beats) {
    broken(AxiRule::kWlast, "AW", fmt::format("LEN is {}, and {} beats came without WLAST", beats - 1, beats_));
  }
  expected_.push_back(beats);
}

AxiChecker::Beat AxiChecker::beat_of(const uint64_t* data, uint8_t last, uint8_t resp, uint64_t strobes) const {
  Beat beat{last, resp, strobes, {}};
  std::memcpy(beat.data.data(), data, beat_);
  return beat;
}

void AxiChecker::check_same(const Beat& waiting, const uint64_t* data, uint8_t last, uint8_t resp, uint64_t strobes,
                            std::string_view channel) const {
  if (waiting.last != last) {
    broken(AxiRule::kPayloadStays, channel, fmt::format("LAST was {} and is {}", waiting.last, last));
  }
  if (waiting.resp != resp) {
    broken(AxiRule::kPayloadStays, channel, fmt::format("RESP was {} and is {}", waiting.resp, resp));
  }
  if (waiting.strobes != strobes) {
    broken(AxiRule::kPayloadStays, channel, fmt::format("STRB was 0x{:x} and is 0x{:x}", waiting.strobes, strobes));
  }
  const auto bytes = std::as_bytes(std::span(data, isa::kMaxBeat.count() / sizeof *data));
  const auto [was, is] =
      std::mismatch(bytes.begin(), bytes.begin() + static_cast<ptrdiff_t>(beat_), waiting.data.begin());
  if (static_cast<size_t>(was - bytes.begin()) != beat_) {
    broken(AxiRule::kPayloadStays, channel,
           fmt::format("byte {} of DATA was {} and is {}", was - bytes.begin(), static_cast<int>(*is),
                       static_cast<int>(*was)));
  }
}

void AxiChecker::read_data(const vantage_rtl_pins& pins) {
  if (r_waits_) {
    if (!pins.m_r_valid) broken(AxiRule::kValidStays, "R", kGone);
    check_same(*r_waits_, pins.m_r_data, pins.m_r_last, pins.m_r_resp, 0, "R");
  }
  if (reads_.empty()) broken(AxiRule::kReadDataAskedFor, "R", "VALID is 1, and no read is under way");
  if ((pins.m_r_last != 0) != (reads_.front() == 1)) {
    broken(AxiRule::kRlast, "R",
           fmt::format("LAST is {}, and {} of the burst's beats are to come, this one included", pins.m_r_last,
                       reads_.front()));
  }
  if (pins.m_r_resp == kExclusiveOkay) broken(AxiRule::kResponseCode, "R", fmt::format("RESP is {}", pins.m_r_resp));
  r_waits_.reset();
  if (!pins.m_r_ready) {
    r_waits_ = beat_of(pins.m_r_data, pins.m_r_last, pins.m_r_resp, 0);
  } else if (--reads_.front() == 0) {
    reads_.pop_front();
  }
}

void AxiChecker::check_strobes(const vantage_rtl_pins& pins) const {
  const uint64_t strobes = pins.m_w_strb;
  if (strobes == 0 && ends_writes_) return;
  const bool begins = beats_ == 0;
  const bool ends = pins.m_w_last != 0;
  // Those that are set follow each other, from the first byte on but for the burst's first beat, to the last byte but
  // for its last.
  const uint64_t from_first = strobes == 0 ? 0 : strobes >> std::countr_zero(strobes);
  if (strobes == 0 || (strobes & ~all_strobes_) != 0 || (from_first & (from_first + 1)) != 0 ||
      (!begins && (strobes & 1) == 0) || (!ends && (strobes >> (beat_ - 1)) == 0)) {
    broken(AxiRule::kStrobes, "W",
           fmt::format("STRB is 0x{:x} and LAST {} in beat {} of the burst; a beat has {} bytes", strobes,
                       pins.m_w_last, beats_, beat_));
  }
}

void AxiChecker::write_data(const vantage_rtl_pins& pins) {
  if (w_waits_) {
    if (!pins.m_w_valid) broken(AxiRule::kValidStays, "W", kGone);
    check_same(*w_waits_, pins.m_w_data, pins.m_w_last, 0, pins.m_w_strb, "W");
  }
  check_strobes(pins);
  if (!expected_.empty()) {
    if ((pins.m_w_last != 0) != (beats_ + 1 == expected_.front())) {
      broken(AxiRule::kWlast, "W",
             fmt::format("LAST is {} in beat {} of {}", pins.m_w_last, beats_ + 1, expected_.front()));
    }
  } else if (ahead_ || !pins.m_aw_valid) {
    broken(AxiRule::kDataAhead, "W",
           fmt::format("beat {} is shown of a burst whose address is not, and {}", beats_ + 1,
                       ahead_ ? "another burst came ahead already" : "no address waits"));
  }
  w_waits_.reset();
  if (!pins.m_w_ready) {
    w_waits_ = beat_of(pins.m_w_data, pins.m_w_last, 0, pins.m_w_strb);
    return;
  }
  ++beats_;
  if (!pins.m_w_last) return;
  if (expected_.empty()) {
    ahead_ = beats_;
  } else {
    expected_.pop_front();
  }
  beats_ = 0;
  ++writes_sent_;
}

void AxiChecker::response(const vantage_rtl_pins& pins) {
  if (b_waits_) {
    if (!pins.m_b_valid) broken(AxiRule::kValidStays, "B", kGone);
    if (*b_waits_ != pins.m_b_resp) {
      broken(AxiRule::kPayloadStays, "B", fmt::format("RESP was {} and is {}", *b_waits_, pins.m_b_resp));
    }
  }
  if (writes_taken_ == 0 && writes_sent_ == 0) {
    broken(AxiRule::kResponseOwed, "B", "VALID is 1, and every write has its response");
  }
  if (writes_sent_ == 0) broken(AxiRule::kResponseAfterData, "B", "VALID is 1, and the last beat was not taken");
  if (writes_taken_ == 0) broken(AxiRule::kResponseAfterAddress, "B", "VALID is 1, and the address was not taken");
  if (pins.m_b_resp == kExclusiveOkay) broken(AxiRule::kResponseCode, "B", fmt::format("RESP is {}", pins.m_b_resp));
  b_waits_.reset();
  if (!pins.m_b_ready) {
    b_waits_ = pins.m_b_resp;
    return;
  }
  --writes_shown_;
  --writes_taken_;
  --writes_sent_;
}

}  // namespace vantage::sim
