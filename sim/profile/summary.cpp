#include "sim/profile/summary.h"

#include "base/error.h"
#include "sim/profile/bottleneck.h"

namespace vantage::sim {

Summary summarize(const isa::Config& config, const RunResult& result, const Work* work) {
  VANTAGE_CHECK(result.cycles && result.cycles->count() != 0);
  const auto cycles = static_cast<double>(result.cycles->count());
  const isa::Counters& c = result.counters;
  const double bus = cycles * static_cast<double>(config.bus_width().count());

  Summary s{};
  s.seconds = cycles / (1e6 * clock_mhz(config, result));
  s.executed = executed(config, c);
  s.executed_gops = static_cast<double>(s.executed.operations) / s.seconds * 1e-9;
  s.gemm_utilisation = static_cast<double>(c.gemm_counter) / cycles;
  s.alu_utilisation = static_cast<double>(c.alu_counter) / cycles;
  if (work != nullptr) {
    s.useful_gops = static_cast<double>(work->useful) / s.seconds * 1e-9;
    if (!s.executed.by_alu) s.useful_gemm_utilisation = s.gemm_utilisation * (1 - padding_share(*work, s.executed));
  }
  s.read_utilisation =
      static_cast<double>(c.inp_load_nbytes + c.wgt_load_nbytes + c.acc_load_nbytes + c.uop_load_nbytes) / bus;
  s.write_utilisation = static_cast<double>(c.out_store_nbytes) / bus;
  s.bottleneck = bottleneck(s, result, work);
  return s;
}

}  // namespace vantage::sim
