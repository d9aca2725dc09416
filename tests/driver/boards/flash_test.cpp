#include "driver/boards/flash.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/json.h"
#include "driver/boards/board_lock.h"
#include "driver/boards/clock.h"
#include "driver/boards/kept_bitstreams.h"
#include "tests/catch.h"
#include "tests/driver/boards/bit_bytes.h"
#include "tests/driver/boards/board_system.h"
#include "tests/support/random_config.h"
#include "tests/support/temporary.h"

namespace vantage::test::driver_boards_flash_test {

using namespace vantage;
using namespace vantage::test;

namespace {

const auto kSilent = [](const std::string&) {};

boards::FlashRequest request(const std::string& name = "first.bit", uint32_t frame_words = 101) {
  auto options = board_options("vantage", MemoryKind::kReserved);
  return {.board = options.board,
          .bitstream = boards::make_bitstream(name, bit_bytes("7z020clg400", configuration(0x03727093, frame_words))),
          .map = options.map,
          .config = isa::Config::vta_default()};
}

struct Board {
  EmulatedBoard board{{"--core", "vantage", "--machine", "functional"}};
  BoardSystem system{board, true, MemoryKind::kReserved};
};

}  // namespace

TEST_CASE("a bitstream is programmed, clocked, tried and noted", "[unit]") {
  Board on;
  std::string steps;
  const auto note = [&](const std::string& step) { steps += step + "\n"; };
  flash(on.system, request(), note);
  CHECK(steps == fmt::format("write {} bytes to /lib/firmware/vantage.bin\n"
                             "write 0 to /sys/class/fpga_manager/fpga0/flags: the whole FPGA\n"
                             "forget what was in the FPGA\n"
                             "write vantage.bin to /sys/class/fpga_manager/fpga0/firmware\n"
                             "read /sys/class/fpga_manager/fpga0/state\n"
                             "set the FPGA's clock to 100 MHz\n"
                             "run a program on the core at 0x43c00000, by register map vantage\n"
                             "note what is in the FPGA\n"
                             "keep the bitstream for a way back\n",
                             request().bitstream.file.bin().size()));
  const auto record = boards::read_flash_record(on.system);
  REQUIRE(record);
  CHECK(record->name == "first.bit");
  CHECK(record->board == "pynq-z1");
  CHECK(record->config == isa::Config::vta_default());
  CHECK(record->register_map == "vantage");
  CHECK(record->sha256 == request().bitstream.sha256);
  CHECK(record->clock_mhz == 100);
  CHECK(on.system.open_files() == 0);
  CHECK(on.system.mappings() == 0);

  // The next keeps this one as the way back.
  CHECK_FALSE(boards::previous_bitstream(on.system));
  flash(on.system, request("second.bit", 77), kSilent);
  CHECK(boards::current_bitstream(on.system)->record.name == "second.bit");
  const auto previous = boards::previous_bitstream(on.system);
  REQUIRE(previous);
  CHECK(previous->record.name == "first.bit");
  CHECK(previous->bitstream.contents == request().bitstream.contents);
  CHECK(previous->bitstream.verified);
  // The same once more leaves the way back as it is.
  flash(on.system, request("second.bit", 77), kSilent);
  CHECK(boards::previous_bitstream(on.system)->record.name == "first.bit");
}

TEST_CASE("a plan says what would be done, and does nothing", "[unit]") {
  Board on;
  const std::string before = on.system.text("/sys/class/fpga_manager/fpga0/state");
  const auto one = request("another.bit", 77);  // than the one that is in the FPGA
  CHECK(flash_plan(on.system, one, *boards::find_programmer(on.system)).size() == 9);
  CHECK_FALSE(boards::read_flash_record(on.system));
  CHECK(on.system.text("/lib/firmware/vantage.bin") != one.bitstream.file.bin());
  CHECK(on.system.text("/sys/class/fpga_manager/fpga0/state") == before);
  CHECK(on.system.system_writes.empty());
}

TEST_CASE("what does not work is taken back", "[unit]") {
  Board on;
  flash(on.system, request(), kSilent);
  // Another core than the wanted: the FPGA's says another hash than the configuration's.
  auto other = request("other.bit", 55);
  other.config = isa::Config::parse(R"({"TARGET": "pynq", "HW_VER": "0.0.2", "LOG_INP_WIDTH": 3, "LOG_WGT_WIDTH": 3,
      "LOG_ACC_WIDTH": 5, "LOG_BATCH": 0, "LOG_BLOCK": 3, "LOG_UOP_BUFF_SIZE": 13, "LOG_INP_BUFF_SIZE": 12,
      "LOG_WGT_BUFF_SIZE": 15, "LOG_ACC_BUFF_SIZE": 14})",
                                    "other");
  std::string steps;
  const std::string message = ERROR_OF(flash(on.system, other, [&](const std::string& step) { steps += step + "\n"; }));
  CHECK_THAT(message, ContainsSubstring("was built for another configuration than 1x8_i8w8a32_13_12_15_14"));
  CHECK_THAT(message, ContainsSubstring("; first.bit is back in the FPGA"));
  CHECK_THAT(steps, ContainsSubstring("put back first.bit\n"));
  CHECK(on.system.text("/lib/firmware/vantage.bin") == request().bitstream.file.bin());
  CHECK(boards::read_flash_record(on.system)->name == "first.bit");

  Board fresh;
  CHECK_THAT(ERROR_OF(flash(fresh.system, other, kSilent)), ContainsSubstring("before is not known"));
}

