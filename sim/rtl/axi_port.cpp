#include "sim/rtl/axi_port.h"

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

void AxiPort::before(isa::Cycle now, const Dram& dram, vantage_rtl_pins& pins) {
  pins.m_ar_ready = memory_.read_ready(now);
  pins.m_aw_ready = memory_.write_ready(now);
  // Data are taken once their address has been
  pins.m_w_ready = !writes_.empty() && memory_.beat_ready(now);

  pins.m_r_valid = !reads_.empty() && reads_.front().beats.first <= now;
  if (pins.m_r_valid) {
    const Read& read = reads_.front();
    const bool inside = read.address + beat_ <= dram.size().count();
    if (inside) std::memcpy(pins.m_r_data, dram.data() + read.address, beat_);
    pins.m_r_resp = inside ? kOkay : kDecodeError;
    pins.m_r_last = read.beats.count == 1;
  }
  pins.m_b_valid = !responses_.empty() && responses_.front().cycle <= now;
  if (pins.m_b_valid) pins.m_b_resp = responses_.front().failed ? kDecodeError : kOkay;
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
    VANTAGE_CHECK(!writes_.empty());
    Write& write = writes_.front();
    if (write.address + beat_ > dram.size().count()) {
      write.failed = true;
    } else {
      const auto* bytes = reinterpret_cast<const std::byte*>(pins.m_w_data);
      const uint64_t all = beat_ == isa::kMaxBeat.count() ? ~uint64_t{0} : (uint64_t{1} << beat_) - 1;
      std::byte* to = dram.data() + write.address;
      if (pins.m_w_strb == all) {
        std::memcpy(to, bytes, beat_);
      } else {
        for (uint64_t i = 0; i < beat_; ++i) {
          if ((pins.m_w_strb >> i) & 1) to[i] = bytes[i];
        }
      }
    }
    write.address += beat_;
    const bool last = --write.beats == 0;
    VANTAGE_CHECK(last == (pins.m_w_last != 0));
    const isa::Cycle response = memory_.write_beat(now, last);
    if (last) {
      responses_.push_back({response, write.failed});
      writes_.pop_front();
    }
  }
  if (pins.m_aw_valid && pins.m_aw_ready) {
    const unsigned beats = pins.m_aw_len + 1u;
    memory_.write(now, pins.m_aw_addr, beats);
    writes_.push_back({pins.m_aw_addr & ~(beat_ - 1), beats, false});
  }
  return passed;
}

void AxiPort::abandon() {
  reads_.clear();
  writes_.clear();
  responses_.clear();
}

}  // namespace vantage::sim
