#include "explore/correction.h"

#include <algorithm>
#include <cmath>

namespace vantage::explore {

namespace {

double log_ratio(double measured, double least) {
  return least > 0 && measured > least ? std::log(measured / least) : 0;
}

}  // namespace

std::array<double, Correction::kNumbers> Correction::numbers_of(const Design& design) {
  const isa::ConfigKeys& k = design.config.keys();
  std::array<double, kNumbers> numbers = {};
  size_t next = 0;
  for (const int log :
       {k.log_inp_width, k.log_wgt_width, k.log_acc_width, k.log_batch, k.log_block_in, k.log_block_out,
        k.log_uop_buff_size, k.log_inp_buff_size, k.log_wgt_buff_size, k.log_acc_buff_size, k.log_bus_width}) {
    numbers[next++] = log;
  }
  numbers[next] = std::log2(k.clock_mhz);
  return numbers;
}

void Correction::learn(const Design& design, const Spent& least, const Spent& measured) {
  known_.push_back({numbers_of(design), design.memory.name, log_ratio(measured.cycles, least.cycles),
                    log_ratio(measured.pj, least.pj)});
}

Spent Correction::expected(const Design& design, const Spent& least) const {
  const std::array<double, kNumbers> numbers = numbers_of(design);
  double weights = 0, cycles = 0, pj = 0;
  for (const Known& known : known_) {
    double distance = known.memory == design.memory.name ? 0 : 1;
    for (size_t i = 0; i < kNumbers; ++i) distance += (numbers[i] - known.numbers[i]) * (numbers[i] - known.numbers[i]);
    constexpr double kNearest = 1e-3;
    const double weight = 1 / std::max(distance * distance, kNearest);
    weights += weight;
    cycles += weight * known.cycles;
    pj += weight * known.pj;
  }
  if (weights == 0) return least;
  return {least.cycles * std::exp(cycles / weights), least.pj * std::exp(pj / weights), least.left_seconds};
}

}  // namespace vantage::explore