TEST_CASE("what is interrupted is taken back once the FPGA was changed", "[unit]") {
  Board on;
  flash(on.system, request(), kSilent);
  const auto interrupted_at = [&](const std::string& place) {
    std::stop_source stop;
    std::string steps;
    const auto note = [&](const std::string& step) {
      steps += step + "\n";
      if (step.find(place) != std::string::npos) stop.request_stop();
    };
    const std::string message = ERROR_OF(flash(on.system, request("other.bit", 55), note, stop.get_token()));
    CHECK(boards::read_flash_record(on.system)->name == "first.bit");
    CHECK(on.system.runs());
    return message + "\n" + steps;
  };
  const std::string early = interrupted_at("lib/firmware");
  CHECK_THAT(early, ContainsSubstring("it was stopped before its end\n") && !ContainsSubstring("put back"));
  for (const std::string place : {"fpga0/firmware", "fpga0/state", "clock"}) {
    CHECK_THAT(interrupted_at(place),
               ContainsSubstring("it was stopped before its end; first.bit is back in the FPGA") &&
                   ContainsSubstring("put back first.bit\n"));
    CHECK(on.system.text("/lib/firmware/vantage.bin") == request().bitstream.file.bin());
  }
}

TEST_CASE("the board's lock is where nobody else can hold it", "[unit]") {
  const TemporaryFolder root;
  boards::System system(root.path());
  const auto folder = root.path() / "run/vantage", file = folder / "board.lock";
  const auto mode = [](const std::filesystem::path& path) {
    return static_cast<unsigned>(std::filesystem::status(path).permissions());
  };
  const mode_t mask = ::umask(0);
  {
    const boards::BoardLock lock(system);
    CHECK(mode(folder) == 0755);
    CHECK(mode(file) == 0600);
    CHECK_THAT(ERROR_OF(boards::BoardLock(system)), ContainsSubstring("the board is in use by another program"));
  }
  ::umask(mask);
  // What was too open is closed, unless root gave it to a group.
  std::filesystem::permissions(file, std::filesystem::perms(0664));
  CHECK_NOTHROW(boards::BoardLock(system));
  CHECK(mode(file) == 0660);
  const auto refusal = [&] { return ERROR_OF(boards::BoardLock(system)); };
  std::filesystem::remove(file);
  REQUIRE(::mkfifo(file.c_str(), 0600) == 0);
  CHECK_THAT(refusal(), ContainsSubstring("board.lock: belongs to user") && ContainsSubstring("no plain file"));
  std::filesystem::remove(file);
  std::filesystem::create_symlink(root.path() / "elsewhere", file);
  CHECK_THAT(refusal(), ContainsSubstring("board.lock: cannot be opened"));
  CHECK_FALSE(std::filesystem::exists(root.path() / "elsewhere"));
  std::filesystem::remove(file);
  if (::geteuid() == 0) {
    root.file("run/vantage/board.lock", "");
    REQUIRE(::chown(file.c_str(), 65534, 65534) == 0);
    CHECK_THAT(refusal(), ContainsSubstring("board.lock: belongs to user 65534"));
  }
}

