#include "driver/boards/flash.h"

#include <fcntl.h>

#include <algorithm>

#include "base/error.h"
#include "base/sha256.h"
#include "base/stop.h"
#include "driver/boards/board_accelerator.h"
#include "driver/boards/clock.h"
#include "driver/boards/kept_bitstreams.h"

namespace vantage::boards {

namespace {

// Oscillators are further off than that.
constexpr double kSameClock = 1e-4;

double clock_mhz(const FlashRequest& request) {
  return request.clock_mhz > 0 ? request.clock_mhz : request.config.clock_mhz();
}

// After it was clocked.
FlashRecord record_of(System& system, const FlashRequest& request) {
  return {request.bitstream.name, request.board.name,       request.config,
          request.map.name,       request.bitstream.sha256, fabric_clock(system, request.board) / 1e6};
}

// What the programmer does; and before what was in the FPGA is gone, the note of it is.
Plan programming(System& system, const FlashRequest& request, const Programmer& programmer) {
  Plan plan = programmer.plan(system, request.bitstream.file);
  const auto change = std::find_if(plan.begin(), plan.end(), [](const Action& action) { return action.changes_fpga; });
  change->run = [&system, run = std::move(change->run)] {
    run();
    system.release_kept();  // no run goes on any longer
  };
  plan.insert(change, {.what = "forget what was in the FPGA", .run = [&system] { forget_flash_record(system); }});
  return plan;
}

Action clocking(System& system, const FlashRequest& request) {
  return {.what = fmt::format("set the FPGA's clock to {} MHz", clock_mhz(request)),
          .run = [&system, &request] { set_fabric_clock(system, request.board, clock_mhz(request) * 1e6); }};
}

Action trying(System& system, const FlashRequest& request, const std::shared_ptr<BoardLock>& lock) {
  return {.what = fmt::format("run a program on the core at 0x{:08x}, by register map {}", request.board.registers,
                              request.map.name),
          .run = [&system, &request, lock] {
            BoardOptions options;
            options.board = request.board;
            options.map = request.map;
            options.programmed_elsewhere = request.adopt;
            options.lock = lock;
            // The caller's, for as long as this device exists.
            open_board(std::shared_ptr<System>(std::shared_ptr<void>(), &system), request.config, options);
          }};
}

Plan noting(System& system, const FlashRequest& request) {
  Plan plan = {{.what = "note what is in the FPGA",
                .run = [&system, &request] { write_flash_record(system, record_of(system, request)); }}};
  if (request.adopt) {
    plan.push_back(
        {.what = "keep what worked before it for a way back", .run = [&system] { set_aside_current(system); }});
  } else {
    plan.push_back({.what = "keep the bitstream for a way back", .run = [&system, &request] {
                      keep_bitstream(system, request.bitstream, record_of(system, request));
                    }});
  }
  return plan;
}

// What ends with a core that works. `lock`: the board's; null: it is taken when the core is tried.
Plan making(System& system, const FlashRequest& request, const Programmer& programmer,
            const std::shared_ptr<BoardLock>& lock) {
  Plan plan;
  if (!request.adopt) plan = programming(system, request, programmer);
  plan.push_back(clocking(system, request));
  plan.push_back(trying(system, request, lock));
  return plan;
}

// A full configuration is refused after one that ended with a wrong checksum, until PROG_B was low: the kernel's driver
// waits for INIT_B before it lowers it. Zynq-7000 only: UG585, devcfg.CTRL and devcfg.STATUS.
void pulse_prog_b(System& system) {
  constexpr uint64_t kDevcfg = 0xf8007000;
  constexpr uint32_t kProgB = 1u << 30;  // of CTRL, at 0x00
  constexpr uint64_t kStatus = 0x14;
  constexpr uint32_t kInit = 1u << 4;
  constexpr auto kPatience = std::chrono::milliseconds(100);  // clearing an FPGA takes a few
  const File file(system, "/dev/mem", O_RDWR | O_SYNC);
  const Mapping mapping(system, file, Bytes(0x1000), kDevcfg);
  auto* const control = reinterpret_cast<volatile uint32_t*>(mapping.data());
  auto* const status = reinterpret_cast<volatile uint32_t*>(mapping.data() + kStatus);
  for (const bool high : {false, true}) {
    const uint32_t others = system.load(control) & ~kProgB;
    system.store(control, others | (high ? kProgB : 0));
    for (const auto end = system.now() + kPatience; ((system.load(status) & kInit) != 0) != high;) {
      if (system.now() >= end) fail("the FPGA's INIT_B does not follow its PROG_B; switch the board off and on");
      system.sleep(std::chrono::microseconds(100));
    }
  }
}

// What the note says; none when it is damaged, too.
std::optional<FlashRecord> noted(System& system) {
  try {
    return read_flash_record(system);
  } catch (const Error&) {
    return std::nullopt;
  }
}

// Puts back what worked last, which is what was there `before` if all went well. Says how that went.
std::string go_back(System& system, const FlashRequest& failed, const std::optional<FlashRecord>& before,
                    const Step& step) {
  try {
    const auto programmer = find_programmer(system);
    if (failed.board.family == "xc7" && !programmer->why_not_operating(system).empty()) {
      step("clear the FPGA, by its PROG_B");
      pulse_prog_b(system);
    }
    auto kept = current_bitstream(system);
    if (!kept) return "what was in the FPGA before is not known, so it may hold nothing now";
    step(fmt::format("put back {}", kept->record.name));
    FlashRequest request = failed;
    request.bitstream = std::move(kept->bitstream);
    request.clock_mhz = kept->record.clock_mhz;
    request.config = kept->record.config;
    // Programmed and clocked, not tried: its register map may be another than this.
    carry_out(programming(system, request, *programmer), step);
    carry_out({clocking(system, request)}, step);
    write_flash_record(system, kept->record);
    if (!before) return fmt::format("{}, which worked last, is in the FPGA", kept->record.name);
    if (before->sha256 == kept->record.sha256) return fmt::format("{} is back in the FPGA", kept->record.name);
    return fmt::format("{}, which worked earlier, is in the FPGA; {}, which was there, is not kept on this board",
                       kept->record.name, before->name);
  } catch (const std::exception& error) {
    return fmt::format("putting back what was in the FPGA failed, too: {}", error.what());
  }
}

void put_clock_back(System& system, const fpga::Board& board, uint32_t clock, const Step& step) {
  try {
    write_clock_register(system, board, clock);
  } catch (const Error& error) {
    step(fmt::format("warning: the FPGA's clock is not what it was: {}", error.what()));
  }
}

// Where it is not what was wanted.
void tell_clock(System& system, const FlashRequest& request, const Step& step) {
  const double wanted = clock_mhz(request), got = fabric_clock(system, request.board) / 1e6;
  if (got >= wanted * (1 - kSameClock)) return;
  step(fmt::format("warning: the FPGA's clock is {:.6g} MHz; its PLL gives nothing between that and {} MHz", got,
                   wanted));
}

}  // namespace

Bitstream make_bitstream(std::string name, std::string contents) {
  Bitstream bitstream;
  bitstream.file = parse_bit_file(contents, name);
  bitstream.sha256 = sha256(contents);
  bitstream.name = std::move(name);
  bitstream.contents = std::move(contents);
  return bitstream;
}

void require_clock(const FlashRequest& request) {
  const double made_for = request.bitstream.clock_mhz, wanted = clock_mhz(request);
  if (made_for == 0 || wanted <= made_for) return;
  fail("{} was made for a clock of {} MHz, so {} MHz are refused; give --clock-mhz", request.bitstream.name, made_for,
       wanted);
}

void require_flashable(const FlashRequest& request) {
  if (const double wanted = clock_mhz(request); !(wanted >= 1 && wanted <= kMostMegahertz)) {
    fail("a clock of {} MHz is refused, expected 1 to {}", wanted, kMostMegahertz);
  }
  if (request.adopt) return;
  const Bitstream& bitstream = request.bitstream;
  if (!same_part(bitstream.file.part, request.board.part)) {
    fail("{} is for part {}, but {} has {}; give another bitstream, or the board that it is for with --board",
         bitstream.name, bitstream.file.part, request.board.name, request.board.part);
  }
  const auto idcode = bitstream.file.idcode();
  if (idcode && request.board.idcode && ((*idcode ^ *request.board.idcode) & 0x0fffffff) != 0) {
    fail(
        "{} configures a device with IDCODE 0x{:08x}, but the one on {} has 0x{:08x}: the file's header and its "
        "contents "
        "do not belong together",
        bitstream.name, *idcode, request.board.name, *request.board.idcode);
  }
  if (!bitstream.configuration.empty() && bitstream.configuration != request.config.name()) {
    fail("{} is of configuration {}, not {}; give that one with --config, or another bitstream", bitstream.name,
         bitstream.configuration, request.config.name());
  }
  if (!bitstream.config) return;
  if (const auto other = isa::hardware_difference(*bitstream.config, request.config); !other.empty()) {
    fail("{} is of configuration {}, not {}: its {}; give that one with --config, or another bitstream", bitstream.name,
         bitstream.config->name(), request.config.name(), other);
  }
}

Plan flash_plan(System& system, const FlashRequest& request, const Programmer& programmer) {
  Plan plan = making(system, request, programmer, nullptr);
  for (Action& action : noting(system, request)) plan.push_back(std::move(action));
  return plan;
}

void flash(System& system, const FlashRequest& request, const Step& step, const std::stop_token& stop) {
  const auto lock = std::make_shared<BoardLock>(system);
  const std::optional<FlashRecord> before = noted(system);
  const auto programmer = find_programmer(system);  // before anything else is asked of what may be no board
  std::optional<uint32_t> clock;
  if (request.adopt) clock = read_clock_register(system, request.board);
  bool changed = false;
  try {
    for (const Action& action : making(system, request, *programmer, lock)) {
      // The step before that one has forgotten what is there.
      if (!action.changes_fpga) require_going_on(stop);
      step(action.what);
      changed = changed || action.changes_fpga;
      action.run();
    }
    tell_clock(system, request, step);
  } catch (const std::exception& error) {
    if (changed) fail("{}; {}", error.what(), go_back(system, request, before, step));
    // What was there still is.
    if (clock) put_clock_back(system, request.board, *clock, step);
    throw;
  }
  for (const Action& action : noting(system, request)) {
    step(action.what);
    try {
      action.run();
    } catch (const Error& error) {
      step(fmt::format("warning: the core works, but that failed: {}", error.what()));
    }
  }
}

}  // namespace vantage::boards
