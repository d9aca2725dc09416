#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>

#include "base/file.h"
#include "base/json.h"
#include "hw/fpga/area/area_model.h"
#include "hw/fpga/area/memory_map.h"
#include "hw/fpga/area/part_fit.h"
#include "hw/fpga/part.h"
#include "hw/isa/config.h"
#include "tests/catch.h"
#include "tests/support/random_config.h"
#include "tests/support/temporary.h"

namespace vantage::test::hw_fpga_area_test {

using namespace vantage;
using fpga::AreaModel;
using fpga::map_ram;
using fpga::MappedRam;
using fpga::RamPorts;

namespace {

using Row = std::map<std::string, int>;

std::vector<Row> table(const std::string& name) {
  constexpr Bytes kLargest{1 << 20};
  std::istringstream lines(read_file(source_dir() / "tools" / "area" / name, kLargest));
  std::vector<std::string> titles;
  std::vector<Row> rows;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream cells(line);
    std::vector<std::string> values;
    for (std::string value; std::getline(cells, value, ',');) values.push_back(value);
    if (titles.empty()) {
      titles = values;
      continue;
    }
    REQUIRE(values.size() == titles.size());
    rows.emplace_back();
    for (size_t i = 0; i < values.size(); ++i) rows.back()[titles[i]] = std::stoi(values[i]);
  }
  return rows;
}

isa::Config config_of(const Row& row) {
  Json json = {{"TARGET", "sim"}, {"HW_VER", "0.0.2"}, {"LOG_BLOCK", row.at("LOG_BLOCK_IN")}};
  for (const auto& [key, value] : row) {
    if (key.starts_with("LOG_")) json[key] = value;
  }
  return isa::Config::from_json(json, "row");
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values.at(values.size() / 2);
}

isa::Config changed(const Json& changes) {
  Json json = isa::Config::vta_default().to_json();
  json.update(changes);
  return isa::Config::from_json(json, "changed");
}

// Of scratchpads that hold a few elements each.
isa::Config small_config(int block_in, int block_out, int inp, int wgt, int acc) {
  const int inp_bytes = std::max(0, inp + block_in - 3), wgt_bytes = std::max(0, wgt + block_in + block_out - 3);
  return changed({{"LOG_BLOCK", block_in},
                  {"LOG_BLOCK_IN", block_in},
                  {"LOG_BLOCK_OUT", block_out},
                  {"LOG_BATCH", 2},
                  {"LOG_INP_WIDTH", inp},
                  {"LOG_WGT_WIDTH", wgt},
                  {"LOG_ACC_WIDTH", acc},
                  {"LOG_INP_BUFF_SIZE", inp_bytes + 6},
                  {"LOG_WGT_BUFF_SIZE", wgt_bytes + 6},
                  {"LOG_ACC_BUFF_SIZE", acc + block_out + 2 - 3 + 6}});
}

AreaModel series7() {
  return AreaModel::of_family("xc7").value();
}

}  // namespace

TEST_CASE("memories are mapped as Yosys maps them", "[unit]") {
  // By Yosys 0.23 of vta_ram alone, on 2026-11-26. Both reads of the second kind are used.
  const auto halves = [](uint64_t width, uint64_t depth, RamPorts ports) {
    return map_ram(width, depth, ports, width).block_rams_18k;
  };
  struct {
    uint64_t width, depth, one_read, two_reads;
  } const kMapped[] = {{8, 512, 1, 1},      {8, 8192, 4, 4},       {16, 1024, 1, 1},    {16, 2048, 2, 2},
                       {32, 256, 1, 2},     {32, 512, 1, 2},       {32, 1024, 2, 2},    {32, 4096, 8, 8},
                       {64, 256, 2, 4},     {64, 512, 2, 4},       {64, 2048, 8, 8},    {128, 512, 4, 8},
                       {128, 2048, 15, 15}, {128, 4096, 30, 30},   {256, 256, 8, 15},   {256, 1024, 15, 15},
                       {256, 4096, 58, 58}, {512, 256, 15, 29},    {512, 1024, 29, 29}, {512, 4096, 114, 114},
                       {1024, 512, 29, 57}, {2048, 1024, 114, 114}};
  for (const auto& ram : kMapped) {
    CAPTURE(ram.width, ram.depth);
    CHECK(halves(ram.width, ram.depth, RamPorts::kWriteRead) == ram.one_read);
    CHECK(halves(ram.width, ram.depth, RamPorts::kReadBack) == ram.two_reads);
  }
  CHECK(halves(128, 32768, RamPorts::kWriteRead) == 240);
  CHECK(halves(256, 16384, RamPorts::kWriteRead) == 232);
  // In LUTs
  CHECK(map_ram(64, 64, RamPorts::kWriteRead, 64) == MappedRam{22 * 4, 64, 0, 1});
  CHECK(map_ram(8, 256, RamPorts::kWriteRead, 8) == MappedRam{12 * 4, 8, 0, 4});
  CHECK(map_ram(64, 128, RamPorts::kReadBack, 64) == MappedRam{64 * 4, 128, 0, 1});
  CHECK(map_ram(64, 128, RamPorts::kUnusedBack, 64) == MappedRam{64 * 4, 64, 0, 1});
  // A copy that is not read, and bits that are not, are left out.
  CHECK(halves(32, 512, RamPorts::kUnusedBack) == 1);
  CHECK(map_ram(32, 4096, RamPorts::kUnusedBack, 22).block_rams_18k == 6);
}

