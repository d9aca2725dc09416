#include "driver/boards/run_protocol.h"

#include "base/json.h"
#include "driver/boards/board_files.h"
#include "hw/isa/register_map.h"
#include "tests/catch.h"
#include "tests/driver/boards/fake_kernel.h"
#include "tests/support/temporary.h"

namespace vantage::test::driver_boards_run_protocol_test {

using namespace vantage;
using boards::RunProtocol;

namespace {

std::filesystem::path folder() {
  return test::source_dir() / "configs" / "boards";
}

}  // namespace

TEST_CASE("the shipped register maps say what their cores need", "[unit]") {
  const RunProtocol ours = boards::load_register_map(folder(), "vantage");
  CHECK(ours.is_core);
  CHECK(ours.bytes == Bytes(0x1000));
  CHECK(ours.start.back().offset == isa::register_offset("CONTROL"));
  CHECK(ours.done.offset == isa::register_offset("STATUS"));
  CHECK_FALSE(ours.interrupt.empty());

  const RunProtocol published = boards::load_register_map(folder(), "published");
  CHECK_FALSE(published.is_core);
  CHECK(published.done.offset == 0x2018);
  CHECK(published.registers.at("store.out_address") == 0x3010);
  // Fetch once, the others again and again; bases are 0.
  std::map<uint32_t, std::variant<uint32_t, RunProtocol::Symbol>> written;
  for (const auto& write : published.start) written[write.offset] = write.value;
  CHECK(std::get<uint32_t>(written.at(0x0000)) == 1);
  for (const uint32_t control : {0x1000, 0x2000, 0x3000}) CHECK(std::get<uint32_t>(written.at(control)) == 0x81);
  for (const uint32_t base : {0x1010, 0x1018, 0x2020, 0x2028, 0x3010}) CHECK(std::get<uint32_t>(written.at(base)) == 0);
  CHECK(std::get<RunProtocol::Symbol>(written.at(0x10)) == RunProtocol::Symbol::kInsnCount);
  CHECK(std::get<RunProtocol::Symbol>(written.at(0x18)) == RunProtocol::Symbol::kInsnAddress);
}

TEST_CASE("a register map's mistakes are named by key", "[unit]") {
  const Json sound = parse_json(R"({"name": "m", "meaning": "a map", "registers": {"go": "0x0", "done": 4},
                                    "bytes": "0x1000", "start": [["go", 1]], "done": ["done", 1]})",
                                "m.json");
  CHECK(RunProtocol::parse(sound.dump(), "m.json").registers.at("done") == 4);
  const auto error_with = [&](const std::string& key, const Json& value) {
    Json changed = sound;
    changed[key] = value;
    return ERROR_OF(RunProtocol::parse(changed.dump(), "m.json"));
  };
  CHECK_THAT(error_with("stat", 1), ContainsSubstring("m.json: unknown key \"stat\"; did you mean 'start'?"));
  CHECK_THAT(error_with("registers", 7), ContainsSubstring("registers is 7, expected \"core\" or an object"));
  CHECK_THAT(error_with("registers", Json{{"go", 2}}), ContainsSubstring("go is at 0x2, expected a multiple of 4"));
  CHECK_THAT(error_with("registers", Json{{"go", "0x1000"}}), ContainsSubstring("below 0x1000"));
  CHECK_THAT(error_with("start", Json::array()), ContainsSubstring("no run would begin"));
  CHECK_THAT(error_with("start", Json::array({Json::array({"went", 1})})),
             ContainsSubstring("start names the register 'went', which the map does not have"));
  CHECK_THAT(error_with("start", Json::array({"go"})), ContainsSubstring("expected [register, value]"));
  CHECK_THAT(error_with("start", Json::array({Json::array({"go", "insn_cnt"})})), ContainsSubstring("the value is"));
  CHECK_THAT(error_with("done", Json::array({"done", 0})), ContainsSubstring("names no bits"));
  CHECK_THAT(error_with("done", 3), ContainsSubstring("done holds 3, expected [register, value]"));
  CHECK_THAT(error_with("bytes", "0x0"), ContainsSubstring("bytes is 0"));
  CHECK_THAT(error_with("bytes", -4), ContainsSubstring("bytes is -4, expected a 32-bit number"));
}

TEST_CASE("a board is known by the name that its image gives it", "[unit]") {
  test::FakeKernel kernel(test::FakeKernel::Has::kNeither);
  ::unsetenv("BOARD");
  CHECK_THAT(ERROR_OF(boards::find_own_board(kernel, folder())),
             ContainsSubstring("name it: --target pynq:pynq-z1, or --board pynq-z1"));
  ::setenv("BOARD", "Pynq-Z2", 1);
  CHECK(boards::find_own_board(kernel, folder()).name == "pynq-z2");
  ::setenv("BOARD", "Kria", 1);
  CHECK_THAT(ERROR_OF(boards::find_own_board(kernel, folder())), ContainsSubstring("calls its board 'Kria'"));
  ::unsetenv("BOARD");
  // The device tree's texts end with a zero.
  put_file(kernel, "/proc/device-tree/chosen/pynq_board", std::string_view("Pynq-Z1\0", 8));
  CHECK(boards::find_own_board(kernel, folder()).name == "pynq-z1");
  // What is named must not contradict that.
  CHECK(boards::this_board(kernel, folder(), "").name == "pynq-z1");
  CHECK(boards::this_board(kernel, folder(), "pynq-z1").name == "pynq-z1");
  CHECK(ERROR_OF(boards::this_board(kernel, folder(), "ultra96")) ==
        "this image calls its board 'Pynq-Z1', which is pynq-z1, not ultra96; name that one, or none");
  put_file(kernel, "/proc/device-tree/chosen/pynq_board", std::string_view("Kria\0", 5));
  CHECK(boards::this_board(kernel, folder(), "ultra96").name == "ultra96");
  put_file(kernel, "/proc/device-tree/compatible", std::string_view("digilent,zynq\0xlnx,zynq-7000\0", 29));
  CHECK_THAT(ERROR_OF(boards::this_board(kernel, folder(), "ultra96")),
             ContainsSubstring("ultra96 has an FPGA of the family xcup") &&
                 ContainsSubstring("this machine's chip is xlnx,zynq-7000, of xc7"));
  CHECK(boards::this_board(kernel, folder(), "pynq-z2").name == "pynq-z2");
  ::setenv("BOARD", "Ultra96", 1);
  CHECK_THAT(ERROR_OF(boards::this_board(kernel, folder(), "")), ContainsSubstring("this machine's chip is"));
  ::unsetenv("BOARD");
  // A description of one's own knows no image.
  Json own = parse_json(read_file(folder() / "pynq-z2.json", Bytes(1 << 20)), "pynq-z2");
  own["image_names"] = Json::array();
  put_file(kernel, "/proc/device-tree/chosen/pynq_board", std::string_view("Pynq-Z1\0", 8));
  const TemporaryFolder mine;
  CHECK(boards::this_board(kernel, folder(), mine.file("mine.json", own.dump()).string()).name == "pynq-z2");
  CHECK_THAT(ERROR_OF(boards::load_board(folder(), "pynq-z3")), ContainsSubstring("did you mean 'pynq-z"));
  CHECK_THAT(ERROR_OF(boards::load_register_map(folder(), "publishd")), ContainsSubstring("did you mean 'published'?"));
}

}  // namespace vantage::test::driver_boards_run_protocol_test