TEST_CASE("a configuration that broke off is cleared before what was there is put back", "[unit]") {
  Board on;
  flash(on.system, request(), kSilent);
  on.system.system_register(0xf8007000) = 0x4e00e07f;  // as Linux leaves it
  on.system.system_writes.clear();
  auto cut = request("cut.bit", 55);
  std::string& words = cut.bitstream.file.configuration;
  words.resize(words.size() - 64);
  std::string steps;
  const std::string message = ERROR_OF(flash(on.system, cut, [&](const std::string& step) { steps += step + "\n"; }));
  CHECK_THAT(message, ContainsSubstring("refused the bitstream") && ContainsSubstring("; first.bit is back"));
  CHECK_THAT(steps, ContainsSubstring("clear the FPGA, by its PROG_B\nput back first.bit\n"));
  REQUIRE(on.system.system_writes.size() == 3);
  CHECK(on.system.system_writes[0] == 0x0e00e07f);
  CHECK(on.system.system_writes[1] == 0x4e00e07f);
  CHECK(on.system.runs());
}

TEST_CASE("a design that the kernel does not know of is taken as somebody's word", "[unit]") {
  Board on;
  on.system.program_elsewhere();
  const auto open = [&](bool elsewhere) {
    auto options = board_options("vantage", MemoryKind::kReserved);
    options.programmed_elsewhere = elsewhere;
    open_board(std::shared_ptr<boards::System>(std::shared_ptr<void>(), &on.system), isa::Config::vta_default(),
               options);
  };
  CHECK_THAT(ERROR_OF(open(false)), ContainsSubstring("its state is 'unknown', expected 'operating'") &&
                                        ContainsSubstring("`vantage flash --adopt`"));
  open(true);
  boards::FlashRequest adopted{.board = board_options("vantage", MemoryKind::kReserved).board,
                               .bitstream = {},
                               .map = board_options("vantage", MemoryKind::kReserved).map,
                               .config = isa::Config::vta_default(),
                               .adopt = true};
  adopted.bitstream.name = "what was in the FPGA";
  require_flashable(adopted);
  std::string steps;
  flash(on.system, adopted, [&](const std::string& step) { steps += step + "\n"; });
  CHECK(steps ==
        "set the FPGA's clock to 100 MHz\n"
        "run a program on the core at 0x43c00000, by register map vantage\n"
        "note what is in the FPGA\n"
        "keep what worked before it for a way back\n");
  CHECK(boards::read_flash_record(on.system)->config == isa::Config::vta_default());
  CHECK_FALSE(boards::current_bitstream(on.system));
}

TEST_CASE("a bitstream is clocked no faster than it was made for", "[unit]") {
  boards::FlashRequest slow = request();
  slow.bitstream.clock_mhz = 50;
  CHECK(ERROR_OF(require_clock(slow)) ==
        slow.bitstream.name + " was made for a clock of 50 MHz, so 100 MHz are refused; give --clock-mhz");
  slow.clock_mhz = 50;
  require_clock(slow);
  slow.bitstream.clock_mhz = 0;  // not known
  slow.clock_mhz = 200;
  require_clock(slow);
}

TEST_CASE("a clock that the board cannot give is told, and the one that it gives is noted", "[unit]") {
  Board on;
  std::string steps;
  auto wanted = request();
  wanted.clock_mhz = 130;
  flash(on.system, wanted, [&](const std::string& step) { steps += step + "\n"; });
  CHECK_THAT(steps, ContainsSubstring("set the FPGA's clock to 130 MHz\n"));
  CHECK_THAT(steps, ContainsSubstring("warning: the FPGA's clock is 125 MHz; its PLL gives nothing between that and "
                                      "130 MHz\n"));
  CHECK(boards::read_flash_record(on.system)->clock_mhz == 125);
  CHECK(boards::current_bitstream(on.system)->record.clock_mhz == 125);
}

TEST_CASE("nothing is asked of what is no board", "[unit]") {
  FakeKernel computer(FakeKernel::Has::kNeither);
  auto adopted = request();
  adopted.adopt = true;
  CHECK_THAT(ERROR_OF(flash(computer, adopted, kSilent)), ContainsSubstring("this kernel has neither"));
}

