#include "hw/isa/config_name.h"

#include "tests/catch.h"
#include "tests/support/random_config.h"

namespace vantage::test::hw_isa_config_name_test {

using namespace vantage;
using isa::config_of_name;

TEST_CASE("a configuration's string gives it back", "[unit]") {
  for (const char* name : {"default", "8x8", "16x32", "batch2", "batch4_8x8", "int4", "pynq"}) {
    const auto config = test::shipped_config(name);
    CHECK(config_of_name(config.name()).name() == config.name());
  }
  CHECK(config_of_name("1x16_i8w8a32_15_15_18_17") == isa::Config::vta_default());
}

TEST_CASE("what is no configuration string is said", "[unit]") {
  for (const char* text : {"", "1x16", "1x16_i8w8a32_15_15_18", "1x16_i8w8a32_15_15_18_17_", "x16_i8w8a32_15_15_18_17",
                           "1x16_i8w8a32_15_15_18_-17", "99999999999x16_i8w8a32_15_15_18_17"}) {
    CHECK_THAT(ERROR_OF(config_of_name(text)), ContainsSubstring("is no configuration string, expected one as"));
  }
  CHECK_THAT(ERROR_OF(config_of_name("1x12_i8w8a32_15_15_18_17")), ContainsSubstring("12 is no power of two"));
  CHECK_THAT(ERROR_OF(config_of_name("1x16_i8w8a32_15_15_18_99")), ContainsSubstring("LOG_ACC_BUFF_SIZE"));
}

}  // namespace vantage::test::hw_isa_config_name_test
