// Tables of Accelergy's kind, and the YAML that they are.
#include "base/error.h"
#include "base/json.h"
#include "hw/energy/energy_model.h"
#include "hw/energy/yaml.h"
#include "tests/catch.h"

namespace vantage::test::hw_energy_accelergy_test {

using namespace vantage;
using energy::EnergyModel;
using energy::parse_yaml;

namespace {

// Both versions of the format, with numbers that are easy to follow.
constexpr const char* kTable = R"(ERT:
  version: '0.4'
  tables:
  - name: top.DRAM[1..1]
    actions:
    - {name: read, arguments: {}, energy: 512.0}
    - {name: write, arguments: {}, energy: 256}
    - {name: leak, arguments: {}, energy: 0.0}
  - name: top.glb
    actions:
    - {name: read, arguments: {address_delta: 0, data_delta: 0}, energy: 1}
    - {name: read, arguments: {address_delta: 1, data_delta: 1}, energy: 32}
    - {name: write, arguments: {address_delta: 1, data_delta: 1}, energy: 16}
  - name: top.PE[0..15].spad[1..2]
    actions:
    - name: read
      arguments: null
      energy: 1.5
    - name: update
      arguments: null
      energy: 5e-1
    - name: leak
      arguments: null
      energy: 0.25
  - name: top.PE[0..15].mac
    actions:
    - {name: compute, arguments: null, energy: 0.75}
    - {name: idle, arguments: null, energy: 0.5}
    - {name: leak, arguments: null, energy: 2}
)";

Json mapping() {
  const Json spad = {{"component", "top.PE.spad"}, {"bits", 16}, {"write", "update"}};
  const Json glb = {{"component", "top.glb"}, {"bits", 64}, {"arguments", {{"address_delta", 1}, {"data_delta", 1}}}};
  return {{"name", "test"},
          {"meaning", "a table"},
          {"accelergy", "t.yaml"},
          {"components",
           {{"dram", {{"component", "top.DRAM"}, {"bits", 64}}},
            {"uop", spad},
            {"inp", glb},
            {"wgt", glb},
            {"acc", spad},
            {"out", spad},
            {"mac", {{"component", "top.PE[0..15].mac"}}},
            {"alu", {{"component", "top.PE.mac"}, {"action", "idle"}, {"multiply", "compute"}}},
            {"static", {{"components", {"top.PE.spad", "top.PE.mac"}}}}}}};
}

EnergyModel model_of(const Json& json, const std::string& table = kTable) {
  return EnergyModel::parse(json.dump(), "m.json", [&](const std::string& file) {
    CHECK(file == "t.yaml");
    return table;
  });
}

std::string refusal_of(const Json& json, const std::string& table = kTable) {
  try {
    model_of(json, table);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

std::string yaml_refusal(const std::string& text) {
  try {
    parse_yaml(text, "y");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a table's energies, by what its components are here", "[unit]") {
  const auto events = model_of(mapping()).of(isa::Config::vta_default());
  CHECK(events.dram_byte.read == Approx(64));
  CHECK(events.dram_byte.write == Approx(32));
  CHECK(events.scratchpads[0].read == Approx(3));     // 32 bits of micro-op, 16 at a time
  CHECK(events.scratchpads[0].write == Approx(1));    // by the action that was named
  CHECK(events.scratchpads[1].read == Approx(64));    // 128 bits, 64 at a time
  CHECK(events.scratchpads[2].write == Approx(512));  // 2048 bits
  CHECK(events.mac == Approx(0.75));
  CHECK(events.alu_add == Approx(0.5));
  CHECK(events.alu_mul == Approx(0.75));
  CHECK(events.static_per_cycle == Approx(32 * 0.25 + 16 * 2));
  CHECK(events.static_mw == 0);
}

TEST_CASE("what a table does not have is refused by name", "[unit]") {
  const auto changed = [](auto change) {
    Json json = mapping();
    change(json["components"]);
    return refusal_of(json);
  };

  CHECK(changed([](Json& c) { c["mac"]["component"] = "top.glp"; }) ==
        "m.json: components: mac: component is \"top.glp\", and t.yaml has no such component; did you mean 'top.glb'?");
  CHECK(changed([](Json& c) { c["uop"]["write"] = "updat"; }) ==
        "m.json: components: uop: top.PE.spad of t.yaml has no action updat; did you mean 'update'?");
  CHECK(changed([](Json& c) { c["inp"].erase("arguments"); }) ==
        "m.json: components: inp: top.glb has several entries for the action read; say which by \"arguments\", as "
        "{\"address_delta\":1,\"data_delta\":1}");
  CHECK(changed([](Json& c) { c.erase("out"); }) ==
        "m.json: components: the key \"out\" is missing, expected an object");
  CHECK(changed([](Json& c) { c["dram"].erase("bits"); }) ==
        "m.json: components: dram: the key \"bits\" is missing, expected an integer from 1 to 1048576");
  CHECK(changed([](Json& c) { c["gemm"] = 1; }).starts_with("m.json: components: unknown key \"gemm\""));
  CHECK(refusal_of(mapping(), "ERT: {tables: [{name: a, actions: [{name: read, energy: x}]}]}") ==
        "t.yaml: tables[0]: actions[0]: energy is \"x\", expected a number from 0 to 1000000000");
  CHECK(refusal_of(mapping(), "tables: []") == "t.yaml: the key \"ERT\" is missing, expected an object");
}

TEST_CASE("YAML is read as JSON", "[unit]") {
  CHECK(parse_yaml("a: 1\nb: [x, 'y', \"z\", -1.5e3, +2, true, ~, '7', .5]\nc: {d: null}\n", "y") ==
        Json({{"a", 1}, {"b", {"x", "y", "z", -1500.0, 2.0, true, nullptr, "7", 0.5}}, {"c", {{"d", nullptr}}}}));
  CHECK(parse_yaml("- inf\n- nan\n- 0x10\n- 1e999\n- 1 2\n- '-'\n-\n", "y") ==
        Json({"inf", "nan", "0x10", "1e999", "1 2", "-", nullptr}));
}

TEST_CASE("YAML that is none, or more than tables need, is refused with its place", "[unit]") {
  CHECK(yaml_refusal("a: [1, 2") == "y: line 2, column 1: this is no YAML: did not find expected ',' or ']'");
  CHECK(yaml_refusal("a: 1\na: 2") == "y: line 2, column 1: the key \"a\" is there twice");
  CHECK(yaml_refusal("a: &b 1\nc: *b").starts_with("y: line 1, column 4: anchors are not read"));
  CHECK(yaml_refusal("a: *b").starts_with("y: line 1, column 4: aliases are not read"));
  CHECK(yaml_refusal("a: !!str 1").starts_with("y: line 1, column 4: tags are not read"));
  CHECK(yaml_refusal("? [a]\n: 1").ends_with("a key is expected to be a word"));
  CHECK(yaml_refusal("a: 1\n---\nb: 2").ends_with("a second document begins; one is expected"));
  CHECK(yaml_refusal("").ends_with("the file has nothing in it"));
  CHECK(yaml_refusal(std::string(200, '[')).ends_with("nested too deeply"));
}

}  // namespace vantage::test::hw_energy_accelergy_test
