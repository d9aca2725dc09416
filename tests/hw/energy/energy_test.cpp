// Energies by hand: laws between the numbers of a file, and events times what each takes.
#include <cmath>

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/settings.h"
#include "hw/energy/energy_json.h"
#include "hw/energy/energy_model.h"
#include "tests/catch.h"
#include "tests/support/temporary.h"

namespace vantage::test::hw_energy_energy_test {

using namespace vantage;
using energy::Curve;
using energy::Energy;
using energy::EnergyModel;
using energy::Part;

namespace {

std::filesystem::path models() {
  return source_dir() / "configs" / "energy";
}

EnergyModel model_of(const Json& json) {
  return EnergyModel::parse(json.dump(), "e.json", [](const std::string&) { return std::string(); });
}

// Of the file that comes with the project, to be changed.
Json json_of_45nm() {
  return parse_json(read_file(models() / "45nm.json", Bytes(1 << 20)), "45nm");
}

std::string refusal_of(const Json& json) {
  try {
    model_of(json);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

Approx near(double value) {
  return Approx(value).epsilon(1e-9);
}

}  // namespace

TEST_CASE("a curve is a power law between its points, and beyond them", "[unit]") {
  const Curve curve({{10, 5}, {40, 10}, {80, 40}}, 1);
  CHECK(curve.at(10) == near(5));
  CHECK(curve.at(20) == near(5 * std::sqrt(2)));
  CHECK(curve.at(40) == near(10));
  CHECK(curve.at(2.5) == near(2.5));
  CHECK(curve.at(160) == near(160));
  CHECK(Curve({{8, 2}}, 1).at(24) == near(6));
  CHECK(Curve({{8, 2}}, 0).at(24) == near(2));
}

TEST_CASE("what events take at 45 nm", "[unit]") {
  const auto events = EnergyModel::load(models() / "45nm.json").of(isa::Config::vta_default());
  CHECK(events.dram_byte.read == near(1950.0 / 8));
  CHECK(events.mac == near(0.2 + 0.1));  // 8 by 8 bits, and an addition of 32
  CHECK(events.alu_add == near(0.1));
  CHECK(events.alu_mul == near(3.1));
  CHECK(events.scratchpads[0].read == near(20 / 2.0));  // a micro-op of 32 bits in 32 KB
  CHECK(events.scratchpads[1].write == near(20 * 2));   // 128 bits in 32 KB
  const double slope = std::log(100.0 / 20) / std::log(32.0);
  CHECK(events.scratchpads[2].read == near(20 * std::pow(8, slope) * 32));  // 2048 bits in 256 KB
  CHECK(events.scratchpads[3].read == near(20 * std::pow(4, slope) * 8));   // 512 bits in 128 KB
  CHECK(events.scratchpads[4].read == near(20 * 2));                        // 128 bits in 32 KB
}

TEST_CASE("operands of other widths take what a power law says", "[unit]") {
  Json json = isa::Config::vta_default().to_json();
  json.update({{"LOG_INP_WIDTH", 2},
               {"LOG_WGT_WIDTH", 4},
               {"LOG_ACC_WIDTH", 4},
               {"LOG_ACC_BUFF_SIZE", 15},
               {"LOG_INP_BUFF_SIZE", 13}});
  const auto config = isa::Config::from_json(json, "test");
  const auto events = EnergyModel::load(models() / "45nm.json").of(config);
  const double sum16 = 0.03 * std::pow(2, std::log(0.1 / 0.03) / std::log(4.0));
  CHECK(events.mac == near(0.2 + sum16));  // 4 by 16 bits are as many as 8 by 8
  CHECK(events.alu_add == near(sum16));
}

TEST_CASE("a run's energy by component, its power and its efficiency", "[unit]") {
  Json json = json_of_45nm();
  json["static"]["mw"] = 5;
  const isa::Config config = isa::Config::vta_default();
  isa::Counters counters;
  counters.inp_load_nbytes = 1000;
  counters.uop_load_nbytes = 40;
  counters.out_store_nbytes = 500;
  counters.gemm_counter = 100;
  counters.alu_counter = 30;
  core::Activity activity;
  activity.insns = 10;
  activity.uop_reads = 200;
  activity.inp_reads = 100;
  activity.inp_writes = 50;
  activity.alu_mul_steps = 10;
  const Energy energy = model_of(json).spent(config, counters, activity, Cycles(1000));  // 10 us at 100 MHz
  CHECK(energy.of(Part::kDram) == near((1000 + 40 + 160 + 500) * 243.75));
  CHECK(energy.of(Part::kUop) == near(200 * 10));
  CHECK(energy.of(Part::kInp) == near(150 * 40));
  CHECK(energy.of(Part::kWgt) == 0);
  CHECK(energy.of(Part::kMac) == near(100 * 256 * 0.3));
  CHECK(energy.of(Part::kAlu) == near(16 * (20 * 0.1 + 10 * 3.1)));
  CHECK(energy.of(Part::kStatic) == near(5e-3 * 10e-6 * 1e12));
  const double total = 414375 + 2000 + 6000 + 7680 + 528 + 50000;
  CHECK(energy.total_pj() == near(total));
  CHECK(energy.scratchpads_pj() == near(8000));
  CHECK(*energy.watts() == near(total * 1e-12 / 10e-6));
  CHECK(*energy.edp() == near(total * 1e-12 * 10e-6));
  CHECK(*energy.tops_per_watt(51200) == near(51200 / total));

  Energy twice = energy;
  twice += energy;
  CHECK(twice.total_pj() == near(2 * total));
  CHECK(*twice.seconds == near(20e-6));

  const Energy untimed = model_of(json).spent(config, counters, activity, std::nullopt);
  CHECK(untimed.total_pj() == near(total - 50000));
  CHECK(!untimed.watts());
  CHECK(!untimed.tops_per_watt(1));
  const Json told = energy::to_json("45nm", untimed, 51200);
  CHECK(told["parts"].size() == 8);
  CHECK(!told.contains("watts"));
  CHECK(energy::to_json("45nm", energy, 51200)["tops_per_watt"].get<double>() == near(51200 / total));
}

TEST_CASE("every technology that comes with the project can be read", "[unit]") {
  const std::vector<std::string> names = settings_in(models());
  CHECK(names == std::vector<std::string>{"45nm", "7nm", "7nm-hbm2"});
  for (const std::string& name : names) {
    const EnergyModel model = EnergyModel::load(models() / (name + ".json"));
    CHECK(model.name() == name);
    CHECK(model.of(isa::Config::vta_default()).mac > 0);
  }
}

TEST_CASE("a technology with mistakes is refused by key, value and remedy", "[unit]") {
  const auto changed = [](auto change) {
    Json json = json_of_45nm();
    change(json);
    return refusal_of(json);
  };
  CHECK(changed([](Json& j) { j["drma"] = 1; }) == "e.json: unknown key \"drma\"; did you mean 'dram'?");
  CHECK(changed([](Json& j) { j["acelergy"] = "x"; }) == "e.json: unknown key \"acelergy\"; did you mean 'accelergy'?");
  CHECK(changed([](Json& j) { j.erase("add"); }) == "e.json: the key \"add\" is missing, expected an object");
  CHECK(changed([](Json& j) { j["dram"]["read"] = -1; }) ==
        "e.json: dram: read is -1, expected a number from 0 to 1000000000");
  CHECK(changed([](Json& j) { j["dram"]["source"] = ""; }) ==
        "e.json: dram: source is \"\", expected where the numbers come from");
  CHECK(changed([](Json& j) { j["add"].erase("source"); }) ==
        "e.json: add: the key \"source\" is missing, expected a string");
  CHECK(changed([](Json& j) { j["scratchpad"]["sizes"] = Json::array(); }) ==
        "e.json: scratchpad: sizes is [], expected one at least");
  CHECK(changed([](Json& j) { j["multiply"]["sizes"][1]["bits"] = 8; }) ==
        "e.json: multiply: sizes[1]: bits is 8, expected more than 8, which the one before has");
  CHECK(changed([](Json& j) { j["add"]["sizes"][0]["energy"] = 0; }) ==
        "e.json: add: sizes[0]: energy is 0, expected a number from 1e-09 to 1000000000");
  CHECK(refusal_of(Json::array()) == "e.json: expected an object, found []");
}

}  // namespace vantage::test::hw_energy_energy_test
