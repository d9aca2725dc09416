#include "hw/energy/energy.h"

#include <numeric>

#include "hw/isa/codec.h"

namespace vantage::energy {

namespace {
constexpr std::array<std::string_view, kAllParts.size()> kPartNames = {"dram", "uop", "inp", "wgt",   "acc",
                                                                       "out",  "mac", "alu", "static"};

struct Accesses {
  uint64_t core::Activity::*reads;
  uint64_t core::Activity::*writes;
};
// In the order of kScratchpads
constexpr std::array<Accesses, kScratchpads.size()> kAccesses = {{
    {&core::Activity::uop_reads, &core::Activity::uop_writes},
    {&core::Activity::inp_reads, &core::Activity::inp_writes},
    {&core::Activity::wgt_reads, &core::Activity::wgt_writes},
    {&core::Activity::acc_reads, &core::Activity::acc_writes},
    {&core::Activity::out_reads, &core::Activity::out_writes},
}};
}  // namespace

std::string_view name(Part part) {
  return kPartNames[static_cast<size_t>(part)];
}

double Energy::scratchpads_pj() const {
  double sum = 0;
  for (const Part part : kScratchpads) sum += of(part);
  return sum;
}

double Energy::total_pj() const {
  return std::accumulate(pj.begin(), pj.end(), 0.0);
}

std::optional<double> Energy::watts() const {
  if (!seconds || *seconds <= 0) return std::nullopt;
  return total_pj() * 1e-12 / *seconds;
}

std::optional<double> Energy::edp() const {
  if (!seconds || *seconds <= 0) return std::nullopt;
  return total_pj() * 1e-12 * *seconds;
}

std::optional<double> Energy::tops_per_watt(uint64_t operations) const {
  if (!seconds || total_pj() <= 0) return std::nullopt;
  return static_cast<double>(operations) / total_pj();
}

Energy& operator+=(Energy& total, const Energy& next) {
  for (size_t i = 0; i < total.pj.size(); ++i) total.pj[i] += next.pj[i];
  if (next.seconds) total.seconds = total.seconds.value_or(0) + *next.seconds;
  return total;
}

Energy EventEnergies::spent(const isa::Config& config, const isa::Counters& counters, const core::Activity& activity,
                            std::optional<Cycles> cycles) const {
  Energy energy;
  const auto part = [&](Part p) -> double& { return energy.pj[static_cast<size_t>(p)]; };
  const auto times = [](uint64_t events, double pj) { return static_cast<double>(events) * pj; };

  const uint64_t loaded = counters.inp_load_nbytes + counters.wgt_load_nbytes + counters.acc_load_nbytes +
                          counters.uop_load_nbytes + activity.insns * isa::kInsnBytes;
  part(Part::kDram) = times(loaded, dram_byte.read) + times(counters.out_store_nbytes, dram_byte.write);
  for (size_t s = 0; s < kScratchpads.size(); ++s) {
    part(kScratchpads[s]) = times(activity.*kAccesses[s].reads, scratchpads[s].read) +
                            times(activity.*kAccesses[s].writes, scratchpads[s].write);
  }
  const uint64_t lanes = static_cast<uint64_t>(config.batch()) * static_cast<uint64_t>(config.block_out());
  part(Part::kMac) = times(counters.gemm_counter * lanes * static_cast<uint64_t>(config.block_in()), mac);
  part(Part::kAlu) = times(activity.alu_mul_steps * lanes, alu_mul) +
                     times((counters.alu_counter - activity.alu_mul_steps) * lanes, alu_add);
  if (cycles) {
    energy.seconds = static_cast<double>(cycles->count()) / (1e6 * config.clock_mhz());
    part(Part::kStatic) = *energy.seconds * static_mw * 1e9 + times(cycles->count(), static_per_cycle);
  }
  return energy;
}

}  // namespace vantage::energy
