// What a run spends, by component: events that were counted, times what each takes. docs/energy.md has the formulas.
//
// Thread safety: values, and functions without state.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/units.h"
#include "hw/core/activity.h"
#include "hw/isa/config.h"
#include "hw/isa/counters.h"

namespace vantage::energy {

// The parts that are told apart: memory, the five scratchpads, GEMM core, ALU, and what time alone takes.
enum class Part : uint8_t { kDram, kUop, kInp, kWgt, kAcc, kOut, kMac, kAlu, kStatic };
inline constexpr std::array kAllParts = {Part::kDram, Part::kUop, Part::kInp, Part::kWgt,   Part::kAcc,
                                         Part::kOut,  Part::kMac, Part::kAlu, Part::kStatic};
std::string_view name(Part part);  // "dram", ...

// The scratchpads among them, in the order of EventEnergies::scratchpads.
inline constexpr std::array kScratchpads = {Part::kUop, Part::kInp, Part::kWgt, Part::kAcc, Part::kOut};

// Of a run, or of several one after another.
struct Energy {
  std::array<double, kAllParts.size()> pj = {};  // by Part
  // Of the accelerator; none where the machine has no time, and then nothing is static either.
  std::optional<double> seconds = {};

  double of(Part part) const { return pj[static_cast<size_t>(part)]; }
  double scratchpads_pj() const;
  double total_pj() const;

  // These know no answer where there is no time, or the run takes none. On average, in watts:
  std::optional<double> watts() const;
  // Energy times delay, in joule-seconds.
  std::optional<double> edp() const;
  // 10^12 operations a second for each watt, which is operations by picojoules. Whose operations counts, the caller
  // says.
  std::optional<double> tops_per_watt(uint64_t operations) const;
};

// Adds a run that followed. Time is known of both or of neither.
Energy& operator+=(Energy& total, const Energy& next);

// What each event takes on one configuration, in pJ. An EnergyModel makes it (hw/energy/energy_model.h).
struct EventEnergies {
  struct Access {
    double read = 0, write = 0;
  };
  Access dram_byte;                                       // of a byte
  std::array<Access, kScratchpads.size()> scratchpads{};  // of an element
  double mac = 0;                                         // of one multiply-accumulate of the GEMM core
  double alu_add = 0, alu_mul = 0;                        // of one lane of the ALU: MUL, and all that is not
  double static_mw = 0;                                   // in mW, whatever the clock
  double static_per_cycle = 0;                            // beside that

  // `cycles`: at the configuration's clock; none for machines without time. Counters and activity are of the same run
  // on `config`, for which these energies are.
  Energy spent(const isa::Config& config, const isa::Counters& counters, const core::Activity& activity,
               std::optional<Cycles> cycles) const;
};

}  // namespace vantage::energy
