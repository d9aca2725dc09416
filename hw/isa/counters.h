// The counters of docs/isa.md section 4, which every machine reports alike for the same program. Their names are
// written here only; tables, JSON and bundles read them.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "hw/isa/config.h"
#include "hw/isa/insn.h"

namespace vantage::isa {

struct Counters {
  uint64_t inp_load_nbytes = 0;  // bytes read from DRAM; pads are free
  uint64_t wgt_load_nbytes = 0;
  uint64_t acc_load_nbytes = 0;  // ACC and ACC8: bytes really read
  uint64_t uop_load_nbytes = 0;
  uint64_t out_store_nbytes = 0;
  uint64_t gemm_counter = 0;  // GEMM steps executed, resets not counted
  uint64_t alu_counter = 0;   // ALU steps executed
  bool operator==(const Counters&) const = default;
};

struct CounterInfo {
  std::string_view name;
  uint64_t Counters::*value;
};

inline constexpr std::array kCounters = {
    CounterInfo{"inp_load_nbytes", &Counters::inp_load_nbytes},
    CounterInfo{"wgt_load_nbytes", &Counters::wgt_load_nbytes},
    CounterInfo{"acc_load_nbytes", &Counters::acc_load_nbytes},
    CounterInfo{"uop_load_nbytes", &Counters::uop_load_nbytes},
    CounterInfo{"out_store_nbytes", &Counters::out_store_nbytes},
    CounterInfo{"gemm_counter", &Counters::gemm_counter},
    CounterInfo{"alu_counter", &Counters::alu_counter},
};

// What an instruction counts when it is executed: this does not depend on data.
Counters counted(const Insn& insn, const isa::Config& config);

inline Counters& operator+=(Counters& total, const Counters& more) {
  for (const CounterInfo& info : kCounters) total.*info.value += more.*info.value;
  return total;
}

}  // namespace vantage::isa
