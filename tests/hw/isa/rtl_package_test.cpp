#include "hw/isa/rtl_package.h"

#include "base/file.h"
#include "base/json.h"
#include "hw/isa/registers.h"
#include "tests/catch.h"
#include "tests/support/golden.h"
#include "tests/support/random_config.h"
#include "tests/support/temporary.h"

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
  for (const auto& same : {changed("TARGET", "pynq"), changed("HW_VER", "9"), changed("CLOCK_MHZ", 200)}) {
    CHECK(isa::hardware_hash(same) == isa::hardware_hash(config));
    CHECK(isa::rtl_package(same) == isa::rtl_package(config));
  }
  for (const auto& other : {changed("LOG_BUS_WIDTH", 7), changed("LOG_BATCH", 1), changed("LOG_ACC_BUFF_SIZE", 16)}) {
    CHECK(isa::hardware_hash(other) != isa::hardware_hash(config));
    CHECK(isa::rtl_package(other) != isa::rtl_package(config));
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

TEST_CASE("docs/hardware.md has the register map that the hardware has", "[golden]") {
  const std::string page = read_file(test::source_dir() / "docs" / "hardware.md", Bytes(1 << 20));
  INFO("put the output of vantage rtl registers there");
  CHECK(page.find(isa::register_tables()) != std::string::npos);
}
