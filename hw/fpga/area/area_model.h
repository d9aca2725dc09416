// What a core takes of an FPGA by estimate: in a microsecond, where synthesis takes minutes (hw/fpga/synthesis.h).
// Terms that follow from the configuration, each times a coefficient that was fitted to syntheses (configs/area, which
// tools/area makes). Block RAMs and the columns of the tile are counted, not fitted. docs/area.md says how far it is
// off, and where.
//
// Thread safety: const access from any thread.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/embedded_file.h"
#include "hw/fpga/area/area_terms.h"
#include "hw/fpga/synthesis.h"
#include "hw/isa/config.h"

namespace vantage::fpga {

// A module of the tile's columns, as Yosys maps it.
struct AreaColumn {
  uint32_t luts = 0, flip_flops = 0, dsps = 0;
};

class AreaModel {
 public:
  // Throws Error naming `source`, the key, the value and what would be right.
  static AreaModel parse(std::string_view json_text, std::string_view source);
  // Of configs/area, as it was when this was built; nothing when no part of this family is known.
  static std::optional<AreaModel> of_family(std::string_view family);

  const std::string& name() const { return name_; }
  const std::string& meaning() const { return meaning_; }
  // Whether it may be used for parts of this family, as Yosys names it.
  bool serves(std::string_view family) const { return family == family_ || !caveat(family).empty(); }
  // What to say where it is used for a family that it was not fitted to; empty for its own.
  std::string caveat(std::string_view family) const;

  Resources estimate(const isa::Config& config) const;
  // The part of it that was counted, not fitted.
  Resources counted(const isa::Config& config) const;
  // Whether the estimate is of configurations like those that it was fitted and checked on.
  bool covers(const isa::Config& config) const;
  // The first that is not: "LOG_BUS_WIDTH is 9, and the estimate was checked from 6 to 8 only"; empty where it covers
  // it.
  std::string beyond(const isa::Config& config) const;

  // How many such modules a core has, and what each takes; beyond the table, as the nearest that it has, in proportion.
  AreaColumn column(const isa::Config& config) const;

 private:
  struct Range {
    std::string key;
    int isa::ConfigKeys::*number;
    int least, most;
  };
  Resources counted(const isa::Config& config, const AreaOfMemories& memories) const;

  using Coefficients = std::array<double, kAreaTerms>;

  std::string name_, meaning_, family_;
  std::map<std::string, std::string, std::less<>> also_;  // caveats, by family
  std::vector<Range> ranges_;
  Coefficients luts_ = {}, flip_flops_ = {}, dsps_ = {};
  std::vector<AreaColumn> columns_;  // by index_of_column
};

// Of a family that there is a model for, else it throws Error; for many configurations, AreaModel::estimate.
Resources estimate_resources(const isa::Config& config, std::string_view family);

const EmbeddedFiles& area_files();

}  // namespace vantage::fpga
