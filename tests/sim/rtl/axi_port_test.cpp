// The memory's side of the port, with a core that does nothing but read and write: as it is, and with back-pressure.
#include "sim/rtl/axi_port.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <optional>
#include <random>
#include <vector>

#include "sim/rtl/axi_checker.h"
#include "tests/catch.h"
#include "tests/support/effort.h"

namespace vantage::test::sim_rtl_axi_port_test {

using namespace vantage;
using sim::Dram;

namespace {

constexpr uint64_t kBeat = 8;  // bytes

struct Burst {
  uint32_t address;
  unsigned beats;
};

// Shows random reads and writes as the core does: data with their address or behind it, or those of one burst while the
// address before it waits. Keeps the memory as it should be; reads are of a part that is not written.
class Master {
 public:
  Master(uint64_t seed, std::optional<uint64_t> back_pressure)
      : random_(seed), port_({}, Bytes(kBeat), back_pressure), expected_(dram_.size().count()) {
    for (uint64_t i = 0; i < dram_.size().count(); ++i) {
      expected_[i] = dram_.data()[i] = static_cast<std::byte>(draw(256));
    }
    pins_.rst_n = pins_.m_rst_n = pins_.m_r_ready = pins_.m_b_ready = 1;
    pins_.m_ar_size = pins_.m_aw_size = 3;
    pins_.m_ar_burst = pins_.m_aw_burst = 1;
  }

  // Until so many bursts of each kind are over.
  void run(size_t bursts) {
    while (reads_ended_ < bursts || answered_ < bursts) {
      REQUIRE(now_ < 1'000'000);
      port_.before(isa::Cycle(now_), dram_, pins_);
      show(bursts);
      checker_.cycle(isa::Cycle(now_), pins_);
      port_.after(isa::Cycle(now_), dram_, pins_);
      ++now_;
      take_read();
      take_write();
    }
    CHECK(port_.idle());
    CHECK(std::equal(expected_.begin(), expected_.end(), dram_.data()));
  }

  // What has been seen.
  bool gaps = false;  // between the beats of a read
  bool read_waited = false, write_waited = false, data_waited = false;
  // The address of a write and its first beat: which was taken first
  bool address_first = false, data_first = false, together = false;

 private:
  uint32_t draw(uint32_t below) { return static_cast<uint32_t>(random_() % below); }

  Burst burst(uint64_t page) {
    const unsigned beats = 1 + draw(16);
    return {static_cast<uint32_t>(page * 4096 + kBeat * draw(4096 / kBeat - beats + 1)), beats};
  }

  void show(size_t bursts) {
    if (!pins_.m_ar_valid && reads_asked_ < bursts && reads_.size() < 16 && draw(2) == 0) {
      asked_ = burst(0);
      pins_.m_ar_valid = 1;
      pins_.m_ar_addr = asked_.address;
      pins_.m_ar_len = static_cast<uint8_t>(asked_.beats - 1);
      ++reads_asked_;
    }
    // One address may wait behind the one that is shown.
    const bool room = writes_.size() < addresses_ + 2 && writes_.size() < answered_ + 16;
    if (room && writes_.size() < bursts && draw(2) == 0) writes_.push_back(burst(1));
    if (!pins_.m_aw_valid && addresses_ < writes_.size()) {
      pins_.m_aw_valid = 1;
      pins_.m_aw_addr = writes_[addresses_].address;
      pins_.m_aw_len = static_cast<uint8_t>(writes_[addresses_].beats - 1);
    }
    if (!pins_.m_w_valid && sent_ < writes_.size() && draw(3) != 0) {
      pins_.m_w_valid = 1;
      pins_.m_w_last = beat_ + 1 == writes_[sent_].beats;
      pins_.m_w_data[0] = random_();
      pins_.m_w_strb = 0xff;
    }
  }

  void take_read() {
    if (pins_.m_r_valid) {
      Burst& read = reads_.front();
      const auto* data = reinterpret_cast<const std::byte*>(pins_.m_r_data);
      CHECK(std::equal(data, data + kBeat, expected_.begin() + read.address));
      read.address += kBeat;
      in_burst_ = --read.beats != 0;
      if (!in_burst_) {
        reads_.pop_front();
        ++reads_ended_;
      }
    } else if (in_burst_) {
      gaps = true;
    }
    if (!pins_.m_ar_valid) return;
    if (!pins_.m_ar_ready) {
      read_waited = true;
      return;
    }
    reads_.push_back(asked_);
    pins_.m_ar_valid = 0;
  }

  void take_write() {
    if (pins_.m_b_valid) ++answered_;
    const bool address = pins_.m_aw_valid && pins_.m_aw_ready;
    const bool data = pins_.m_w_valid && pins_.m_w_ready;
    write_waited = write_waited || (pins_.m_aw_valid && !address);
    data_waited = data_waited || (pins_.m_w_valid && !data);
    const bool first = data && beat_ == 0;
    together = together || (address && first && addresses_ == sent_);
    data_first = data_first || (address && (sent_ > addresses_ || (sent_ == addresses_ && beat_ > 0)));
    address_first = address_first || (first && addresses_ > sent_);
    if (address) {
      pins_.m_aw_valid = 0;
      ++addresses_;
    }
    if (!data) return;
    pins_.m_w_valid = 0;
    std::memcpy(&expected_[writes_[sent_].address + kBeat * beat_], pins_.m_w_data, kBeat);
    if (++beat_ < writes_[sent_].beats) return;
    beat_ = 0;
    ++sent_;
  }

  std::mt19937_64 random_;
  Dram dram_{Bytes(8192)};
  sim::AxiPort port_;
  sim::AxiChecker checker_{Bytes(kBeat)};
  std::vector<std::byte> expected_;
  vantage_rtl_pins pins_{};
  uint64_t now_ = 0;

  Burst asked_{};            // the read that is shown
  std::deque<Burst> reads_;  // taken, with the beats to come
  bool in_burst_ = false;
  size_t reads_asked_ = 0, reads_ended_ = 0;

  std::vector<Burst> writes_;
  size_t addresses_ = 0, sent_ = 0, answered_ = 0;  // of writes_: taken, sent to the last beat, over
  unsigned beat_ = 0;                               // of the write that is sent
};

}  // namespace

TEST_CASE("a port without back-pressure takes addresses before data, and beats without gaps", "[unit]") {
  Master master(1, std::nullopt);
  master.run(200);
  CHECK(master.address_first);
  CHECK_FALSE(master.data_first);
  CHECK_FALSE(master.together);
  CHECK_FALSE(master.gaps);
}

TEST_CASE("with back-pressure every channel stalls, and addresses and data are taken in any order", "[property]") {
  int address_only = 0, data_only = 0, together_only = 0, mixed = 0;
  for (int seed = 1; seed <= test::rounds(40); ++seed) {
    INFO(seed);
    Master master(static_cast<uint64_t>(seed), static_cast<uint64_t>(seed));
    master.run(150);
    CHECK(master.gaps);
    CHECK(master.read_waited);
    CHECK(master.write_waited);
    CHECK(master.data_waited);
    const int orders = master.address_first + master.data_first + master.together;
    address_only += orders == 1 && master.address_first;
    data_only += orders == 1 && master.data_first;
    together_only += orders == 1 && master.together;
    mixed += orders > 1;
  }
  CHECK(address_only > 0);
  CHECK(data_only > 0);
  CHECK(together_only > 0);
  CHECK(mixed > 0);
}

}  // namespace vantage::test::sim_rtl_axi_port_test
