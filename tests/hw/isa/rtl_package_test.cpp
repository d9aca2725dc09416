#include "hw/isa/rtl_package.h"

#include <fmt/format.h>

#include <cctype>

#include "base/file.h"
#include "base/json.h"
#include "hw/isa/register_map.h"
#include "hw/isa/timing.h"
#include "tests/catch.h"
#include "tests/support/golden.h"
#include "tests/support/random_config.h"
#include "tests/support/temporary.h"

namespace vantage::test::hw_isa_rtl_package_test {

using namespace vantage;

namespace {

isa::Config changed(const std::string& key, const Json& value) {
  Json json = isa::Config::vta_default().to_json();
  json[key] = value;
  return isa::Config::from_json(json, "changed");
}

}  // namespace

TEST_CASE("the RTL's package of the default configuration", "[golden]") {
  CHECK(test::compare_golden("vta_pkg.sv", isa::rtl_package(isa::Config::vta_default())) == "");
}

TEST_CASE("only what shapes the hardware changes its hash and its package", "[unit]") {
  const auto config = isa::Config::vta_default();
  for (const auto& same : {changed("TARGET", "pynq"), changed("HW_VER", "0.0.1"), changed("CLOCK_MHZ", 200)}) {
    CHECK(isa::hardware_hash(same) == isa::hardware_hash(config));
    CHECK(isa::rtl_package(same) == isa::rtl_package(config));
  }
  for (const auto& other : {changed("LOG_BUS_WIDTH", 7), changed("LOG_BATCH", 1), changed("LOG_ACC_BUFF_SIZE", 16)}) {
    CHECK(isa::hardware_hash(other) != isa::hardware_hash(config));
    CHECK(isa::rtl_package(other) != isa::rtl_package(config));
  }
}

TEST_CASE("every depth and latency is a parameter of the RTL", "[unit]") {
  const std::string package = isa::rtl_package(isa::Config::vta_default());
  for (const isa::Timing& row : isa::kTimings) {
    std::string name;
    for (size_t i = 0; i < row.name.size(); ++i) {
      if (row.name[i] == '_') continue;
      const bool begins = i == 0 || row.name[i - 1] == '_';
      name += begins ? row.name[i] : static_cast<char>(std::tolower(static_cast<unsigned char>(row.name[i])));
    }
    CHECK_THAT(package, ContainsSubstring(fmt::format("  localparam int {} = {};\n", name, row.value)));
  }
}

TEST_CASE("registers do not overlap and have names of their own", "[unit]") {
  std::vector<std::pair<uint32_t, uint32_t>> ranges;
  std::vector<std::string> names;
  for (const auto& reg : isa::kControlRegisters) {
    ranges.push_back({reg.offset, reg.offset + reg.bits / 8});
    names.emplace_back(reg.name);
  }
  for (const auto& counter : isa::kHardwareCounters) {
    const uint32_t offset = isa::register_offset(counter.name);
    ranges.push_back({offset, offset + 8});
    names.emplace_back(counter.name);
  }
  std::sort(ranges.begin(), ranges.end());
  for (size_t i = 1; i < ranges.size(); ++i) CHECK(ranges[i - 1].second <= ranges[i].first);
  CHECK(ranges.back().second <= 4096);
  std::sort(names.begin(), names.end());
  CHECK(std::adjacent_find(names.begin(), names.end()) == names.end());
}

TEST_CASE("the bits of a register are different ones, and the register map of boards means them", "[unit]") {
  uint32_t status = 0;
  for (const isa::RegisterBit& bit : isa::kRegisterBits) {
    CHECK(bit.bit < isa::find_register(bit.reg).bits);
    if (bit.reg != "STATUS") continue;
    CHECK((status & bit.mask()) == 0);
    status |= bit.mask();
  }
  const auto path = test::source_dir() / "configs" / "boards" / "register_maps" / "vantage.json";
  const Json map = parse_json(read_file(path, Bytes(1 << 16)), "vantage.json");
  CHECK(map["idle"] == Json::array({"STATUS", isa::kStatusIdle.mask()}));
  CHECK(map["done"] == Json::array({"STATUS", isa::kStatusDone.mask()}));
  CHECK(map["error"] == Json::array({"STATUS", isa::kStatusError.mask()}));
  CHECK(map["clear"][0] == Json::array({"STATUS", isa::kStatusDone.mask() | isa::kStatusError.mask()}));
  CHECK(map["interrupt"][0] == Json::array({"IRQ_ENABLE", isa::kIrqEnableEnd.mask()}));
  CHECK(map["start"].back() == Json::array({"CONTROL", isa::kControlStart.mask()}));
}

TEST_CASE("docs/hardware.md has the register map that the hardware has", "[golden]") {
  const std::string page = read_file(test::source_dir() / "docs" / "hardware.md", Bytes(1 << 20));
  INFO("put the output of vantage rtl registers there");
  CHECK(page.find(isa::register_tables()) != std::string::npos);
}

TEST_CASE("docs/hardware.md has the timing that the hardware has, in its table and in its sentences", "[golden]") {
  const std::string page = read_file(test::source_dir() / "docs" / "hardware.md", Bytes(1 << 20));
  INFO("put this table there:\n" << isa::timing_table());
  CHECK(page.find(isa::timing_table()) != std::string::npos);
  // A sentence that states a number names its row: "at most 64 beats (`FETCH_BEATS`)"
  size_t stated = 0;
  for (const isa::Timing& row : isa::kTimings) {
    const std::string name = fmt::format("(`{}`)", row.name);
    for (size_t at = page.find(name); at != std::string::npos; at = page.find(name, at + 1), ++stated) {
      const size_t last = page.find_last_of("0123456789", at);
      const size_t first = page.find_last_not_of("0123456789", last) + 1;
      INFO(page.substr(first, at - first) << name);
      CHECK(page.substr(first, last + 1 - first) == std::to_string(row.value));
    }
  }
  CHECK(stated >= 10);
}

}  // namespace vantage::test::hw_isa_rtl_package_test
