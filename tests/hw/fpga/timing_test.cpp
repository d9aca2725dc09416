// Static timing by hand-made netlists: every delay is counted by hand.
#include "base/json.h"
#include "hw/fpga/timing/cell_delays.h"
#include "hw/fpga/timing/netlist.h"
#include "hw/fpga/timing/static_timing.h"
#include "tests/catch.h"

namespace vantage::test::hw_fpga_timing_test {

using namespace vantage;
using fpga::CellDelays;
using fpga::Netlist;

namespace {

// Cells by hand: {type, {pin: [bits]}, outputs, parameters}.
struct Design {
  Json module = {{"ports", Json::object()}, {"cells", Json::object()}, {"netnames", Json::object()}};

  Design& port(const std::string& name, const std::string& direction, const Json& bits) {
    module["ports"][name] = {{"direction", direction}, {"bits", bits}};
    return named(name, bits);
  }
  Design& named(const std::string& name, const Json& bits) {
    module["netnames"][name] = {{"bits", bits}};
    return *this;
  }
  Design& cell(const std::string& type, const Json& inputs, const Json& outputs,
               const Json& parameters = Json::object()) {
    Json directions = Json::object(), connections = Json::object();
    for (const auto& [pin, bits] : inputs.items()) {
      directions[pin] = "input";
      connections[pin] = bits;
    }
    for (const auto& [pin, bits] : outputs.items()) {
      directions[pin] = "output";
      connections[pin] = bits;
    }
    module["cells"]["c" + std::to_string(module["cells"].size())] = {
        {"type", type}, {"parameters", parameters}, {"port_directions", directions}, {"connections", connections}};
    return *this;
  }
  Design& flip_flop(int d, int q) { return cell("FDRE", {{"D", {d}}, {"C", {1}}}, {{"Q", {q}}}); }

