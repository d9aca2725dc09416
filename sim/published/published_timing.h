// How long an accelerator takes that was published as a bitstream, as data: a description in configs/machines, whose
// numbers were fitted on what its authors measured. docs/published.md has the equations, where each number is from, and
// what they are known not to say.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/embedded_file.h"
#include "base/units.h"
#include "hw/isa/config.h"

namespace vantage::sim {

// Thousandths of a cycle of the accelerator's clock: sums of them are exact.
using Millicycles = Quantity<struct MillicyclesUnit>;

// In the cycle whose end is nearest.
constexpr Cycles whole(Millicycles time) {
  return Cycles((time.count() + 500) / 1000);
}

// A cache between the accelerator and memory, with random replacement.
struct CacheTiming {
  Bytes size{0};   // powers of two
  Bytes line{32};  // ...
  uint64_t ways = 1;
  Millicycles missed_beat;  // what a beat in a line that is not there takes longer
  bool operator==(const CacheTiming&) const = default;
};

struct PublishedTiming {
  std::string where;  // the file that it is from
  std::string name;
  std::string meaning;  // one line for people
  std::string source;   // where its numbers come from
  std::string config;   // isa::Config::name() of what was built
  int clock_mhz = 0;

  Millicycles gemm_step, alu_step;                     // every step of a GEMM or reset, and of an ALU instruction
  Millicycles load_row, store_row;                     // every row of a transfer, before its beats; LOAD UOP has one
  Millicycles inp_beat, wgt_beat, acc_beat, out_beat;  // every beat of the bus
  Millicycles uop;                                     // every micro-op of a LOAD
  Millicycles zero;                                    // every element that pads
  Millicycles host_insn;                               // of the board's processor, every instruction before a run
  std::optional<CacheTiming> cache;

  // A JSON file, or the name of one in configs/machines, as it was when this was built. Throws Error that suggests a
  // near name.
  static PublishedTiming find(const std::string& file_or_name);
  // Each throws Error naming `source`, the key, the value and what would be right.
  static PublishedTiming load(const std::filesystem::path& path);
  static PublishedTiming parse(std::string_view json_text, std::string_view source);

  // Throws Error unless `config` is what was built, at its clock and on its bus.
  void require(const isa::Config& config) const;
};

// configs/machines, and the names of the machines in it, sorted.
const EmbeddedFiles& published_descriptions();
std::vector<std::string> published_names();

}  // namespace vantage::sim