TEST_CASE("a design that turns out to be another is left as it was", "[unit]") {
  Board on;
  flash(on.system, request(), kSilent);
  const uint32_t clock = on.system.system_register(0xf8000170);
  auto other = request();
  other.adopt = true;
  other.config = test::shipped_config("8x8");
  other.clock_mhz = 50;
  CHECK_THAT(ERROR_OF(flash(on.system, other, kSilent)), ContainsSubstring("another configuration"));
  CHECK(on.system.system_register(0xf8000170) == clock);
  CHECK(boards::read_flash_record(on.system)->name == "first.bit");
}

TEST_CASE("what is put back is called by its name", "[unit]") {
  Board on;
  flash(on.system, request(), kSilent);
  auto adopted = request("adopted");
  adopted.adopt = true;
  adopted.bitstream.sha256 = "";
  flash(on.system, adopted, kSilent);
  CHECK_FALSE(boards::current_bitstream(on.system));
  CHECK(boards::previous_bitstream(on.system)->record.name == "first.bit");
  // With nothing but the previous one kept, there is nothing that worked last.
  auto other = request("other.bit", 55);
  other.config = test::shipped_config("8x8");
  CHECK_THAT(ERROR_OF(flash(on.system, other, kSilent)), ContainsSubstring("before is not known"));

  flash(on.system, request("second.bit", 77), kSilent);
  CHECK(boards::previous_bitstream(on.system)->record.name == "first.bit");
  forget_flash_record(on.system);  // as the board's restart does
  CHECK_THAT(ERROR_OF(flash(on.system, other, kSilent)),
             ContainsSubstring("; second.bit, which worked last, is in the FPGA"));
}

TEST_CASE("damaged notes are written anew", "[unit]") {
  Board on;
  flash(on.system, request(), kSilent);
  boards::put_file(on.system, "/var/lib/vantage/bitstreams/records.json", "{\"current\": 5");
  CHECK_THAT(ERROR_OF(boards::current_bitstream(on.system)), ContainsSubstring("records.json"));
  flash(on.system, request("second.bit", 77), kSilent);
  CHECK(boards::current_bitstream(on.system)->record.name == "second.bit");
}

TEST_CASE("a hash that is none names no file", "[unit]") {
  Board on;
  flash(on.system, request(), kSilent);
  for (const std::string hash : {"../../../etc/passwd", "ABC", ""}) {
    Json record = boards::read_flash_record(on.system)->to_json();
    record["sha256"] = hash;
    boards::put_file(on.system, "/var/lib/vantage/bitstreams/records.json", Json{{"current", record}}.dump());
    CHECK_THAT(ERROR_OF(boards::current_bitstream(on.system)),
               ContainsSubstring("sha256 is \"" + hash + "\", expected 64 digits of lower-case hexadecimal"));
  }
}

TEST_CASE("any call may fail while flashing, and says so", "[unit]") {
  const EmulatedBoard board({"--core", "vantage", "--machine", "functional"});
  for (int failing = 1;; ++failing) {
    BoardSystem system(board, true, MemoryKind::kReserved);
    flash(system, request(), kSilent);
    system.fail_call(system.calls() + failing);
    const int until = system.calls() + failing;
    std::string message, steps;
    try {
      flash(system, request("second.bit", 77), [&](const std::string& step) { steps += step + "\n"; });
    } catch (const Error& error) {
      message = error.what();
    }
    INFO("call " << failing << ": " << message);
    CHECK(system.open_files() == 0);
    CHECK(system.mappings() == 0);
    if (system.calls() < until) break;
    const auto record = boards::read_flash_record(system);
    if (message.empty()) {
      // The core works. Either that could not be noted, or what failed did not matter.
      if (steps.find("warning: the core works, but that failed") == std::string::npos) {
        REQUIRE(record);
        CHECK(boards::current_bitstream(system)->record.name == "second.bit");
      }
      CHECK((!record || record->name == "second.bit"));
    } else if (steps.find("vantage.bin to /sys") == std::string::npos) {
      // What was there still is.
      CHECK_THAT(message, !ContainsSubstring("back in the FPGA"));
      REQUIRE(record);
      CHECK(record->name == "first.bit");
    } else {
      // What came after the failure worked, so the board has its first bitstream again.
      CHECK_THAT(message, ContainsSubstring("; first.bit is back in the FPGA"));
      REQUIRE(record);
      CHECK(record->name == "first.bit");
    }
    CHECK(system.runs());
  }
}

