#include "hw/program/bundle.h"

#include "base/file.h"
#include "base/json.h"
#include "tests/catch.h"
#include "tests/support/temporary.h"

namespace vantage::test::hw_program_bundle_test {

using namespace vantage;
using test::TemporaryFolder;

namespace {

Bundle example() {
  const std::string finish("\x03\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 16);
  return {"example",
          isa::Config::vta_default(),
          Bytes(4096),
          1,
          {{Bytes(4096), finish}, {Bytes(64), "data"}},
          {{Bytes(64), "data"}},
          {{"gemm_counter", 0}}};
}

Json example_json() {
  const TemporaryFolder folder;
  save_bundle(example(), folder.path() / "b");
  return parse_json(read_file(folder.path() / "b" / "bundle.json", Bytes(1 << 20)), "example");
}

std::string error_with(const std::function<void(Json&)>& change, const std::string& mem_in = std::string(20, 'x')) {
  const TemporaryFolder folder;
  Json json = example_json();
  change(json);
  folder.file("bundle.json", json.dump());
  folder.file("mem_in.bin", mem_in);
  folder.file("mem_out.bin", "data");
  std::string message = ERROR_OF(load_bundle(folder.path()));
  // The folder's name is random.
  const std::string prefix = folder.path().string() + "/";
  while (message.find(prefix) != std::string::npos) message.erase(message.find(prefix), prefix.size());
  return message;
}

}  // namespace

TEST_CASE("a bundle round-trips through its directory", "[unit]") {
  const TemporaryFolder folder;
  save_bundle(example(), folder.path() / "b");
  CHECK(load_bundle(folder.path() / "b") == example());
  Bundle with_symbols = example();
  with_symbols.symbols = {{"A", Bytes(64), Bytes(4), true}, {"uops", Bytes(128), Bytes(0), false}};
  save_bundle(with_symbols, folder.path() / "s");
  CHECK(load_bundle(folder.path() / "s") == with_symbols);
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 2);
}

TEST_CASE("an existing directory is never overwritten", "[unit]") {
  const TemporaryFolder folder;
  CHECK_THAT(ERROR_OF(save_bundle(example(), folder.path())), ContainsSubstring("exists already"));
  CHECK(folder.empty());
  CHECK_THAT(ERROR_OF(save_bundle(example(), "/nonexistent/b")), ContainsSubstring("does not exist"));
}

TEST_CASE("a data file may hold more than the segments name, but not describe more than a bundle may have", "[unit]") {
  const TemporaryFolder folder;
  Json json = example_json();
  folder.file("bundle.json", json.dump());
  folder.file("mem_in.bin", std::string(1000, 'x'));
  folder.file("mem_out.bin", "data and more");
  CHECK(load_bundle(folder.path()).memory[1].bytes == "xxxx");
  CHECK_THAT(error_with([](Json& j) { j["memory"][0]["size"] = 1u << 31; }),
             ContainsSubstring("mem_in.bin: its segments describe 2147483648 bytes, more than the 268435456 that"));
  // However little of it is wanted, the file would have to be unpacked up to there.
  CHECK_THAT(error_with([](Json& j) { j["memory"][1]["offset"] = 1u << 31; }),
             ContainsSubstring("mem_in.bin: its segments describe 2147483652 bytes, more than"));
}

TEST_CASE("instructions are read up to FINISH however many are claimed", "[unit]") {
  Bundle bundle = example();
  bundle.insn_count = 1 << 20;
  CHECK(bundle.insns().size() == 1);
}

TEST_CASE("a bundle of any name can be written", "[unit]") {
  const TemporaryFolder folder;
  Bundle bundle = example();
  bundle.name = "caf\xe9";  // no UTF-8
  save_bundle(bundle, folder.path() / "b");
  CHECK(load_bundle(folder.path() / "b").name == "caf\xef\xbf\xbd");
}

TEST_CASE("bytes outside every segment read as zero", "[unit]") {
  CHECK(example().initial_bytes(Bytes(62), Bytes(8)) == std::string("\0\0data\0\0", 8));
}

TEST_CASE("the last segment that names a byte gives it, to a reader and to the verifier", "[unit]") {
  Bundle bundle = example();
  const auto put = [&](uint64_t address, const std::string& bytes) {
    bundle.memory.push_back({Bytes(address), bytes});
  };
  // Micro-op 16 is written in three pieces, the last of which cuts the first in two; its fields end as ones.
  put(64, std::string("\xff\xff\xff\xff\xff", 5));
  put(66, std::string("\0", 1));
  put(62, std::string("\0\0\0", 3));
  put(64, "");
  CHECK(bundle.initial_bytes(Bytes(62), Bytes(8)) == std::string("\0\0\0\xff\0\xff\xff\0", 8));
  isa::Load load;
  load.transfer = {.memory = isa::Memory::kUop, .dram_base = 16, .y_size = 1, .x_size = 1, .x_stride = 1};
  isa::Alu alu;
  alu.loop = {.uop_end = 1, .iter_out = 2, .iter_in = 1, .dst_factor_out = 300};
  const isa::Codec codec(bundle.config);
  std::string code;
  for (const isa::Insn& insn : {isa::Insn(load), isa::Insn(alu), isa::Insn(isa::Finish{})}) {
    std::array<std::byte, isa::kInsnBytes> words{};
    isa::store_words(codec.encode(insn), words);
    code += as_text(words);
  }
  put(4096, code);
  bundle.insn_count = 3;
  const isa::MicroOp uop = codec.decode_uop(0xff00ff00);
  REQUIRE(uop.dst + 300 > 2047);
  CHECK_THAT(to_text(bundle.verify()), ContainsSubstring(fmt::format("(micro-op 0: {} + 1*300 + 0*0)", uop.dst)));
}

TEST_CASE("a malformed bundle is refused with file, key and value", "[unit]") {
  CHECK(error_with([](Json& j) { j["format"] = "vta-bundle/9"; }) ==
        "bundle.json: format \"vta-bundle/9\" is not known here, expected \"vta-bundle/1\"");
  CHECK(error_with([](Json& j) { j.erase("insn"); }) == "bundle.json: the key \"insn\" is missing, expected an object");
  CHECK(error_with([](Json& j) { j["insn"]["count"] = -1; }) ==
        "bundle.json: insn: count is -1, expected an integer from 0 to 268435456");
  CHECK_THAT(error_with([](Json& j) {
               j["insn"] = {{"addr", 4294967280u}, {"count", 2}};
             }),
             ContainsSubstring("end past the 32-bit"));
  CHECK_THAT(error_with([](Json& j) { j["insn"]["addr"] = 28676; }),
             ContainsSubstring("insn: addr is 28676, expected a multiple of an instruction's 16 bytes"));
  CHECK_THAT(error_with([](Json& j) { j["memory"][0]["addr"] = 4294967290u; }),
             ContainsSubstring("bundle.json: memory[0]: 16 bytes at address 4294967290 end past"));
  CHECK(error_with([](Json& j) { j["counter"] = Json::object(); }) ==
        "bundle.json: unknown key \"counter\"; did you mean 'counters'?");
  CHECK(error_with([](Json& j) { j["expect"][0]["sizes"] = 0; }) ==
        "bundle.json: expect[0]: unknown key \"sizes\"; did you mean 'size'?");
  CHECK_THAT(error_with([](Json& j) { j["insn"]["counts"] = 0; }),
             ContainsSubstring("insn: unknown key \"counts\"; did you mean 'count'?"));
  CHECK(error_with([](Json& j) { j["memory"][1]["offset"] = 17; }) ==
        "mem_in.bin: truncated: bundle.json describes 21 bytes, there are 20");
  CHECK(error_with([](Json& j) { j["config"]["LOG_BLOCK"] = 99; }).find("bundle.json: config: LOG_BLOCK is 99") == 0);
  CHECK(error_with([](Json& j) { j["counters"]["gemm_count"] = 1; }) ==
        "bundle.json: counters: unknown key \"gemm_count\"; did you mean 'gemm_counter'?");
  CHECK(error_with([](Json& j) { j["counters"]["gemm_counter"] = "many"; }) ==
        "bundle.json: counters: gemm_counter is \"many\", expected an integer from 0 to 18446744073709551615");
  CHECK_THAT(ERROR_OF(load_bundle("/nonexistent")), ContainsSubstring("/nonexistent: not a bundle"));
}

}  // namespace vantage::test::hw_program_bundle_test
