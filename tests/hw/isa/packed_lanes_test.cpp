#include "hw/isa/packed_lanes.h"

#include "base/error.h"
#include "tests/catch.h"

namespace vantage::test::isa_packed_lanes_test {

using namespace vantage;

TEST_CASE("lanes lie one after another", "[unit]") {
  Tensor values(kInt32, {3});
  for (const auto& [e, value] : {std::pair{0, 1}, {1, -1}, {2, 7}}) values.set_integer(e, value);
  const auto bytes = pack_lanes(values, 4, Bytes(4));
  CHECK(bytes == std::vector<std::byte>{std::byte{0xf1}, std::byte{0x07}, std::byte{0}, std::byte{0}});
  CHECK(unpack_lanes(bytes, type_of(values), 4) == values);
  CHECK(pack_lanes(values, 16, Bytes(6))[2] == std::byte{0xff});
  CHECK(unpack_lanes(pack_lanes(values, 32, Bytes(12)), type_of(values), 32) == values);
  CHECK_THROWS_AS(pack_lanes(values, 16, Bytes(5)), InternalError);
}

}  // namespace vantage::test::isa_packed_lanes_test
