// The driver for real boards, all of it but the kernel, on a board that is another process.
#include "driver/boards/board_accelerator.h"

#include "base/json.h"
#include "driver/boards/board_files.h"
#include "driver/boards/clock.h"
#include "driver/boards/flash_record.h"
#include "driver/boards/pynq.h"
#include "hw/isa/codec.h"
#include "hw/isa/register_map.h"
#include "hw/program/assembly.h"
#include "sim/outcome/outcome.h"
#include "sim/profile/summary.h"
#include "tests/catch.h"
#include "tests/driver/boards/board_system.h"
#include "tests/support/differential.h"
#include "tests/support/random_config.h"

namespace vantage::test::driver_boards_board_accelerator_test {

using namespace vantage;
using namespace vantage::test;
using sim::RunStatus;

namespace {

const isa::Config kConfig = isa::Config::vta_default();

struct Core {
  std::string map;
  std::vector<std::string> arguments;
  uint64_t programs;  // to run on it: the RTL takes its time
};
const Core kOurs = {"vantage", {"--core", "vantage", "--machine", "functional"}, 40};
const Core kPublished = {"published", {"--core", "published", "--machine", "functional"}, 40};
#ifdef VANTAGE_EMULATOR
// Under an emulator of another architecture, which has no model of the RTL.
const Core& kRtl = kOurs;
const std::vector<Core> kCores = {kOurs, kPublished};
#else
const Core kRtl = {"vantage", {"--core", "rtl"}, 4};
const std::vector<Core> kCores = {kRtl,
                                  kOurs,
                                  kPublished,
                                  {"vantage", {"--core", "vantage", "--machine", "rtl"}, 2},
                                  {"published", {"--core", "published", "--machine", "rtl"}, 2}};
#endif

// A board with a device on it. `system` is the device's.
struct Opened {
  explicit Opened(const Core& core, bool uio = true, MemoryKind memory = MemoryKind::kUdmabuf) : board(core.arguments) {
    auto owned = std::make_unique<BoardSystem>(board, uio, memory);
    system = owned.get();
    auto options = board_options(core.map, memory);
    options.log = [this](const std::string& line) { log += line + "\n"; };
    device = boards::open_board(std::move(owned), kConfig, std::move(options));
  }

  EmulatedBoard board;
  std::string log;
  BoardSystem* system;
  std::unique_ptr<driver::Accelerator> device;
};

// To open `pynq:` on it.
driver::AcceleratorOptions options_on(const std::shared_ptr<BoardSystem>& system) {
  driver::AcceleratorOptions options;
  options.boards = source_dir() / "configs/boards";
  options.machine = system;
  return options;
}

// Copies "in", cut to bytes, to "out".
const char* const kCopy =
    "load.acc sram=0 dram=in+0 y=1 x=2 stride=2 push=next\n"
    "store.out sram=0 dram=out+0 y=1 x=2 stride=2 pop=prev push=prev\n"
    "finish pop=next\n";

Program program(const std::string& lines) {
  return assemble(
      ".config " + kConfig.to_json().dump() + "\n.tensor in acc 2 input\n.tensor out out 2 output\n" + lines, "test");
}

// Runs the copy once and checks what it did.
void copies(driver::Accelerator& device, int value) {
  auto in = device.allocate(Bytes(128)), out = device.allocate(Bytes(32));
  in.write(std::vector<std::byte>(128, static_cast<std::byte>(value)));
  out.write(std::vector<std::byte>(32, std::byte{0x55}));
  const auto loaded = device.load(program(kCopy), {{"in", &in}, {"out", &out}});
  const auto result = loaded->run();
  REQUIRE(result.ok());
  CHECK(result.counters.acc_load_nbytes == 128);
  CHECK(result.counters.out_store_nbytes == 32);
  std::vector<std::byte> bytes(32);
  out.read(bytes);
  CHECK(bytes == std::vector<std::byte>(32, static_cast<std::byte>(value)));
}

// A board as a machine: programs with addresses from 0 are moved to a buffer.
class BoardMachine : public sim::Machine {
 public:
  explicit BoardMachine(driver::Accelerator& device) : device_(device) { device_.reset(); }
  const isa::Config& config() const override { return device_.config(); }
  void reset() override { device_.reset(); }
  std::vector<isa::MicroOp> micro_ops() const override { return device_.micro_ops(); }

