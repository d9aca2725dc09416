#include "sim/profile/summary.h"

#include "base/error.h"
#include "sim/profile/bottleneck.h"

namespace vantage::sim {

Summary summarize(const isa::Config& config, const RunResult& result) {
  VANTAGE_CHECK(result.cycles && result.cycles->count() != 0);
  const auto cycles = static_cast<double>(result.cycles->count());
  const isa::Counters& c = result.counters;
  const double per_step = 2.0 * config.batch() * config.block_in() * config.block_out();
  const double bus = cycles * static_cast<double>(config.bus_width().count());

  Summary s{};
  s.seconds = cycles / (1e6 * config.clock_mhz());
  s.gops = static_cast<double>(c.gemm_counter) * per_step / s.seconds * 1e-9;
  s.gemm_utilisation = static_cast<double>(c.gemm_counter) / cycles;
  s.read_utilisation =
      static_cast<double>(c.inp_load_nbytes + c.wgt_load_nbytes + c.acc_load_nbytes + c.uop_load_nbytes) / bus;
  s.write_utilisation = static_cast<double>(c.out_store_nbytes) / bus;
  s.bottleneck = bottleneck(s, result);
  return s;
}

}  // namespace vantage::sim