TEST_CASE("the estimate is near what Yosys counts of configurations that it was not fitted to", "[unit]") {
  const AreaModel model = series7();
  std::vector<double> luts, flip_flops;
  const auto error = [](uint64_t estimated, int counted) {
    return std::abs(static_cast<double>(estimated) - counted) / counted;
  };
  for (const Row& row : table("check-xc7.csv")) {
    const isa::Config config = config_of(row);
    CAPTURE(config.name(), row.at("LOG_BUS_WIDTH"));
    const fpga::Resources estimated = model.estimate(config);
    CHECK(estimated == fpga::estimate_resources(config, "xc7"));
    CHECK(model.beyond(config).empty());
    CHECK(static_cast<int>(estimated.block_rams) == row.at("block_rams"));
    CHECK(static_cast<int>(estimated.dsps) == row.at("dsps"));
    luts.push_back(error(estimated.luts, row.at("luts")));
    flip_flops.push_back(error(estimated.flip_flops, row.at("flip_flops")));
  }
  CHECK(luts.size() >= 20);
  CHECK(median(luts) < 0.10);
  CHECK(median(flip_flops) < 0.10);
}

TEST_CASE("the tile's columns are looked up", "[unit]") {
  const AreaModel model = series7();
  for (const Row& row : table("columns-xc7.csv")) {
    const int together = row.at("columns");
    constexpr int kByte = 3;  // no weight is less, in logarithms
    if (row.at("LOG_BLOCK_IN") + row.at("LOG_WGT_WIDTH") + together - 1 < kByte) continue;
    const isa::Config config = small_config(row.at("LOG_BLOCK_IN"), together - 1, row.at("LOG_INP_WIDTH"),
                                            row.at("LOG_WGT_WIDTH"), row.at("LOG_ACC_WIDTH"));
    if (fpga::columns_together(config) != together) continue;
    const fpga::AreaColumn column = model.column(config);
    CHECK(static_cast<int>(column.luts) == row.at("luts"));
    CHECK(static_cast<int>(column.flip_flops) == row.at("flip_flops"));
    CHECK(static_cast<int>(column.dsps) == row.at("dsps"));
  }
  // Products that are too wide for two
  CHECK(fpga::columns_together(small_config(2, 2, 3, 3, 5)) == 2);
  CHECK(fpga::columns_together(small_config(2, 2, 4, 4, 5)) == 1);
  // Deeper ones than any in the table take as much as several.
  CHECK(model.column(small_config(6, 1, 3, 3, 5)).dsps == 2 * model.column(small_config(5, 1, 3, 3, 5)).dsps);
}

TEST_CASE("no configuration is both fitted and held out", "[unit]") {
  std::vector<Row> held_out = table("check-xc7.csv");
  for (const Row& row : table("fit-xc7.csv")) {
    CHECK(std::none_of(held_out.begin(), held_out.end(), [&](const Row& other) {
      return std::all_of(row.begin(), row.end(), [&](const auto& entry) {
        return !entry.first.starts_with("LOG_") || other.at(entry.first) == entry.second;
      });
    }));
  }
}

TEST_CASE("an estimate says where it was not fitted", "[unit]") {
  const AreaModel model = series7();
  CHECK(model.covers(isa::Config::vta_default()));
  const isa::Config wide = changed({{"LOG_BUS_WIDTH", 9}});
  CHECK_FALSE(model.covers(wide));
  CHECK(model.beyond(wide) == "LOG_BUS_WIDTH is 9, and the estimate was fitted from 6 to 8 only");
  // It is made all the same, and grows with what it counts.
  CHECK(model.estimate(wide).luts > model.estimate(isa::Config::vta_default()).luts);
  CHECK(model.beyond(changed({{"LOG_BATCH", 3}})).starts_with("LOG_BATCH is 3, and"));
  CHECK(model.caveat("xc7").empty());
  CHECK_THAT(model.caveat("xcup"), ContainsSubstring("fitted to Series 7"));
  CHECK_FALSE(model.serves("ice40"));
  CHECK(ERROR_OF(fpga::estimate_resources(wide, "ice40")) ==
        "no estimate is known of the family ice40, what a core takes there");
}

