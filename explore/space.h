// A space of designs, read from JSON (docs/sweeps.md): a base, what changes, what must hold, and which of the points
// are taken.
//
// Thread safety: one thread at a time.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "explore/design.h"
#include "explore/expression.h"
#include "explore/sampling.h"
#include "hw/fpga/area/part_fit.h"

namespace vantage::explore {

// What changes from point to point.
struct Parameter {
  std::string name;                  // a key of configurations, or "memory"
  int isa::ConfigKeys::*key;         // null for "memory"
  std::vector<int> values;           // of the key, or places in the list of memories
  std::optional<Expression> when{};  // else it is as in the base
};

// Why a point is no design.
struct Rejection {
  std::string reason;  // one of few: the constraint, or the rule of configurations that is broken
  std::string detail;  // of this point
};

class Space {
 public:
  // Files, or names of such in `folder`: configs, with accelerators/ and memory/ in it, is where names of these are
  // looked for. Throws Error that names the file, the key and the value.
  static Space load(const std::filesystem::path& path, const std::filesystem::path& configs);
  static Space parse(std::string_view json_text, const std::string& source, const std::filesystem::path& configs);

  // These designs, and no others.
  static Space of(std::vector<Design> designs);

  // From now on a point that does not fit the part, by estimate, is no design.
  void require_fit(fpga::PartFit fit) { fit_ = std::move(fit); }
  // Null where none is required.
  const fpga::PartFit* fit() const { return fit_ ? &*fit_ : nullptr; }

  // The base's and the memory settings' that it names.
  const std::vector<std::filesystem::path>& files() const { return files_; }
  // How many points there are to look at, designs or not.
  uint64_t size() const { return given_.size() + listed_.size() + (samples_ ? sampling_->size() : 0); }
  const std::vector<Parameter>& parameters() const { return parameters_; }
  const std::string& text() const { return text_; }  // that it was read from
  // What it was made of besides: the SHA-256 of the base and of each memory that it names, by "base" or the name.
  std::map<std::string, std::string> inputs() const;

  struct Point {
    std::optional<Design> design = {};
    std::optional<Rejection> rejection = {};
    // Neither: the same design has another number, as a parameter's condition does not hold.
  };
  // REQUIRES: number < size()
  Point at(uint64_t number) const;

  // Whether at() gives no design twice.
  bool is_distinct() const {
    return given_.empty() && listed_.size() + (samples_ ? 1 : 0) == 1 && (!samples_ || sampling_->is_distinct());
  }

  // A point as a list of places, each below its size: of its values, where all combinations of these are points.
  std::vector<uint64_t> sizes() const;
  std::vector<uint64_t> places_of(uint64_t number) const;
  // Values of parameters whose condition does not hold do not matter.
  uint64_t number_of(std::vector<uint64_t> places) const;

 private:
  friend class SpaceReader;
  Space() = default;
  // What the places of all parameters' values make.
  struct Combination {
    isa::ConfigKeys keys;
    int memory = 0;
    std::vector<bool> counts = {};  // of each parameter: its condition holds
  };
  Combination combine(const std::vector<uint64_t>& places) const;
  Point any_point(uint64_t number) const;  // whether it fits a part or not
  Point point(const isa::ConfigKeys& keys, int memory) const;

  std::string text_;
  std::filesystem::path configs_;
  std::vector<std::filesystem::path> files_;
  isa::ConfigKeys base_ = {};
  std::vector<std::string> memories_;  // names or files; the first is the base's
  std::vector<Parameter> parameters_;
  std::vector<Expression> constraints_;
  bool samples_ = false;
  std::optional<Sampling> sampling_;
  std::optional<fpga::PartFit> fit_;
  std::vector<Design> given_;
  std::vector<std::pair<isa::ConfigKeys, int>> listed_;          // keys and memory of points that are written out
  mutable std::map<std::pair<int, int>, MemoryTiming> timings_;  // by memory and clock
};

// The names that expressions know: the keys of configurations that are numbers, and what follows from them (BATCH,
// BLOCK_IN, BLOCK_OUT, MACS, BUS_BYTES, and UOP_BYTES, INP_BYTES, WGT_BYTES and ACC_BYTES of scratchpads).
const std::vector<std::string>& expression_names();
std::vector<double> expression_values(const isa::ConfigKeys& keys);

}  // namespace vantage::explore