  Netlist netlist() const {
    const Json file = {{"modules", {{"top", module}}}};
    return Netlist::parse(file.dump(), "n.json", "top");
  }
};

fpga::Timing timing(const Design& design, const fpga::TimingOptions& options = {}) {
  return fpga::analyze_timing(design.netlist(), CellDelays::of_family("xc7").value(), options);
}

}  // namespace

TEST_CASE("a path is the launch, the nets, the cells and the setup", "[unit]") {
  Design d;
  d.flip_flop(9, 2).named("m.a_q", {2});
  d.cell("LUT2", {{"I0", {2}}, {"I1", {3}}}, {{"O", {4}}}).named("m.sum", {4});
  d.cell("LUT1", {{"I0", {4}}}, {{"O", {5}}});
  d.flip_flop(5, 6).named("n.b_q", {6});
  d.flip_flop(4, 3);
  const auto t = timing(d);
  // 0.456, net 0.45, LUT 0.124, net of two 0.6, LUT 0.124, none to the register beside it, setup 0.08
  CHECK(t.worst_ns == Approx(0.456 + 0.45 + 0.124 + 0.6 + 0.124 + 0.08));
  REQUIRE(!t.worst.empty());
  const auto& path = t.worst[0];
  CHECK(path.to() == "n.b_q");
  REQUIRE(path.steps.size() == 3);
  CHECK(path.steps[0].net == "m.sum");
  CHECK(path.steps[1].fan_out == 2);
  CHECK(path.steps[1].pin == "I0");
  CHECK(path.steps[2].cell == "FDRE");
  CHECK(path.steps[2].at_ns == Approx(t.worst_ns));
  CHECK(t.ends() == 2);
  CHECK(t.ends_beyond(1) == 2);
  CHECK(t.ends_beyond(2) == 0);
}

TEST_CASE("carry chains are fast inside, block RAMs and DSP slices far", "[unit]") {
  Design carry;
  carry.flip_flop(9, 2);
  carry.cell("CARRY4", {{"CI", {"0"}}, {"S", {2, "0", "0", "0"}}, {"DI", {"0", "0", "0", "0"}}, {"CYINIT", {"0"}}},
             {{"CO", {10, 11, 12, 13}}, {"O", {14, 15, 16, 17}}});
  carry.cell("CARRY4", {{"CI", {13}}, {"S", {"0", "0", "0", "0"}}, {"DI", {"0", "0", "0", "0"}}, {"CYINIT", {"0"}}},
             {{"CO", {20, 21, 22, 23}}, {"O", {24, 25, 26, 27}}});
  carry.flip_flop(25, 30);
  CHECK(timing(carry).worst_ns == Approx(0.456 + 0.45 + 0.508 + 0 + 0.334 + 0 + 0.08));

  Design ram;
  ram.cell("RAMB36E1", {{"ADDRARDADDR", {9}}}, {{"DOADO", {2}}}, {{"DOA_REG", "00000000000000000000000000000000"}});
  ram.flip_flop(2, 9);
  CHECK(timing(ram).worst_ns == Approx(2.454 + 0.7 + 0.08));

  Design dsp;
  dsp.flip_flop(40, 2);
  dsp.cell("DSP48E1", {{"A", {2}}, {"B", {2}}}, {{"P", {3}}}, {{"AREG", 0}, {"BREG", 0}, {"MREG", 0}, {"PREG", 0}});
  dsp.flip_flop(3, 4);
  CHECK(timing(dsp).worst_ns == Approx(0.456 + 0.85 + 3.841 + 0.7 + 0.08));
  Design piped;
  piped.flip_flop(40, 2);
  piped.cell("DSP48E1", {{"A", {2}}, {"B", {2}}}, {{"P", {3}}}, {{"AREG", 0}, {"BREG", 0}, {"MREG", 1}, {"PREG", 0}});
  piped.flip_flop(3, 4);
  // Two paths: to the multiplier's register, and from it
  CHECK(timing(piped).worst_ns == Approx(std::max(0.456 + 0.85 + 1.928, 2.305 + 0.7 + 0.08)));
}

TEST_CASE("ports have something behind them, but a reset that is early", "[unit]") {
  Design d;
  d.port("in_i", "input", {2}).port("rst_ni", "input", {3}).port("out_o", "output", {4});
  d.cell("LUT2", {{"I0", {2}}, {"I1", {3}}}, {{"O", {4}}});
  CHECK(timing(d).worst_ns == Approx(1.5 + 0.45 + 0.124 + 1.5));
  CHECK(timing(d, {.early_inputs = {"rst_ni"}}).worst[0].from == "in_i");
  CHECK(timing(d).worst[0].to() == "out_o");
  CHECK(timing(d, {.early_inputs = {"in_i", "rst_ni"}}).worst_ns == Approx(0.45 + 0.124 + 1.5));
}

TEST_CASE("paths between the same modules are one, the longest", "[unit]") {
  Design d;
  d.flip_flop(90, 2).named("a.x_q", {2});
  d.flip_flop(2, 3).named("b.y_q", {3});
  d.cell("LUT1", {{"I0", {2}}}, {{"O", {5}}});
  d.flip_flop(5, 6).named("b.z_q", {6});
  const auto t = timing(d);
  REQUIRE(t.worst.size() == 1);
  CHECK(t.worst[0].ends == 2);
  CHECK(t.worst[0].to() == "b.z_q");
  CHECK(fpga::module_of("a.b.c_q[3]") == "a.b");
  CHECK(fpga::module_of("c_q") == "");
}

TEST_CASE("names of the source come before those of the synthesis, and registers before wires", "[unit]") {
  Design d;
  d.flip_flop(9, 2);
  d.named("$abc$1", {2}).named("core.load.left", {2}).named("core.load.burst.left_q", {2}).named("left", {2});
  d.named("$abc$2", {9});
  const auto netlist = d.netlist();
  CHECK(netlist.names[2] == "core.load.burst.left_q");
  CHECK(netlist.names[9] == "$abc$2");
}

TEST_CASE("what cannot be timed is refused", "[unit]") {
  Design loop;
  loop.cell("LUT1", {{"I0", {2}}}, {{"O", {3}}}).cell("LUT1", {{"I0", {3}}}, {{"O", {2}}}).named("looping", {2});
  CHECK_THAT(ERROR_OF(timing(loop)), ContainsSubstring("nets depend on themselves"));
  Design unknown;
  unknown.cell("GTXE2_CHANNEL", {{"I", {2}}}, {{"O", {3}}});
  CHECK(ERROR_OF(timing(unknown)) == "no delays are known of GTXE2_CHANNEL (xc7z-1)");
  Design twice;
  twice.flip_flop(2, 3).flip_flop(2, 3).named("both", {3});
  CHECK(ERROR_OF(twice.netlist()) == "n.json: net both has two drivers");
  CHECK(ERROR_OF(Netlist::parse("{}", "n.json", "top")) == "n.json: no module top with cells");
  CHECK_THAT(ERROR_OF(Netlist::parse("{", "n.json", "top")), ContainsSubstring("n.json: "));
  CHECK_THAT(ERROR_OF(Netlist::parse(R"({"modules": {"top": {"cells": {"a": {"type": 3}}}}})", "n.json", "top")),
             ContainsSubstring("n.json: cells.a: type is 3"));
  CHECK(CellDelays::of_family("xcup") == std::nullopt);
}

TEST_CASE("delays that make no sense are refused by key", "[unit]") {
  const Json shipped = parse_json(fpga::delay_files().at(0).text, "shipped");
  const auto error = [&](const Json::json_pointer& at, const Json& value) {
    Json changed = shipped;
    changed[at] = value;
    return ERROR_OF(CellDelays::parse(changed.dump(), "d.json"));
  };
  using At = Json::json_pointer;
  CHECK_THAT(error(At("/nets/base"), -1), ContainsSubstring("d.json: nets: base is -1"));
  CHECK_THAT(error(At("/nets/bas"), 1), ContainsSubstring("unknown key \"bas\"; did you mean 'base'?"));
  CHECK_THAT(error(At("/calibration/nominal_ns"), 0), ContainsSubstring("nominal_ns is 0"));
  CHECK_THAT(error(At("/cells/0/types"), {"MUXF7"}), ContainsSubstring("each type once, and MUXF7 comes again"));
  CHECK_THAT(error(At("/cells/0/paths/0"), {{"ns", 1}}), ContainsSubstring("pins here, in \"to\", or in both"));
}

}  // namespace vantage::test::hw_fpga_timing_test
