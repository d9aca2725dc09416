// A board behind a server: flashed, shared and used by clients that know only its address.
#include "base/file.h"
#include "base/json.h"
#include "base/sha256.h"
#include "driver/boards/flash.h"
#include "driver/boards/served_flash.h"
#include "driver/device/shared_accelerator.h"
#include "driver/open/open.h"
#include "driver/rpc/client/remote_flash.h"
#include "driver/rpc/server/server.h"
#include "driver/runtime/recorder.h"
#include "driver/runtime/replay.h"
#include "hw/program/assembly.h"
#include "tests/catch.h"
#include "tests/driver/boards/bit_bytes.h"
#include "tests/driver/boards/board_system.h"
#include "tests/support/random_config.h"
#include "tests/support/variable.h"

namespace vantage::test::driver_boards_served_board_test {

using namespace vantage;
using namespace vantage::test;

namespace {

const isa::Config kConfig = isa::Config::vta_default();

// What may be flashed without more ado.
const std::string kLarge = bit_bytes("7z020clg400", configuration(0x03727093, 700'000));

std::string manifest() {
  Json list = Json::array();
  for (const std::string& contents : {bit_bytes(), kLarge}) {
    list.push_back({{"name", fmt::format("known-{}", contents.size())},
                    {"boards", {"pynq-z1"}},
                    {"part", "7z020clg400"},
                    {"hardware_version", "0.0.2"},
                    {"configuration", kConfig.name()},
                    {"register_map", "vantage"},
                    {"clock_mhz", 142},
                    {"source", "build"},
                    {"sha256", sha256(contents)},
                    {"bytes", contents.size()},
                    {"licence", nullptr}});
  }
  return Json{{"bitstreams", list}}.dump();
}

const std::string kToken = "0123456789abcdef";

// The board's side: a server with its one device.
class ServedBoard {
 public:
  explicit ServedBoard(bool allow_flash, bool allow_unverified = false) {
    system_ = std::make_shared<BoardSystem>(board_, true, MemoryKind::kUdmabuf);
    shared_ = std::make_shared<driver::SharedAccelerator>(
        [this](const isa::Config& config, const driver::AcceleratorOptions&) {
          return boards::open_board(system_, config, board_options("vantage", MemoryKind::kUdmabuf));
        });
    driver::AcceleratorKind kind = *driver::accelerator_kind_of("pynq:");
    kind.open = [this](const std::string&, const isa::Config& config, const driver::AcceleratorOptions& options) {
      return shared_->client(config, options);
    };
    rpc::ServerOptions options;
    options.listen = "127.0.0.1:0";
    options.contents = folder_.path();
    options.identities = rpc::Identities({{"owner", kToken}});
    rpc::Offer offer = rpc::offer_here(kind, std::nullopt, 1);
    if (allow_flash) {
      // As `vantage serve --allow-flash` does it.
      write_file(folder_.path() / "manifest.json", manifest());
      offer.flash = [this, allow_unverified](const boards::FlashJob& job, const boards::Step& step,
                                             const std::stop_token& stop) {
        const boards::BitstreamStore store(folder_.path() / "manifest.json", folder_.path() / "bitstreams");
        const auto board = board_options("vantage", MemoryKind::kUdmabuf).board;
        shared_->alone([&] {
          boards::flash_served(*system_, store, source_dir() / "configs/boards", board, job, allow_unverified, step,
                               stop);
        });
      };
    }
    server_ = std::make_unique<rpc::Server>(std::vector{offer}, std::move(options));
  }

  std::string uri() const { return "rpc://" + server_->address() + "/pynq"; }
  std::unique_ptr<driver::Accelerator> open() const { return driver::open_accelerator(uri(), kConfig, {}); }
  BoardSystem& system() { return *system_; }

 private:
  const Variable token_{"VANTAGE_TOKEN", kToken};
  TemporaryFolder folder_;
  EmulatedBoard board_{{"--core", "vantage", "--machine", "functional"}};
  std::shared_ptr<BoardSystem> system_;
  std::shared_ptr<driver::SharedAccelerator> shared_;
  std::unique_ptr<rpc::Server> server_;
};

boards::FlashJob job(const std::string& contents = bit_bytes()) {
  return {.name = "sent.bit",
          .bitstream = contents,
          .config_json = kConfig.to_json().dump(),
          .register_map = "vantage",
          .clock_mhz = 125};
}

Program copy_program() {
  return assemble(".config " + kConfig.to_json().dump() +
                      "\n.tensor in acc 2 input\n.tensor out out 2 output\n"
                      "load.acc sram=0 dram=in+0 y=1 x=2 stride=2 push=next\n"
                      "store.out sram=0 dram=out+0 y=1 x=2 stride=2 pop=prev push=prev\n"
                      "finish pop=next\n",
                  "test");
}

void copies(driver::Accelerator& device, int value) {
  auto in = device.allocate(Bytes(128)), out = device.allocate(Bytes(32));
  in.write(std::vector<std::byte>(128, static_cast<std::byte>(value)));
  const auto loaded = device.load(copy_program(), {{"in", &in}, {"out", &out}});
  REQUIRE(loaded->run().ok());
  std::vector<std::byte> bytes(32);
  out.read(bytes);
  CHECK(bytes == std::vector<std::byte>(32, static_cast<std::byte>(value)));
}

}  // namespace

TEST_CASE("a served board runs the programs of several clients", "[unit]") {
  const ServedBoard board(false);
  const auto first = board.open(), second = board.open();
  for (const int value : {1, 2, 3}) {
    copies(*first, value);
    copies(*second, -value);
  }
  CHECK_THAT(ERROR_OF(first->run({Bytes(EmulatedBoard::kMemory), 1}, {})),
             ContainsSubstring("it runs programs that were loaded"));
}

TEST_CASE("a served board is the same core by whatever name and clock a client knows it", "[unit]") {
  ServedBoard board(false);
  auto wanted = kConfig.to_json();
  wanted["TARGET"] = "pynq";
  wanted["CLOCK_MHZ"] = 50;
  const auto slow = isa::Config::from_json(wanted, "slow");
  const auto first = board.open(), second = driver::open_accelerator(board.uri(), slow, {});
  CHECK(second->config() == slow);
  copies(*second, 7);
  auto in = second->allocate(Bytes(128)), out = second->allocate(Bytes(32));
  // At what the FPGA has, whatever clients say
  CHECK(second->load(copy_program(), {{"in", &in}, {"out", &out}})->run().clock_mhz == 100);
  CHECK_THAT(ERROR_OF(driver::open_accelerator(board.uri(), test::shipped_config("8x8"), {})),
             ContainsSubstring("its LOG_INP_BUFF_SIZE is 15, not 14"));
}

TEST_CASE("a run on a served board is recorded, and a record is replayed there", "[unit]") {
  ServedBoard board(false);
  const auto device = board.open();
  // Another client's, so that addresses are no accident.
  const auto other = board.open();
  const auto taken = other->allocate(Bytes(4096));
  auto in = device->allocate(Bytes(128)), out = device->allocate(Bytes(32));
  in.write(std::vector<std::byte>(128, std::byte{3}));
  const auto loaded = device->load(copy_program(), {{"in", &in}, {"out", &out}});
  const auto recorded = driver::run_and_record(*device, *loaded, "copy");
  REQUIRE(recorded.result.ok());
  const auto simulator = driver::open_accelerator("fsim:", kConfig, {});
  for (driver::Accelerator* replayer : {simulator.get(), device.get()}) {
    const auto result = driver::replay(*replayer, recorded.bundle);
    INFO(replayer->uri() << ": " << result.mismatch.value_or(""));
    CHECK(result.ok());
  }
  // What lay where no board has memory, and without the names that a program gives.
  auto from = simulator->allocate(Bytes(128)), to = simulator->allocate(Bytes(32));
  from.write(std::vector<std::byte>(128, std::byte{3}));
  const auto simulated = simulator->load(copy_program(), {{"in", &from}, {"out", &to}});
  Bundle bundle = driver::run_and_record(*simulator, *simulated, "copy").bundle;
  REQUIRE(bundle.insn_address < Bytes(EmulatedBoard::kMemory));
  CHECK(driver::replay(*device, bundle).ok());
  bundle.symbols.clear();
  CHECK(driver::replay(*device, bundle).ok());
  bundle.expect[0].bytes[17] = 9;
  CHECK_THAT(driver::replay(*device, bundle).mismatch.value_or(""), ContainsSubstring("(element 1 byte 1 of"));
  // Only what is placed for a client's own programs can be read.
  std::vector<std::byte> bytes(16);
  other->read(taken.address(), bytes);
  CHECK_THAT(ERROR_OF(other->read(loaded->image().insn_address, bytes)), ContainsSubstring("in none of this client's"));
}

TEST_CASE("a board is flashed through its server", "[unit]") {
  ServedBoard board(true);
  std::vector<std::string> steps;
  const auto note = [&](const std::string& step) { steps.push_back(step); };
  rpc::flash_remotely(board.uri(), job(), note);
  REQUIRE(steps.size() == 9);
  CHECK(steps[5] == "set the FPGA's clock to 125 MHz");
  CHECK(boards::read_flash_record(board.system())->name == "sent.bit");
  copies(*board.open(), 5);

  // In several pieces.
  rpc::flash_remotely(board.uri(), job(kLarge), note);
  CHECK(steps.size() == 18);
}

TEST_CASE("what must not be flashed is refused, and the server goes on", "[unit]") {
  const auto silent = [](const std::string&) {};
  ServedBoard board(true);
  const auto session = board.open();
  CHECK_THAT(ERROR_OF(rpc::flash_remotely(board.uri(), job(), silent)), ContainsSubstring("in use by 1 sessions"));
  CHECK_THAT(ERROR_OF(rpc::flash_remotely(board.uri(), job(std::string((64 << 20) + 1, 'x')), silent)),
             ContainsSubstring("a bitstream of more than"));
  CHECK_THAT(ERROR_OF(rpc::flash_remotely(board.uri() + "x", job(), silent)), ContainsSubstring("no device 'pynqx'"));
  copies(*session, 9);

  ServedBoard strict(true);
  const std::string other = bit_bytes("7z010clg400", configuration(0x03722093));
  CHECK_THAT(ERROR_OF(rpc::flash_remotely(strict.uri(), job(other), silent)),
             ContainsSubstring("sent.bit is for part 7z010clg400"));
  const std::string cut = bit_bytes().substr(0, 200);
  CHECK_THAT(ERROR_OF(rpc::flash_remotely(strict.uri(), job(cut), silent)), ContainsSubstring("sent.bit: is cut off"));
  const auto refusal = [&](const std::function<void(boards::FlashJob&)>& change) {
    boards::FlashJob wanted = job();
    change(wanted);
    return ERROR_OF(rpc::flash_remotely(strict.uri(), wanted, silent));
  };
  const std::string unknown = bit_bytes("7z020clg400", configuration(0x03727093, 77));
  CHECK_THAT(refusal([&](boards::FlashJob& j) { j.bitstream = unknown; }), ContainsSubstring("is not verified"));
  CHECK_THAT(refusal([&](boards::FlashJob& j) {
               j.bitstream = unknown;
               j.force = true;
             }),
             ContainsSubstring("is not verified"));
  CHECK_THAT(refusal([](boards::FlashJob& j) { j.register_map = "published"; }),
             ContainsSubstring("has register map vantage, not published"));
  CHECK_THAT(refusal([](boards::FlashJob& j) { j.clock_mhz = 143; }), ContainsSubstring("made for a clock of 142 MHz"));
  CHECK_THAT(refusal([](boards::FlashJob& j) { j.register_map = "../register_maps/vantage"; }),
             ContainsSubstring("knows no register map"));
  CHECK_FALSE(boards::read_flash_record(strict.system()));

  ServedBoard lenient(true, true);
  boards::FlashJob forced = job(unknown);
  CHECK_THAT(ERROR_OF(rpc::flash_remotely(lenient.uri(), forced, silent)), ContainsSubstring("is not verified"));
  forced.force = true;
  forced.clock_mhz = 143;
  rpc::flash_remotely(lenient.uri(), forced, silent);
  CHECK(boards::read_flash_record(lenient.system())->clock_mhz == Approx(1000.0 / 7));

  const ServedBoard closed(false);
  CHECK_THAT(ERROR_OF(rpc::flash_remotely(closed.uri(), job(), silent)), ContainsSubstring("--allow-flash"));
}

}  // namespace vantage::test::driver_boards_served_board_test
