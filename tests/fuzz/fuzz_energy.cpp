// Any bytes as a model of energy, with a table of Accelergy's behind a line "---" where it names one: an Error, or
// energies that are numbers.
#include <cmath>

#include "base/error.h"
#include "hw/energy/energy_model.h"

using namespace vantage;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const size_t end = text.find("\n---\n");
  const std::string_view json = text.substr(0, end);
  const std::string table(end == std::string_view::npos ? std::string_view() : text.substr(end + 5));
  try {
    const auto model = energy::EnergyModel::parse(json, "fuzz", [&](const std::string&) { return table; });
    const isa::Config config = isa::Config::vta_default();
    isa::Counters counters;
    counters.gemm_counter = counters.alu_counter = counters.inp_load_nbytes = 1000;
    core::Activity activity;
    activity.insns = activity.wgt_reads = activity.acc_writes = activity.alu_mul_steps = 1000;
    const auto spent = model.spent(config, counters, activity, Cycles(1000));
    VANTAGE_CHECK(spent.total_pj() >= 0 && !std::isnan(spent.total_pj()));
  } catch (const Error&) {
  }
  return 0;
}
