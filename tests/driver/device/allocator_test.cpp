#include "driver/device/allocator.h"

#include <map>
#include <random>

#include "tests/catch.h"

namespace vantage::test::driver_device_allocator_test {

using namespace vantage;
using driver::Allocator;

TEST_CASE("allocations are aligned, disjoint and merge again when released", "[unit]") {
  Allocator allocator(Bytes(4096), Bytes(1 << 20), Bytes(64));
  const uint64_t all = allocator.free_bytes().count();
  std::mt19937_64 random(1);
  std::map<uint64_t, uint64_t> live;
  for (int i = 0; i < 5000; ++i) {
    if (live.size() < 50 && random() % 2 == 0) {
      const Bytes size(random() % 5000);
      const uint64_t at = allocator.allocate(size).count();
      CHECK(at % 64 == 0);
      const auto next = live.lower_bound(at);
      CHECK((next == live.end() || at + size.count() <= next->first));
      CHECK((next == live.begin() || std::prev(next)->first + std::prev(next)->second <= at));
      live[at] = size.count();
    } else if (!live.empty()) {
      const auto victim = std::next(live.begin(), static_cast<int64_t>(random() % live.size()));
      allocator.release(Bytes(victim->first), Bytes(victim->second));
      live.erase(victim);
    }
  }
  for (const auto& [at, size] : live) allocator.release(Bytes(at), Bytes(size));
  CHECK(allocator.free_bytes().count() == all);
  CHECK(allocator.allocate(Bytes(all)).count() == 4096);
}

TEST_CASE("a full memory says how much was wanted and how much is free", "[unit]") {
  Allocator allocator(Bytes(0), Bytes(1024), Bytes(64));
  allocator.allocate(Bytes(1000));
  CHECK_THAT(ERROR_OF(allocator.allocate(Bytes(1))),
             ContainsSubstring("memory is full: 1 bytes are wanted, 0 are free"));
}

}  // namespace vantage::test::driver_device_allocator_test
