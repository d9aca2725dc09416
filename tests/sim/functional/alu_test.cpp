// ALU semantics at their edges, from docs/isa.md section 3, on vector and scalar kernels.
#include "base/json.h"
#include "tests/catch.h"
#include "tests/support/random_config.h"
#include "tests/support/text_machine.h"

namespace vantage::test::sim_functional_alu_test {

using namespace vantage;
using test::TextMachine;

namespace {

// acc[0] = op(x, y) on lane 0, read back lane by lane through shifts, since a store cuts to 8 bits.
int32_t apply(const std::string& op, int32_t x, int32_t y, bool immediate, const isa::Config& config) {
  TextMachine m(config);
  const int bytes = config.acc_bits() / 8;
  const uint64_t element = config.element_size(isa::Memory::kAcc).count();
  m.poke(0, x, bytes);
  m.poke(element, y, bytes);
  m.poke_uop(1000, {0, 1, 0});
  std::string lines =
      "load.uop sram=0 dram=1000 y=1 x=1 stride=1\n"
      "load.acc sram=0 dram=0 y=1 x=2 stride=2\n"
      "alu." +
      op + " uop=0:1 out=1 in=1 dst=0,0 src=0,0" + (immediate ? " imm=" + std::to_string(y) : "");
  const uint64_t out = config.element_size(isa::Memory::kOut).count();
  for (int byte = 0; byte < bytes; ++byte) {
    lines += "\nstore.out sram=0 dram=" + std::to_string(1000 + byte) + " y=1 x=1 stride=1 pop=prev push=prev";
    lines.insert(lines.rfind("\nstore"), byte == 0 ? " push=next" : "");
    if (byte + 1 < bytes) {
      lines += "\nalu.shr uop=0:1 out=1 in=1 dst=0,0 src=0,0 imm=8 pop=next push=next";
    }
  }
  const auto result = m.run(lines);
  INFO(result.message);
  REQUIRE(result.ok());
  uint32_t value = 0;
  for (int byte = 0; byte < bytes; ++byte) {
    value |= static_cast<uint32_t>(m.peek((1000 + byte) * out) & 0xff) << (8 * byte);
  }
  return config.acc_bits() == 16 ? static_cast<int16_t>(value) : static_cast<int32_t>(value);
}

struct Case {
  const char* op;
  int32_t x, y, expected;
};

void check_cases(const std::vector<Case>& cases, const isa::Config& config) {
  for (const Case& c : cases) {
    INFO(config.name() << ": " << c.op << " " << c.x << ", " << c.y);
    CHECK(apply(c.op, c.x, c.y, false, config) == c.expected);
    if (c.y >= INT16_MIN && c.y <= INT16_MAX) CHECK(apply(c.op, c.x, c.y, true, config) == c.expected);
  }
}

isa::Config narrow() {
  Json json = isa::Config::vta_default().to_json();
  for (const char* key : {"LOG_BLOCK", "LOG_BLOCK_IN", "LOG_BLOCK_OUT"}) json[key] = 1;
  json["LOG_INP_BUFF_SIZE"] = 10;
  json["LOG_WGT_BUFF_SIZE"] = 10;
  json["LOG_ACC_BUFF_SIZE"] = 10;
  return isa::Config::from_json(json, "test");
}

}  // namespace

TEST_CASE("ALU operations on 32-bit accumulators", "[unit]") {
  const int32_t low = INT32_MIN;
  const int32_t high = INT32_MAX;
  const std::vector<Case> cases = {
      {"min", -3, 5, -3},       {"min", 5, -3, -3},
      {"max", low, high, high}, {"max", -7, -9, -7},
      {"add", high, 1, low},    {"add", low, -1, high},
      {"mul", -3, 7, -21},      {"mul", 65536, 65536, 0},
      {"mul", high, high, 1},   {"mul", 123456, 10000, 1234560000},
      {"shr", -8, 1, -4},       {"shr", -1, 31, -1},
      {"shr", high, 31, 0},     {"shr", low, 31, -1},
      {"shr", low, 32, -1},     {"shr", high, 32, 0},
      {"shr", -5, 1000, -1},    {"shr", 5, high, 0},
      {"shr", 3, -4, 48},       {"shr", 3, -31, low},
      {"shr", 1, -32, 0},       {"shr", -1, -33, 0},
      {"shr", 7, low, 0},       {"shr", 5, 0, 5},
      {"shr", -1, -31, low},    {"shr", 5, -32768, 0},
  };
  check_cases(cases, isa::Config::vta_default());
  check_cases(cases, narrow());  // too narrow for any vector: the scalar path
}

TEST_CASE("ALU operations wrap and shift at the width of 16-bit accumulators", "[unit]") {
  Json sixteen_bits = isa::Config::vta_default().to_json();
  sixteen_bits["LOG_ACC_WIDTH"] = 4;
  sixteen_bits["LOG_ACC_BUFF_SIZE"] = 16;
  check_cases(
      {
          {"add", 32767, 1, -32768},
          {"mul", 256, 256, 0},
          {"mul", 300, 300, 24464},
          {"shr", -32768, 15, -1},
          {"shr", -32768, 16, -1},
          {"shr", 32767, 16, 0},
          {"shr", 1, -15, -32768},
          {"shr", 1, -16, 0},
          {"shr", 1, -31, 0},
          {"shr", 3, -17, 0},
          {"min", -32768, 32767, -32768},
      },
      isa::Config::from_json(sixteen_bits, "test"));
}

TEST_CASE("ALU steps see the results of the steps before them", "[unit]") {
  // acc[1] += acc[0], acc[2] += acc[1], acc[3] += acc[2] in one instruction.
  TextMachine m;
  for (int i = 0; i < 4; ++i) m.poke(64 * static_cast<uint64_t>(i), 1, 4);
  m.poke_uop(1000, {1, 0, 0});
  const auto result = m.run(
      "load.uop sram=0 dram=1000 y=1 x=1 stride=1\n"
      "load.acc sram=0 dram=0 y=1 x=4 stride=4\n"
      "alu.add uop=0:1 out=1 in=3 dst=0,1 src=0,1 push=next\n"
      "store.out sram=0 dram=500 y=1 x=4 stride=4 pop=prev");
  REQUIRE(result.ok());
  CHECK(m.peek(16 * 501) == 2);
  CHECK(m.peek(16 * 502) == 3);
  CHECK(m.peek(16 * 503) == 4);
  CHECK(result.counters.alu_counter == 3);
}

}  // namespace vantage::test::sim_functional_alu_test