  sim::RunResult run(sim::Dram& dram, const sim::ProgramImage& image, const sim::RunOptions& options) override {
    auto buffer = device_.allocate(dram.size());
    const isa::Codec codec(config());
    sim::Dram moved(dram.size());
    moved.write(Bytes(0), dram.range(Bytes(0), dram.size()));
    for (uint64_t i = 0; i < image.insn_count; ++i) {
      const auto place =
          moved.range(image.insn_address + Bytes(i * isa::kInsnBytes), Bytes(isa::kInsnBytes)).first<isa::kInsnBytes>();
      isa::Insn insn = *codec.decode(isa::load_words(place)).insn;
      if (isa::Transfer* t = isa::transfer(insn); t != nullptr && !t->moves_nothing()) {
        t->dram_base += static_cast<uint32_t>(buffer.address() / config().element_size(t->memory));
      }
      isa::store_words(codec.encode(insn), place);
    }
    buffer.write(moved.range(Bytes(0), moved.size()));
    const auto result = device_.run({buffer.address() + image.insn_address, image.insn_count}, options);
    // All but the program itself, which only the board's copy has moved.
    buffer.read(dram.range(Bytes(0), image.insn_address));
    return result;
  }

 private:
  driver::Accelerator& device_;
};

}  // namespace

TEST_CASE("programs run on every core as the oracle says", "[property]") {
  for (const Core& core : kCores) {
    INFO(core.map << " " << core.arguments.back());
    const Opened opened(core);
    copies(*opened.device, 5);
    copies(*opened.device, -6);
    for (uint64_t seed = 1; seed <= core.programs; ++seed) {
      const auto found = check_program(
          random_program(kConfig, seed, 40),
          [&](const RandomProgram& p) {
            return difference(p, [&](const isa::Config&) { return std::make_unique<BoardMachine>(*opened.device); });
          },
          "board");
      REQUIRE(found.value_or("") == "");
    }
  }
}

TEST_CASE("every way to memory and registers works, and is said", "[unit]") {
  const std::vector<std::pair<MemoryKind, bool>> kinds = {{MemoryKind::kReserved, false},
                                                          {MemoryKind::kUdmabuf, true},
                                                          {MemoryKind::kDmaHeap, true},
                                                          {MemoryKind::kLibCma, true},
                                                          {MemoryKind::kXrt, true}};
  for (const auto& [kind, caches] : kinds) {
    for (const bool uio : {false, true}) {
      Opened opened(kRtl, uio, kind);
      copies(*opened.device, 7);
      // Memory in which the processor's caches must be seen to, but for the coherent and the uncached.
      CHECK((opened.system->syncs() > 0) == (caches && kind != MemoryKind::kDmaHeap));
      CHECK(opened.log == fmt::format("memory: 1048576 bytes at 0x10000000\nregisters: by {}\nclock: 100 MHz\n",
                                      uio ? "/dev/uio0 and its interrupt" : "/dev/mem, polled"));
      CHECK(opened.system->open_files() > 0);
    }
  }
}

TEST_CASE("a run takes no done of the run before for its own", "[unit]") {
  for (const Core& core : {kRtl, kOurs, kPublished}) {
    const Opened opened(core);
    // The published blocks show done until the next run's first instruction: outputs would be the previous run's.
    for (const int value : {1, 2, 3, 4}) copies(*opened.device, value);
  }
}

TEST_CASE("what a program would do wrong is said before it runs", "[unit]") {
  for (const Core& core : {kOurs, kPublished}) {
    const Opened opened(core);
    driver::Accelerator& device = *opened.device;
    auto in = device.allocate(Bytes(128)), out = device.allocate(Bytes(32));
    const std::map<std::string, const driver::Buffer*> tensors = {{"in", &in}, {"out", &out}};
    const auto refusal = [&](const std::string& lines) { return ERROR_OF(device.load(program(lines), tensors)); };
    CHECK_THAT(refusal("load.acc sram=0 dram=in+1 y=1 x=2 stride=2\nfinish\n"), ContainsSubstring("instruction 0"));
    CHECK_THAT(refusal("load.acc sram=0 dram=16 y=1 x=1 stride=1\nfinish\n"),
               ContainsSubstring("outside of the board's memory for the FPGA, 0x10000000 to 0x10100000"));
    CHECK_THAT(refusal("load.acc sram=0 dram=in+0 y=1 x=2 stride=2 pop=next\nfinish\n"), ContainsSubstring("deadlock"));
    CHECK_THAT(refusal("load.acc sram=0 dram=in+0 y=1 x=2 stride=2\n"), ContainsSubstring("FINISH"));
    std::vector<std::byte> bytes(2);
    CHECK_THAT(ERROR_OF(device.run({Bytes(0), 1}, {})), ContainsSubstring("not in the board's memory"));
    CHECK_THAT(ERROR_OF(device.run({in.address(), uint64_t{1} << 40}, {})), ContainsSubstring("expected at most"));
    CHECK_THAT(ERROR_OF(device.read(Bytes(0x10100000 - 1), bytes)), ContainsSubstring("0x100fffff"));
    copies(device, 9);
  }
}

TEST_CASE("scratchpads are zero after they were cleared, micro-ops too", "[unit]") {
  for (const Core& core : {kOurs, kPublished}) {
    const Opened opened(core);
    driver::Accelerator& device = *opened.device;
    auto in = device.allocate(Bytes(128)), out = device.allocate(Bytes(32));
    const std::map<std::string, const driver::Buffer*> tensors = {{"in", &in}, {"out", &out}};
    const auto loads =
        device.load(program(".uop dst=1 src=0 wgt=0\nload.uop sram=0 dram=uops+0 y=1 x=1 stride=1\nfinish\n"), tensors);
    REQUIRE(loads->run().ok());
    device.clear_scratchpads();
    const auto adds =
        device.load(program("alu.add uop=0:1 out=1 in=1 dst=0,0 src=0,0 imm=5 push=next\n"
                            "store.out sram=0 dram=out+0 y=1 x=2 stride=2 pop=prev push=prev\nfinish pop=next\n"),
                    tensors);
    REQUIRE(adds->run().ok());
    std::vector<std::byte> bytes(32), expected(32);
    std::fill_n(expected.begin(), 16, std::byte{5});
    out.read(bytes);
    CHECK(bytes == expected);
  }
}

TEST_CASE("memory that a run may still use is not given to another", "[unit]") {
  Opened opened(kRtl);
  driver::Accelerator& device = *opened.device;
  auto in = device.allocate(Bytes(128));
  Bytes given_up;
  {
    auto out = device.allocate(Bytes(32));
    given_up = out.address();
    const auto loaded = device.load(program(kCopy), {{"in", &in}, {"out", &out}});
    opened.system->tamper = [](uint32_t offset, uint32_t value) {
      return offset == isa::register_offset("STATUS") ? 0 : value;
    };
    REQUIRE(loaded->run().status == RunStatus::kTimedOut);
  }
  CHECK_THAT(ERROR_OF(device.allocate(Bytes(32))), ContainsSubstring("did not end an earlier run"));
  CHECK_THAT(ERROR_OF(in.write(std::vector<std::byte>(1))), ContainsSubstring("did not end an earlier run"));
  opened.system->tamper = [](uint32_t, uint32_t value) { return value; };
  CHECK(device.allocate(Bytes(32)).address() == given_up);
  copies(device, 6);
}

TEST_CASE("a program is checked again when the micro-ops that it relies on have changed", "[unit]") {
  const Opened opened(kPublished);
  driver::Accelerator& device = *opened.device;
  auto in = device.allocate(Bytes(128)), out = device.allocate(Bytes(32));
  const std::map<std::string, const driver::Buffer*> tensors = {{"in", &in}, {"out", &out}};
  // Adds through micro-op 0, whatever that is: the index reaches the last accumulator only if it is 0.
  const auto relies = device.load(program("alu.add uop=0:1 out=1 in=2048 dst=0,1 src=0,0 imm=1\nfinish\n"), tensors);
  CHECK(relies->run().ok());
  const auto changes =
      device.load(program(".uop dst=1 src=0 wgt=0\nload.uop sram=0 dram=uops+0 y=1 x=1 stride=1\nfinish\n"), tensors);
  REQUIRE(changes->run().ok());
  CHECK(device.micro_ops()[0].dst == 1);
  CHECK_THAT(ERROR_OF(relies->run()), ContainsSubstring("2048"));
}

TEST_CASE("nothing that was checked changes before or while it runs", "[unit]") {
  for (const Core& core : {kOurs, kPublished}) {
    const Opened opened(core);
    driver::Accelerator& device = *opened.device;
    auto image = device.allocate(Bytes(4096));
    const uint64_t base = image.address().count();
    // A program with fixed places: where it lies, and what it does to the place `at`.
    const auto run = [&](uint64_t at, const std::string& first) {
      const Program p =
          assemble(".config " + kConfig.to_json().dump() + "\n" +
                       fmt::format(fmt::runtime(first), fmt::arg("out", at / 16), fmt::arg("uop", (base + 1024) / 4)) +
                       "finish\n",
                   "test");
      std::vector<std::byte> bytes;
      for (const isa::Insn& insn : p.insns) {
        std::array<std::byte, isa::kInsnBytes> one{};
        isa::store_words(isa::Codec(kConfig).encode(insn), one);
        bytes.insert(bytes.end(), one.begin(), one.end());
      }
      device.write(image.address(), bytes);
      try {
        return std::string(device.run({image.address(), p.insns.size()}, {}).ok() ? "" : "it failed");
      } catch (const Error& error) {
        return std::string(error.what());
      }
    };
    const std::string store = "store.out sram=0 dram={out} y=1 x=1 stride=1\n";
    CHECK_THAT(run(base + 16, store), ContainsSubstring("it stores over the program's own instructions"));
    const std::string loads = "load.uop sram=0 dram={uop} y=1 x=4 stride=4\n" + store;
    CHECK_THAT(run(base + 1024, loads), ContainsSubstring("it stores over or around micro-ops that the program loads"));
    CHECK(run(base + 2048, loads) == "");
    // Rows on both sides of its instructions.
    CHECK(run(base + 64, "store.out sram=0 dram={out} y=2 x=1 stride=8\n") == "");
  }
}

TEST_CASE("micro-ops between the rows of a store are refused, as the verifier does not know them", "[unit]") {
  const Opened opened(kPublished);
  driver::Accelerator& device = *opened.device;
  auto both = device.allocate(Bytes(1024));
  // The same buffer as two tensors: a row at its begin and one at its end, micro-ops in between.
  const Program p = assemble(".config " + kConfig.to_json().dump() +
                                 "\n.tensor out out 64 output\n.tensor table uop 256 input\n"
                                 "store.out sram=0 dram=out+0 y=2 x=1 stride=63\n"
                                 "load.uop sram=0 dram=table+64 y=1 x=1 stride=1\n"
                                 "alu.add uop=0:1 out=1 in=1 dst=0,0 src=0,0 imm=1\nfinish\n",
                             "test");
  std::vector<std::byte> one(4);
  isa::store_u32(isa::Codec(kConfig).encode(isa::MicroOp{.dst = 2047}), std::span(one).first<4>());
  device.write(both.address() + Bytes(256), one);
  CHECK_THAT(ERROR_OF(device.load(p, {{"out", &both}, {"table", &both}})),
             ContainsSubstring("it stores over or around micro-ops"));
}

TEST_CASE("a loaded program that was written over is looked at again", "[unit]") {
  for (const Core& core : {kOurs, kPublished}) {
    const Opened opened(core);
    driver::Accelerator& device = *opened.device;
    auto in = device.allocate(Bytes(128)), out = device.allocate(Bytes(32));
    const auto loaded = device.load(program(kCopy), {{"in", &in}, {"out", &out}});
    REQUIRE(loaded->run().ok());
    device.reset();
    CHECK_THAT(ERROR_OF(loaded->run()), ContainsSubstring("FINISH"));
    CHECK_THAT(ERROR_OF(loaded->run()), ContainsSubstring("FINISH"));
    copies(device, 3);
    const auto again = device.load(program(kCopy), {{"in", &in}, {"out", &out}});
    REQUIRE(again->run().ok());
    device.write(again->image().insn_address, std::vector<std::byte>(16, std::byte{0xff}));
    CHECK_THAT(ERROR_OF(again->run()), ContainsSubstring("instruction 0"));
    copies(device, 4);
  }
}

TEST_CASE("a core that does not say whether it runs must be flashed after a run that was given up", "[unit]") {
  const EmulatedBoard board(kPublished.arguments);
  const auto system = std::make_shared<BoardSystem>(board, true, MemoryKind::kLibCma);
  const auto open = [&] {
    return boards::open_board(system, kConfig, board_options("published", MemoryKind::kLibCma));
  };
  {
    const auto device = open();
    auto in = device->allocate(Bytes(128)), out = device->allocate(Bytes(32));
    const auto loaded = device->load(program(kCopy), {{"in", &in}, {"out", &out}});
    system->tamper = [](uint32_t offset, uint32_t value) { return offset == 0x2018 ? 0 : value; };
    REQUIRE(loaded->run().status == RunStatus::kTimedOut);
  }
  system->tamper = [](uint32_t, uint32_t value) { return value; };
  CHECK(system->buffers == 1);
  CHECK_THAT(ERROR_OF(open()), ContainsSubstring("this core does not say whether it has ended; flash it again"));
  system->release_kept();  // as flashing does
  CHECK(system->buffers == 0);
  copies(*open(), 5);
}

TEST_CASE("a core that cannot say what it is must be noted", "[unit]") {
  const EmulatedBoard board(kPublished.arguments);
  const auto system = std::make_shared<BoardSystem>(board, true, MemoryKind::kUdmabuf);
  const driver::AcceleratorOptions options = options_on(system);
  const auto open = [&](const isa::Config& config) {
    return boards::pynq().open("pynq:pynq-z1#published", config, options);
  };
  CHECK_THAT(ERROR_OF(open(kConfig)), ContainsSubstring("`vantage flash --adopt --map published --config F`"));
  boards::FlashRecord record{.name = "a.bit",
                             .board = "pynq-z1",
                             .config = kConfig,
                             .register_map = "vantage",
                             .sha256 = "",
                             .clock_mhz = 100};
  write_flash_record(*system, record);
  CHECK_THAT(ERROR_OF(open(kConfig)), ContainsSubstring("a.bit, has register map vantage, not published"));
  record.register_map = "published";
  write_flash_record(*system, record);
  CHECK_THAT(ERROR_OF(open(shipped_config("8x8"))), ContainsSubstring("a.bit, is of configuration 1x16_i8w8a32"));
  copies(*open(kConfig), 5);
}

TEST_CASE("cycles are of the clock that the FPGA has", "[unit]") {
  const EmulatedBoard board(kOurs.arguments);
  const auto system = std::make_shared<BoardSystem>(board, true, MemoryKind::kUdmabuf);
  driver::AcceleratorOptions options = options_on(system);
  std::string log;
  options.log = [&](const std::string& line) { log += line + "\n"; };
  const auto clock = [&] {
    const auto device = boards::pynq().open("pynq:pynq-z1", kConfig, options);
    auto in = device->allocate(Bytes(128)), out = device->allocate(Bytes(32));
    const auto result = device->load(program(kCopy), {{"in", &in}, {"out", &out}})->run();
    REQUIRE(result.ok());
    auto timed = result;
    timed.cycles = Cycles(1000);
    CHECK(sim::summarize(kConfig, timed).seconds == Approx(1e-3 / result.clock_mhz.value_or(100)));
    return result.clock_mhz;
  };
  const fpga::Board description = boards::load_board(options.boards, "pynq-z1");
  set_fabric_clock(*system, description, 50e6);
  CHECK(clock() == 50);
  CHECK_THAT(log, ContainsSubstring("clock: 50 MHz\n"));
  set_fabric_clock(*system, description, 150e6);
  CHECK(clock() == 142.857);
  // Where the registers do not say, the note does; and where there is none, the configuration.
  system->system_register(0xf8000108) = 0;
  CHECK_FALSE(clock());
  write_flash_record(*system, {.name = "a.bit",
                               .board = "pynq-z1",
                               .config = kConfig,
                               .register_map = "vantage",
                               .sha256 = "",
                               .clock_mhz = 66.25});
  CHECK(clock() == 66.25);
}

TEST_CASE("micro-ops that a client changes between two runs are checked again", "[unit]") {
  const Opened opened(kPublished);
  driver::Accelerator& device = *opened.device;
  auto in = device.allocate(Bytes(128)), out = device.allocate(Bytes(32)), uops = device.allocate(Bytes(64));
  const Program p = assemble(".config " + kConfig.to_json().dump() +
                                 "\n.tensor in acc 2 input\n.tensor out out 2 output\n.tensor table uop 16 input\n"
                                 "load.uop sram=0 dram=table+0 y=1 x=1 stride=1\n"
                                 "alu.add uop=0:1 out=1 in=2048 dst=0,1 src=0,0 imm=1\nfinish\n",
                             "test");
  const auto loaded = device.load(p, {{"in", &in}, {"out", &out}, {"table", &uops}});
  CHECK(loaded->run().ok());
  std::vector<std::byte> one(4);
  isa::store_u32(isa::Codec(kConfig).encode(isa::MicroOp{.dst = 1}), std::span(one).first<4>());
  uops.write(one);
  CHECK_THAT(ERROR_OF(loaded->run()), ContainsSubstring("2048"));
  uops.write(std::vector<std::byte>(4));
  CHECK(loaded->run().ok());
}

TEST_CASE("what the FPGA wrote beside a buffer stays when the buffer is written", "[unit]") {
  for (const MemoryKind kind : {MemoryKind::kUdmabuf, MemoryKind::kLibCma, MemoryKind::kXrt}) {
    const Opened opened(kOurs, true, kind);
    driver::Accelerator& device = *opened.device;
    auto in = device.allocate(Bytes(128)), both = device.allocate(Bytes(64));
    in.write(std::vector<std::byte>(128, std::byte{9}));
    const Program p = assemble(
        ".config " + kConfig.to_json().dump() + "\n.tensor in acc 2 input\n.tensor out out 4 output\n" + kCopy, "test");
    const auto loaded = device.load(p, {{"in", &in}, {"out", &both}});
    REQUIRE(loaded->run().ok());
    // The other half of the line, without having read what the FPGA put into the first.
    device.write(both.address() + Bytes(32), std::vector<std::byte>(32, std::byte{1}));
    std::vector<std::byte> bytes(64);
    both.read(bytes);
    CHECK(std::count(bytes.begin(), bytes.begin() + 32, std::byte{9}) == 32);
    CHECK(std::count(bytes.begin() + 32, bytes.end(), std::byte{1}) == 32);
  }
}

TEST_CASE("a board has one user", "[unit]") {
  const EmulatedBoard board(kOurs.arguments);
  BoardSystem system(board, true, MemoryKind::kReserved);
  const auto open = [&] {
    return boards::open_board(std::shared_ptr<boards::System>(std::shared_ptr<void>(), &system), kConfig,
                              board_options("vantage", MemoryKind::kReserved));
  };
  auto first = open();
  CHECK_THAT(ERROR_OF(open()), ContainsSubstring("in use by another program"));
  first.reset();
  copies(*open(), 3);
}

TEST_CASE("memory of a device that could not be opened is kept from others while its core may run", "[unit]") {
  const EmulatedBoard board(kRtl.arguments);
  BoardSystem system(board, true, MemoryKind::kLibCma);
  system.tamper = [](uint32_t offset, uint32_t value) {
    return offset == isa::register_offset("STATUS") && value != 1 ? 0 : value;
  };
  CHECK_THAT(ERROR_OF(boards::open_board(std::shared_ptr<boards::System>(std::shared_ptr<void>(), &system), kConfig,
                                         board_options("vantage", MemoryKind::kLibCma))),
             ContainsSubstring("does not run a program that zeros its scratchpads"));
  CHECK(system.buffers == 1);
}

#ifndef VANTAGE_EMULATOR  // a machine behind registers ends before it is looked at
TEST_CASE("interrupts that do not come cost time, not results", "[unit]") {
  Opened opened(kRtl);
  opened.system->lose_interrupts();
  for (const int value : {1, 2, 3, 4}) copies(*opened.device, value);
  auto in = opened.device->allocate(Bytes(128)), out = opened.device->allocate(Bytes(32));
  const auto loaded = opened.device->load(program(kCopy), {{"in", &in}, {"out", &out}});
  const auto result = loaded->run();
  REQUIRE(result.warnings.size() == 1);
  CHECK_THAT(result.warnings[0], ContainsSubstring("3 of the core's interrupts did not come; is 61 its number"));
}
#endif

TEST_CASE("a core that never ends is given up, and not started again", "[unit]") {
  for (const Core& core : {kRtl, kPublished}) {
    for (const bool uio : {true, false}) {
      Opened opened(core, uio);
      driver::Accelerator& device = *opened.device;
      auto in = device.allocate(Bytes(128)), out = device.allocate(Bytes(32));
      const auto loaded = device.load(program(kCopy), {{"in", &in}, {"out", &out}});
      // Neither done nor idle, whatever it really is.
      const uint32_t done = core.map == "vantage" ? isa::register_offset("STATUS") : 0x2018;
      opened.system->tamper = [done](uint32_t offset, uint32_t value) { return offset == done ? 0 : value; };
      const auto result = loaded->run();
      CHECK(result.status == RunStatus::kTimedOut);
      CHECK_THAT(result.message, ContainsSubstring("no end after 10 seconds"));
      CHECK_THAT(ERROR_OF(loaded->run()), ContainsSubstring("flash it again"));
      if (core.map != "vantage") continue;
      // Once it can be seen to stand still, its scratchpads are made known again.
      opened.system->tamper = [](uint32_t, uint32_t value) { return value; };
      copies(device, 3);
    }
  }
}

TEST_CASE("a run is given up when it is asked to stop", "[unit]") {
  Opened opened(kRtl);
  driver::Accelerator& device = *opened.device;
  auto in = device.allocate(Bytes(128)), out = device.allocate(Bytes(32));
  const auto loaded = device.load(program(kCopy), {{"in", &in}, {"out", &out}});
  std::stop_source source;
  opened.system->tamper = [&](uint32_t offset, uint32_t value) {
    if (offset != isa::register_offset("STATUS")) return value;
    source.request_stop();
    return 0U;
  };
  sim::RunOptions options;
  options.stop = source.get_token();
  CHECK(loaded->run(options).status == RunStatus::kStopped);
  opened.system->tamper = [](uint32_t, uint32_t value) { return value; };
  copies(device, 4);
  CHECK(loaded->run(options).message == "the run was stopped before it began");
  options = {};
  options.max_steps = 0;
  const auto steps =
      device.load(program("alu.add uop=0:1 out=1 in=1 dst=0,0 src=0,0 imm=1\nfinish\n"), {{"in", &in}, {"out", &out}});
  CHECK(steps->run(options).status == RunStatus::kStepLimit);
}

#ifndef VANTAGE_EMULATOR  // likewise
TEST_CASE("a run of hours is stopped, and the core runs the next program", "[unit]") {
  Opened opened(kRtl);
  driver::Accelerator& device = *opened.device;
  auto in = device.allocate(Bytes(128)), out = device.allocate(Bytes(32));
  const auto loaded = device.load(program("alu.add uop=0:1 out=16383 in=16383 dst=0,0 src=0,0 imm=1\nfinish\n"),
                                  {{"in", &in}, {"out", &out}});
  std::stop_source source;
  int looks = 0;
  opened.system->tamper = [&](uint32_t offset, uint32_t value) {
    if (offset == isa::register_offset("STATUS") && ++looks == 3) source.request_stop();
    return value;
  };
  sim::RunOptions options;
  options.stop = source.get_token();
  const auto stopped = loaded->run(options);
  CHECK(stopped.status == RunStatus::kStopped);
  CHECK(stopped.message == "the run was stopped");
  copies(device, 4);
  // The same by the core's own watch
  options = {};
  options.max_cycles = 1000;
  const auto ended = loaded->run(options);
  CHECK(ended.status == RunStatus::kTimedOut);
  CHECK(ended.message == "the run takes more than its 1000 cycles");
  copies(device, 5);
}
#endif

TEST_CASE("what a core says wrong is not believed", "[unit]") {
  const auto failure = [](const std::string& name, uint32_t lie) {
    Opened opened(kRtl);
    auto in = opened.device->allocate(Bytes(128)), out = opened.device->allocate(Bytes(32));
    const auto loaded = opened.device->load(program(kCopy), {{"in", &in}, {"out", &out}});
    opened.system->tamper = [=](uint32_t offset, uint32_t value) {
      // STATUS only once the run has ended.
      const bool ended = name != "STATUS" || (value & isa::kStatusDone.mask()) != 0;
      return offset == isa::register_offset(name) && ended ? lie : value;
    };
    return ERROR_OF(loaded->run());
  };
  CHECK_THAT(failure("STATUS", 0xd), ContainsSubstring("STATUS 0xd, expected either done or error"));
  CHECK_THAT(failure("OUT_STORE_NBYTES", 16), ContainsSubstring("out_store_nbytes is 16, expected 32"));
  CHECK_THAT(failure("ERROR_CAUSE", 5), ContainsSubstring("is HP0 the port that the design uses?"));

  // A run that was fine ends in an error, with each cause that there is.
  const auto lie = [](isa::ErrorCause cause, uint32_t insn) {
    Opened opened(kOurs);
    auto in = opened.device->allocate(Bytes(128)), out = opened.device->allocate(Bytes(32));
    const auto loaded = opened.device->load(program(kCopy), {{"in", &in}, {"out", &out}});
    opened.system->tamper = [=](uint32_t offset, uint32_t value) {
      if (offset == isa::register_offset("STATUS")) return isa::kStatusIdle.mask() | isa::kStatusError.mask();
      if (offset == isa::register_offset("ERROR_CAUSE")) return static_cast<uint32_t>(cause);
      return offset == isa::register_offset("ERROR_INSN") ? insn : value;
    };
    const std::string message = ERROR_OF(loaded->run());
    opened.system->tamper = [](uint32_t, uint32_t value) { return value; };
    copies(*opened.device, 2);
    return message;
  };
  CHECK_THAT(lie(isa::ErrorCause::kDecode, 1), ContainsSubstring("that instruction 1, store.out"));
  CHECK_THAT(lie(isa::ErrorCause::kIllegal, 0), ContainsSubstring("that instruction 0, load.acc"));
  CHECK_THAT(lie(isa::ErrorCause::kIllegal, 3), ContainsSubstring("an error at instruction 3 of a program that has 3"));
  CHECK_THAT(lie(isa::ErrorCause::kNoFinish, 0), ContainsSubstring("no FINISH, but instruction 2 is one"));
  CHECK_THAT(lie(isa::ErrorCause::kDeadlock, 0), ContainsSubstring("a deadlock of a program that has none"));
  CHECK_THAT(lie(isa::ErrorCause::kAborted, 0), ContainsSubstring("aborted, which nobody did"));
  CHECK_THAT(lie(isa::ErrorCause::kTimedOut, 0), ContainsSubstring("for its cycles, which had no limit"));
  CHECK_THAT(lie(static_cast<isa::ErrorCause>(9), 0), ContainsSubstring("error cause 9"));
}

TEST_CASE("an FPGA without the wanted core is told from one with it", "[unit]") {
  const EmulatedBoard board(kOurs.arguments);
  const auto refusal = [&](const std::string& name, uint32_t value) {
    auto system = std::make_unique<BoardSystem>(board, true, MemoryKind::kReserved);
    system->tamper = [=](uint32_t offset, uint32_t real) {
      return offset == isa::register_offset(name) ? value : real;
    };
    return ERROR_OF(boards::open_board(std::move(system), kConfig, board_options("vantage", MemoryKind::kReserved)));
  };
  CHECK_THAT(refusal("VERSION", 0), ContainsSubstring("VERSION is 0x00000000, which is no core of this project's"));
  CHECK_THAT(refusal("VERSION", 0x56540001), ContainsSubstring("has interface 1, this driver knows 2"));
  CHECK_THAT(refusal("CONFIG_HASH", 7), ContainsSubstring("built for another configuration than 1x16_i8w8a32"));
  CHECK_THAT(refusal("STATUS", 2), ContainsSubstring("busy with a run that another program has started"));

  auto empty = std::make_unique<FakeKernel>(FakeKernel::Has::kFpgaManager);
  CHECK_THAT(ERROR_OF(boards::open_board(std::move(empty), kConfig, board_options("vantage", MemoryKind::kReserved))),
             ContainsSubstring(
                 "fpga_manager: its state is 'unknown', expected 'operating'); put one there with `vantage flash`"));
}

TEST_CASE("a board without memory for the FPGA says what is missing", "[unit]") {
  const EmulatedBoard board(kOurs.arguments);
  auto system = std::make_unique<BoardSystem>(board, true, MemoryKind::kReserved);
  auto options = board_options("vantage", MemoryKind::kUdmabuf);
  const std::string message = ERROR_OF(boards::open_board(std::move(system), kConfig, std::move(options)));
  CHECK(message ==
        "no memory that the FPGA reaches is to be had, see docs/boards.md; u-dma-buf: its kernel module has no device; "
        "xrt: libxrt_coreutil.so.2: no such file; libxrt_coreutil.so: no such file; libcma: the kernel has no "
        "/dev/xlnk; dma-heap: /dev/dma_heap has no "
        "heap of contiguous memory; reserved memory: the board's description has no reserved_memory");
}

// Every system call in turn fails once: an error that says so, nothing left open, and the board is there for the next.
namespace {

// Opens a board and runs a program on it with the call of this number failing; false when there are not so many. What
// was said, and nothing left open.
bool survives(const EmulatedBoard& board, MemoryKind kind, int failing, std::string& message) {
  auto owned = std::make_unique<BoardSystem>(board, true, kind);
  BoardSystem& system = *owned;
  int files = -1, mappings = -1, buffers = -1, calls = 0;
  system.at_end = [&] {
    files = system.open_files();
    mappings = system.mappings();
    buffers = system.buffers;
    calls = system.calls();
  };
  system.fail_call(failing);
  message.clear();
  std::string log;
  try {
    auto options = board_options("vantage", kind);
    options.log = [&](const std::string& line) { log += line + "\n"; };
    const auto device = boards::open_board(std::move(owned), kConfig, std::move(options));
    copies(*device, 8);
  } catch (const Error& error) {
    message = error.what();
  }
  INFO("call " << failing << ": " << message);
  CHECK(files == 0);
  CHECK(mappings == 0);
  CHECK(buffers == 0);
  if (calls < failing) return false;
  // Without the clock's registers a board works: then nobody knows its clock.
  CHECK((!message.empty() || log.find("clock: ") == std::string::npos));
  return true;
}

}  // namespace

TEST_CASE("any system call may fail", "[unit]") {
  std::string message;
  const EmulatedBoard board(kOurs.arguments);
  for (const MemoryKind kind :
       {MemoryKind::kReserved, MemoryKind::kUdmabuf, MemoryKind::kDmaHeap, MemoryKind::kLibCma, MemoryKind::kXrt}) {
    for (int failing = 1; survives(board, kind, failing, message);) ++failing;
  }
#ifndef VANTAGE_EMULATOR
  // A core that takes its time, so that it is waited for; a new one each time, since it may go on.
  std::string messages;
  for (int failing = 1; survives(EmulatedBoard(kRtl.arguments), MemoryKind::kLibCma, failing, message); ++failing) {
    messages += message + "\n";
  }
  CHECK_THAT(messages, ContainsSubstring("/dev/uio0: the interrupt cannot be waited for"));
#endif
}

}  // namespace vantage::test::driver_boards_board_accelerator_test