TEST_CASE("a bitstream for another part or another configuration is refused", "[unit]") {
  auto wrong = request();
  wrong.bitstream = boards::make_bitstream("z010.bit", bit_bytes("7z010clg400", configuration(0x03722093)));
  CHECK_THAT(ERROR_OF(require_flashable(wrong)),
             ContainsSubstring("z010.bit is for part 7z010clg400, but pynq-z1 has xc7z020clg400-1"));
  wrong.bitstream = boards::make_bitstream("renamed.bit", bit_bytes("7z020clg400", configuration(0x03722093)));
  CHECK_THAT(ERROR_OF(require_flashable(wrong)),
             ContainsSubstring("IDCODE 0x03722093, but the one on pynq-z1 has 0x03727093"));
  wrong = request();
  wrong.bitstream.configuration = "1x8_i8w8a32_15_15_18_17";
  CHECK_THAT(ERROR_OF(require_flashable(wrong)), ContainsSubstring("is of configuration 1x8"));
  // Of the same string, and another core.
  auto keys = isa::Config::vta_default().keys();
  wrong = request();
  wrong.bitstream.configuration = wrong.config.name();
  require_flashable(wrong);
  keys.clock_mhz = 50;
  wrong.bitstream.config = isa::Config::from_keys(keys, "slow");
  require_flashable(wrong);
  keys.log_bus_width = 7;
  wrong.bitstream.config = isa::Config::from_keys(keys, "wide");
  CHECK_THAT(ERROR_OF(require_flashable(wrong)), ContainsSubstring("its LOG_BUS_WIDTH is 7, not 6"));
  require_flashable(request());
}

TEST_CASE("the fastest clock that is not too fast", "[unit]") {
  const auto exact = boards::choose_dividers(1e9, 100e6);
  CHECK(exact.first * exact.second == 10);
  CHECK(exact.hertz == Approx(100e6));
  CHECK(boards::choose_dividers(1e9, 142.9e6).hertz == Approx(1e9 / 7));
  CHECK(boards::choose_dividers(1e9, 2e9).hertz == 1e9);
  CHECK_THAT(ERROR_OF(boards::choose_dividers(1e9, 1e5)), ContainsSubstring("0.100 MHz cannot be had"));
}

TEST_CASE("clocks are set where a family has them", "[unit]") {
  Board on;
  auto board = board_options("vantage", MemoryKind::kReserved).board;
  set_fabric_clock(on.system, board, 125e6);
  CHECK(fabric_clock(on.system, board) == Approx(125e6));
  const uint32_t zynq = on.system.system_register(0xf8000170);
  CHECK((zynq >> 8 & 63) * (zynq >> 20 & 63) == 8);
  // Registers that are not locked are not locked afterwards: Linux restarts the board through them.
  CHECK(on.system.system_writes == std::vector<uint32_t>{zynq});
  on.system.system_register(0xf800000c) = 1;
  set_fabric_clock(on.system, board, 125e6);
  CHECK(on.system.system_writes == std::vector<uint32_t>{zynq, 0xdf0d, zynq, 0x767b});

  board.family = "xcup";
  board.ps_clock_hz = 33'333'333;
  set_fabric_clock(on.system, board, 300e6);
  CHECK(fabric_clock(on.system, board) == Approx(300e6).epsilon(1e-6));
  const uint32_t ultrascale = on.system.system_register(0xff5e00c0);
  CHECK((ultrascale >> 8 & 63) * (ultrascale >> 16 & 63) == 5);
  CHECK((ultrascale >> 24 & 1) == 1);
  on.system.system_register(0xff5e0020) = 0;
  CHECK_THAT(ERROR_OF(set_fabric_clock(on.system, board, 100e6)), ContainsSubstring("PLL does not run"));
  CHECK_THAT(ERROR_OF(fabric_clock(on.system, board)), ContainsSubstring("cannot be told"));
}

}  // namespace vantage::test::driver_boards_flash_test
