#include "driver/boards/served_flash.h"

#include <algorithm>

#include "base/error.h"
#include "base/settings.h"
#include "base/suggest.h"
#include "driver/boards/board_files.h"
#include "driver/boards/flash.h"

namespace vantage::boards {

void require_verified(const Bitstream& bitstream, bool force) {
  if (bitstream.verified || force) return;
  fail(
      "{} is not verified: no manifest knows its SHA-256, {}; flash it all the same with --force if you know where it "
      "comes from",
      bitstream.name, bitstream.sha256);
}

fpga::Board board_of(System& system, const std::filesystem::path& boards, const std::string& uri) {
  std::string name = uri.substr(uri.find(':') + 1);
  name = name.substr(0, name.find('#'));
  return this_board(system, boards, name);
}

void flash_served(System& system, const BitstreamStore& store, const std::filesystem::path& boards,
                  const fpga::Board& board, const FlashJob& job, bool allow_unverified, const Step& step,
                  const std::stop_token& stop) {
  // A client names one of this machine's own, and no file of it.
  const std::vector<std::string> maps = settings_in(boards / "register_maps");
  if (std::find(maps.begin(), maps.end(), job.register_map) == maps.end()) {
    fail("the board knows no register map '{}'{}", job.register_map, did_you_mean(job.register_map, maps));
  }
  FlashRequest request{.board = board,
                       .bitstream = store.identify(make_bitstream(job.name, job.bitstream)),
                       .map = load_register_map(boards, job.register_map),
                       .config = isa::Config::parse(job.config_json, "the bitstream's configuration"),
                       .clock_mhz = job.clock_mhz};
  require_flashable(request);
  require_verified(request.bitstream, job.force && allow_unverified);
  if (!allow_unverified) {
    const Bitstream& known = request.bitstream;
    if (known.register_map != job.register_map) {
      fail("{} has register map {}, not {}", known.name, known.register_map, job.register_map);
    }
    require_clock(request);
  }
  flash(system, request, step, stop);
}

}  // namespace vantage::boards
