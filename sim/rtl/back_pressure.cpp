#include "sim/rtl/back_pressure.h"

namespace vantage::sim {

namespace {

constexpr uint32_t kChanceBits = 12;
constexpr uint32_t kWhole = 1u << kChanceBits;
constexpr uint32_t kLongest = 256;  // cycles between two changes

}  // namespace

BackPressure::BackPressure(uint64_t seed)
    : random_(seed), one_order_(draw(2) == 0), order_(static_cast<Order>(draw(4))) {}

uint32_t BackPressure::draw(uint32_t below) {
  return static_cast<uint32_t>(random_() >> 32) % below;
}

void BackPressure::change() {
  left_ = 1 + draw(kLongest);
  for (uint32_t& chance : chances_) {
    const uint32_t kind = draw(4);
    chance = kind == 0 ? 0 : kind == 1 ? kWhole : draw(kWhole);
  }
  if (!one_order_) order_ = static_cast<Order>(draw(4));
}

void BackPressure::step(const Writes& writes) {
  if (left_ == 0) change();
  --left_;
  const uint64_t bits = random_();
  for (size_t i = 0; i < kChannels; ++i) open_[i] = ((bits >> (kChanceBits * i)) % kWhole) < chances_[i];

  bool& address = open_[static_cast<size_t>(AxiChannel::kWriteAddress)];
  bool& data = open_[static_cast<size_t>(AxiChannel::kWriteData)];
  switch (order_) {
    case Order::kAddressFirst: data = data && writes.open; break;
    case Order::kDataFirst: address = address && writes.ahead_whole; break;
    case Order::kTogether:
      // Data of a burst that was begun may pass by themselves, and so may an address that came second under another
      // order.
      if (writes.open) {
        address = false;
      } else if (writes.ahead) {
        data = false;
      } else {
        address = data = address && data && writes.address_waits && writes.data_wait;
      }
      break;
    case Order::kAny: break;
  }
}

}  // namespace vantage::sim
