#include "driver/boards/flash.h"

#include <fcntl.h>

#include "driver/boards/board_accelerator.h"
#include "driver/boards/clock.h"
#include "driver/boards/kept_bitstreams.h"
#include "driver/boards/programmer.h"
#include "hw/spec/error.h"
#include "hw/spec/sha256.h"

namespace vantage::boards {

namespace {

double clock_mhz(const FlashRequest& request) {
  return request.clock_mhz > 0 ? request.clock_mhz : request.config.clock_mhz();
}

FlashRecord record_of(const FlashRequest& request) {
  return {request.bitstream.name, request.board.name,       request.config.name(),
          request.map.name,       request.bitstream.sha256, clock_mhz(request)};
}

Plan programming(System& system, const FlashRequest& request, const Programmer& programmer) {
  Plan plan = programmer.plan(system, request.bitstream.file);
  plan.push_back({fmt::format("set the FPGA's clock to {} MHz", clock_mhz(request)),
                  [&system, &request] { set_fabric_clock(system, request.board, clock_mhz(request) * 1e6); }});
  plan.push_back({fmt::format("run a program on the core at 0x{:08x}, by register map {}", request.board.registers,
                              request.map.name),
                  [&system, &request] {
                    BoardOptions options;
                    options.board = request.board;
                    options.map = request.map;
                    // The caller's, for as long as this device exists.
                    open_board(std::shared_ptr<System>(std::shared_ptr<void>(), &system), request.config, options);
                  }});
  return plan;
}

// A full configuration is refused after one that ended with a wrong checksum, until PROG_B was low: the kernel's driver
// waits for INIT_B before it lowers it. Zynq-7000 only: UG585, devcfg.CTRL.
void pulse_prog_b(System& system) {
  constexpr uint64_t kDevcfg = 0xf8007000;
  constexpr uint32_t kControlLow = 0x04006e00;
  constexpr uint32_t kControlHigh = 0x44006e00;
  const File file(system, "/dev/mem", O_RDWR | O_SYNC);
  const Mapping mapping(system, file, Bytes(0x1000), kDevcfg);
  auto* const control = reinterpret_cast<volatile uint32_t*>(mapping.data());
  system.store(control, kControlLow);
  system.store(control, kControlHigh);
}

// Puts back what worked last. Says how that went.
std::string go_back(System& system, const FlashRequest& failed, const Step& step) {
  try {
    auto kept = current_bitstream(system);
    if (!kept) return "what was in the FPGA before is not known, so it may hold nothing now";
    step(fmt::format("put back {}", kept->record.name));
    if (failed.board.family == "xc7") pulse_prog_b(system);
    FlashRequest request = failed;
    request.bitstream = std::move(kept->bitstream);
    request.clock_mhz = kept->record.clock_mhz;
    // Programmed and clocked, not tried: its configuration and its register map may be others than these.
    Plan plan = programming(system, request, *find_programmer(system));
    plan.pop_back();
    carry_out(plan, step);
    write_flash_record(system, kept->record);
    return fmt::format("{} is back in the FPGA", kept->record.name);
  } catch (const Error& error) {
    return fmt::format("putting back what was in the FPGA failed, too: {}", error.what());
  }
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

void require_flashable(const FlashRequest& request) {
  constexpr double kMostMegahertz = 1000;
  if (const double wanted = clock_mhz(request); !(wanted >= 1 && wanted <= kMostMegahertz)) {
    fail("a clock of {} MHz is refused, expected 1 to {}", wanted, kMostMegahertz);
  }
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
}

Plan flash_plan(System& system, const FlashRequest& request, const Programmer& programmer) {
  Plan plan = programming(system, request, programmer);
  plan.push_back({"note what is in the FPGA, and keep it for a way back", [&system, &request] {
                    write_flash_record(system, record_of(request));
                    keep_bitstream(system, request.bitstream, record_of(request));
                  }});
  return plan;
}

void flash(System& system, const FlashRequest& request, const Step& step) {
  const Plan plan = flash_plan(system, request, *find_programmer(system));
  try {
    carry_out(plan, step);
  } catch (const Error& error) {
    fail("{}; {}", error.what(), go_back(system, request, step));
  }
}

}  // namespace vantage::boards
