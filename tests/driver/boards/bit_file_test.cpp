#include "driver/boards/bit_file.h"

#include "tests/catch.h"
#include "tests/driver/boards/bit_bytes.h"

namespace vantage::test::driver_boards_bit_file_test {

using namespace vantage;
using namespace vantage::test;
using boards::parse_bit_file;

TEST_CASE("a .bit file says what it is and whom it is for", "[unit]") {
  const auto file = parse_bit_file(bit_bytes(), "vta.bit");
  CHECK(file.design == "vta_wrapper;UserID=0XFFFFFFFF;Version=2018.3");
  CHECK(file.part == "7z020clg400");
  CHECK(file.date == "2019/05/07");
  CHECK(file.time == "15:04:05");
  CHECK(file.configuration == configuration(0x03727093));
  CHECK(file.idcode() == 0x03727093);
}

TEST_CASE("a .bin file is the words with their low byte first", "[unit]") {
  const std::string bin = parse_bit_file(bit_bytes(), "vta.bit").bin();
  REQUIRE(bin.size() == configuration(0x03727093).size());
  // The sync word as the kernel's driver looks for it
  CHECK(bin.find("\x66\x55\x99\xaa") == 24);
  CHECK(bin.substr(48, 4) == std::string("\x93\x70\x72\x03", 4));
}

TEST_CASE("an IDCODE is found among packets, not among frames", "[unit]") {
  const auto idcode = [](const std::string& payload) {
    return parse_bit_file(bit_bytes("7z020clg400", payload), "x").idcode();
  };
  CHECK(idcode(words({0xaa995566, 0x30018001, 0x11111111})) == 0x11111111);
  CHECK(idcode(words({0xaa995566, 0x20000000})) == std::nullopt);
  CHECK(idcode(words({0xaa995566, 0x30018001})) == std::nullopt);
  CHECK(idcode(words({0x30018001, 0x11111111, 0xaa995566})) == std::nullopt);
  // Behind frames, as one word of them, and as the second word of another packet
  CHECK(idcode(words({0xaa995566, 0x30004001, 0x30018001, 0x11111111})) == std::nullopt);
  CHECK(idcode(words({0xaa995566, 0x30008002, 0x30018001, 0x11111111, 0x30018001, 0x22222222})) == 0x22222222);
  CHECK(idcode(words({0xaa995566, 0x57ffffff, 0x30018001, 0x11111111})) == std::nullopt);
}

TEST_CASE("files that are none say what is wrong, and where", "[unit]") {
  const std::string whole = bit_bytes();
  const auto refusal = [](const std::string& bytes) { return ERROR_OF(parse_bit_file(bytes, "x.bit")); };
  CHECK(refusal("") == "x.bit: is cut off: the header at byte 0 has 2 bytes, 0 are left");
  CHECK(refusal(parse_bit_file(whole, "x").bin()) ==
        "x.bit: does not begin as a .bit file does; a .bin file, which names no part, is not taken");
  CHECK(refusal("\x7f"
                "ELF and so on") ==
        "x.bit: does not begin as a .bit file does; a .bin file, which names no part, is not taken");
  CHECK(refusal(whole.substr(0, whole.size() - 4)) ==
        fmt::format("x.bit: is cut off: the configuration at byte {} has {} bytes, {} are there",
                    whole.size() - configuration(0).size(), configuration(0).size(), configuration(0).size() - 4));
  CHECK_THAT(refusal(whole + "more"), ContainsSubstring("has something behind it"));
  std::string wrong = whole;
  wrong[13] = 'z';
  CHECK(refusal(wrong) == "x.bit: byte 13 is 0x7a, expected the field 'a' of a .bit file");
  CHECK_THAT(refusal(bit_bytes("part\n")), ContainsSubstring("field 'b' is no text"));
  CHECK_THAT(refusal(bit_bytes("7z020clg400", "abcde")), ContainsSubstring("has 5 bytes, expected whole words of 4"));
  CHECK_THAT(refusal(bit_bytes("7z020clg400", "")), ContainsSubstring("has 0 bytes, expected whole words of 4"));
  CHECK(refusal(bit_bytes("7z020clg400", "abcd")) == "x.bit: the configuration has no sync word 0xaa995566");
  // Every prefix is refused, and none is read beyond
  for (size_t size = 0; size < whole.size(); ++size) {
    CHECK_THAT(refusal(whole.substr(0, size)), ContainsSubstring("x.bit: "));
  }
}

TEST_CASE("parts are compared by device and package", "[unit]") {
  CHECK(boards::same_part("7z020clg400", "xc7z020clg400-1"));
  CHECK(boards::same_part("xc7z020clg400-1", "xc7z020clg400-2"));
  CHECK(boards::same_part("xczu3eg-sbva484-1-e", "xczu3eg-sbva484-1-i"));
  CHECK_FALSE(boards::same_part("7z010clg400", "xc7z020clg400-1"));
  CHECK_FALSE(boards::same_part("7z020clg484", "xc7z020clg400-1"));
  CHECK_FALSE(boards::same_part("xczu3eg-sfvc784-1-e", "xczu3eg-sbva484-1-e"));
  CHECK_FALSE(boards::same_part("xczu7ev-ffvc1156-2-e", "xczu3eg-sbva484-1-e"));
  CHECK_FALSE(boards::same_part("", "xc7z020clg400-1"));
}

}  // namespace vantage::test::driver_boards_bit_file_test
