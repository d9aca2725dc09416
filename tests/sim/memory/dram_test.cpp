#include "sim/memory/dram.h"

#include "tests/catch.h"

namespace vantage::test::sim_memory_dram_test {

using namespace vantage;
using sim::Dram;

TEST_CASE("DRAM starts as zeros, keeps what is written and clears", "[unit]") {
  Dram dram{Bytes(1 << 16)};
  const std::vector<std::byte> bytes = {std::byte{1}, std::byte{2}};
  dram.write(Bytes(65534), bytes);
  CHECK(dram.range(Bytes(65534), Bytes(2))[1] == std::byte{2});
  dram.clear();
  CHECK(dram.range(Bytes(65534), Bytes(2))[1] == std::byte{0});
}

TEST_CASE("a range that ends past DRAM is refused, however it overflows", "[unit]") {
  Dram dram{Bytes(1 << 16)};
  CHECK_NOTHROW(dram.range(Bytes(1 << 16), Bytes(0)));
  CHECK_THAT(ERROR_OF(dram.range(Bytes(65535), Bytes(2))), ContainsSubstring("ends past the memory's end at 0x10000"));
  CHECK_THROWS_AS(dram.range(Bytes(UINT64_MAX), Bytes(2)), vantage::Error);
  CHECK_THROWS_AS(dram.range(Bytes(2), Bytes(UINT64_MAX)), vantage::Error);
}

TEST_CASE("the whole 32-bit space costs no memory until it is written", "[unit]") {
  if (Dram::kDefaultSize < Dram::kFullSize) {
    CHECK_THAT(ERROR_OF(Dram()), ContainsSubstring("more than this machine's addresses reach"));
    return;
  }
  Dram dram;
  const std::vector<std::byte> byte = {std::byte{7}};
  dram.write(Bytes((uint64_t{1} << 32) - 1), byte);
  CHECK(dram.data()[(uint64_t{1} << 32) - 1] == std::byte{7});
}

}  // namespace vantage::test::sim_memory_dram_test