TEST_CASE("the shipped parts are sound and named as their files", "[unit]") {
  int parts = 0;
  for (const auto& entry : std::filesystem::directory_iterator(source_dir() / "configs" / "parts")) {
    const fpga::Part part = fpga::Part::load(entry.path());
    CHECK(part.name == entry.path().stem().string());
    CHECK(part.part.starts_with(part.name));
    ++parts;
  }
  CHECK(parts == 8);
  // Those that are on boards too
  const auto of_board = [](const char* board) {
    return fpga::Part::of_board(
        fpga::Board::load(source_dir() / "configs" / "boards" / (std::string(board) + ".json")));
  };
  for (const auto& [name, board] : {std::pair("xc7z020", "pynq-z1"), {"xczu3eg", "ultra96"}, {"xczu7ev", "zcu104"}}) {
    fpga::Part part = fpga::Part::load(source_dir() / "configs" / "parts" / (std::string(name) + ".json"));
    part.name = board;
    part.source = of_board(board).source;
    CHECK(part == of_board(board));
  }
  CHECK_THAT(ERROR_OF(fpga::Part::parse(R"({"name": "p", "part": "p", "source": "s", "family": "ice40"})", "p.json")),
             ContainsSubstring("p.json: family is \"ice40\", expected xc7 or xcup"));
}

TEST_CASE("a model's mistakes are named by key", "[unit]") {
  constexpr Bytes kLargest{1 << 20};
  const Json json = parse_json(read_file(source_dir() / "configs" / "area" / "xc7.json", kLargest), "xc7.json");
  const auto error_with = [&](const std::string& pointer, const Json& value) {
    Json changed = json;
    changed[Json::json_pointer(pointer)] = value;
    return ERROR_OF(AreaModel::parse(changed.dump(), "a.json"));
  };
  CHECK_THAT(error_with("/luts/bus_bit", 1),
             ContainsSubstring("a.json: luts: unknown key \"bus_bit\"; did you mean 'bus_bits'?"));
  CHECK_THAT(error_with("/range/LOG_BUS_WIDTH", {8, 6}), ContainsSubstring("the least and the most, as [2, 4]"));
  CHECK_THAT(error_with("/columns/0/depth", 9), ContainsSubstring("columns[0]: depth is 9"));
  Json fewer = json;
  fewer["columns"].erase(0);
  CHECK_THAT(ERROR_OF(AreaModel::parse(fewer.dump(), "a.json")),
             ContainsSubstring("one for together 1, inp 2, wgt 2, acc 4 and depth 0 as well"));
  CHECK_THAT(error_with("/also/xcup", 1), ContainsSubstring("also: xcup is 1"));
}

TEST_CASE("a part's shares are told fullest first, and never as if what is too much fitted", "[unit]") {
  const fpga::Part part{"p", "p-1", "xc7", 1000, 2000, 0, 40, "a test"};
  const auto text = [&](const fpga::Resources& used) { return fpga::fullest_text(used, part); };
  CHECK(text({500, 100, 0, 20}) == "50% LUTs");
  CHECK(text({500, 100, 0, 39}) == "97% RAMs");
  CHECK(text({1001, 100, 0, 60}) == "150% RAMs, 101% LUTs");
  CHECK(text({1000, 1999, 0, 40}) == "100% LUTs");
  CHECK(text({1000, 1999, 1, 40}) == "DSPs of none");
  CHECK(text({}) == "0% LUTs");
  CHECK(fpga::fits({1000, 1999, 0, 40}, part));
  CHECK(!fpga::fits({1001, 100, 0, 20}, part));
  CHECK(!fpga::fits({1, 1, 1, 1}, part));
  CHECK(fpga::part_shares({1001, 100, 0, 60}, part)[1].of->key == std::string("luts"));
}

TEST_CASE("whether a core fits a part is by the model of its family", "[unit]") {
  const auto load = [](const char* name) {
    return isa::Config::load(source_dir() / "configs" / "accelerators" / (std::string(name) + ".json"));
  };
  const fpga::PartFit zynq(fpga::Part::load(source_dir() / "configs" / "parts" / "xc7z020.json"));
  CHECK(zynq.estimate(load("default")) == AreaModel::of_family("xc7")->estimate(load("default")));
  CHECK(zynq.caveat().empty());
  CHECK(!zynq.is_extrapolated(load("default")));
  CHECK(zynq.is_extrapolated(load("32x32")));
  const fpga::PartFit ultra(fpga::Part::load(source_dir() / "configs" / "parts" / "xczu3eg.json"));
  CHECK_THAT(ultra.caveat(), ContainsSubstring("UltraScale+"));
  fpga::Part other = zynq.part();
  other.family = "ice40";
  CHECK_THAT(ERROR_OF(fpga::PartFit(other)), ContainsSubstring("ice40"));
  const std::string file = to_json(ultra.part()).dump();
  CHECK(fpga::Part::parse(file, "p.json") == ultra.part());
}

}  // namespace vantage::test::hw_fpga_area_test
