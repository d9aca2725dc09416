#include "sim/rtl/axi_port.h"

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "hw/isa/config.h"

namespace vantage::sim {

// The pins serve every configuration.
static_assert(sizeof(vantage_rtl_pins::m_r_data) == isa::kMaxBeat.count());
static_assert(sizeof(vantage_rtl_pins::m_w_data) == isa::kMaxBeat.count());
static_assert(sizeof(vantage_rtl_pins::m_w_strb) * 8 == isa::kMaxBeat.count());

namespace {

constexpr uint8_t kOkay = 0;
constexpr uint8_t kDecodeError = 3;  // AXI's answer for an address where nothing is

}  // namespace

AxiPort::AxiPort(const MemoryTiming& timing, Bytes beat, std::optional<uint64_t> back_pressure)
    : memory_(timing, beat), beat_(beat.count()) {
  if (back_pressure) back_pressure_.emplace(*back_pressure);
}

void AxiPort::before(isa::Cycle now, const Dram& dram, vantage_rtl_pins& pins) {
  pins.m_ar_ready = memory_.read_ready(now);
  pins.m_aw_ready = memory_.write_ready(now);
  // Data are taken once their address has been, but for a port that is out to be awkward
  pins.m_w_ready = (!writes_.empty() || back_pressure_) && memory_.beat_ready(now);
  // What is shown stays until it is taken; `pins` still has the cycle before
  const bool read_waits = pins.m_r_valid && !pins.m_r_ready;
  const bool response_waits = pins.m_b_valid && !pins.m_b_ready;
  pins.m_r_valid = !reads_.empty() && reads_.front().beats.first <= now;
  pins.m_b_valid = !responses_.empty() && responses_.front().cycle <= now;
  if (back_pressure_) stall(pins, read_waits, response_waits);

  if (pins.m_r_valid && !read_waits) {
    const Read& read = reads_.front();
    const bool inside = read.address + beat_ <= dram.size().count();
    if (inside) std::memcpy(pins.m_r_data, dram.data() + read.address, beat_);
    pins.m_r_resp = inside ? kOkay : kDecodeError;
    pins.m_r_last = read.beats.count == 1;
  }
  if (pins.m_b_valid && !response_waits) pins.m_b_resp = responses_.front().failed ? kDecodeError : kOkay;
}

bool AxiPort::after(isa::Cycle now, Dram& dram, const vantage_rtl_pins& pins) {
  const bool passed = (pins.m_r_valid && pins.m_r_ready) || (pins.m_b_valid && pins.m_b_ready) ||
                      (pins.m_ar_valid && pins.m_ar_ready) || (pins.m_w_valid && pins.m_w_ready) ||
                      (pins.m_aw_valid && pins.m_aw_ready);
  beat_read_.reset();
  if (pins.m_r_valid && pins.m_r_ready) {
    Read& read = reads_.front();
    beat_read_ = {read.address, std::as_bytes(std::span(pins.m_r_data)).first(beat_)};
    read.address += beat_;
    read.beats.first += read.beats.step;
    if (--read.beats.count == 0) reads_.pop_front();
  }
  if (pins.m_b_valid && pins.m_b_ready) responses_.pop_front();
  if (pins.m_ar_valid && pins.m_ar_ready) {
    const Progression beats = memory_.read(now, pins.m_ar_addr, pins.m_ar_len + 1u);
    reads_.push_back({pins.m_ar_addr & ~(beat_ - 1), beats});
  }
  if (pins.m_w_valid && pins.m_w_ready) {
    if (!writes_.empty()) {
      write_beat(now, dram, pins.m_w_data, pins.m_w_strb, pins.m_w_last != 0);
    } else {
      ahead_.push_back({std::to_array(pins.m_w_data), pins.m_w_strb, pins.m_w_last != 0});
    }
  }
  if (pins.m_aw_valid && pins.m_aw_ready) {
    const unsigned beats = pins.m_aw_len + 1u;
    memory_.write(now, pins.m_aw_addr, beats);
    writes_.push_back({pins.m_aw_addr & ~(beat_ - 1), beats, false});
    while (!ahead_.empty() && !writes_.empty()) {
      const WriteBeat& beat = ahead_.front();
      write_beat(now, dram, beat.data.data(), beat.strobes, beat.last);
      ahead_.pop_front();
    }
  }
  address_waits_ = pins.m_aw_valid && !pins.m_aw_ready;
  data_wait_ = pins.m_w_valid && !pins.m_w_ready;
  return passed;
}

void AxiPort::stall(vantage_rtl_pins& pins, bool read_waits, bool response_waits) {
  const bool whole = std::any_of(ahead_.begin(), ahead_.end(), [](const WriteBeat& beat) { return beat.last; });
  back_pressure_->step({.address_waits = address_waits_,
                        .data_wait = data_wait_,
                        .open = !writes_.empty(),
                        .ahead = !ahead_.empty(),
                        .ahead_whole = whole});
  const auto close = [&](uint8_t& pin, AxiChannel channel, bool waits = false) {
    if (!waits && !back_pressure_->open(channel)) pin = 0;
  };
  close(pins.m_ar_ready, AxiChannel::kReadAddress);
  close(pins.m_aw_ready, AxiChannel::kWriteAddress);
  close(pins.m_w_ready, AxiChannel::kWriteData);
  close(pins.m_r_valid, AxiChannel::kReadData, read_waits);
  close(pins.m_b_valid, AxiChannel::kResponse, response_waits);
}

void AxiPort::write_beat(isa::Cycle now, Dram& dram, const uint64_t* data, uint64_t strobes, bool last) {
  Write& write = writes_.front();
  if (write.address + beat_ > dram.size().count()) {
    write.failed = true;
  } else {
    const auto* bytes = reinterpret_cast<const std::byte*>(data);
    const uint64_t all = beat_ == isa::kMaxBeat.count() ? ~uint64_t{0} : (uint64_t{1} << beat_) - 1;
    std::byte* to = dram.data() + write.address;
    if (strobes == all) {
      std::memcpy(to, bytes, beat_);
    } else {
      for (uint64_t i = 0; i < beat_; ++i) {
        if ((strobes >> i) & 1) to[i] = bytes[i];
      }
    }
  }
  write.address += beat_;
  VANTAGE_CHECK(last == (--write.beats == 0));
  const isa::Cycle response = memory_.write_beat(now, last);
  if (last) {
    responses_.push_back({response, write.failed});
    writes_.pop_front();
  }
}

void AxiPort::abandon() {
  reads_.clear();
  writes_.clear();
  ahead_.clear();
  responses_.clear();
  address_waits_ = data_wait_ = false;
}

}  // namespace vantage::sim
