// --part: which designs fit an FPGA, by estimate (docs/area.md), and how that is told.
#pragma once

#include <memory>
#include <string>

#include "hw/fpga/area/part_fit.h"
#include "hw/isa/config.h"

namespace CLI {
class App;
}

namespace vantage::cli {

class PartOption {
 public:
  PartOption() = default;
  explicit PartOption(std::string text) : text_(std::move(text)) {}
  void add_to(CLI::App& app, const std::string& meaning);
  // Reads the part, if one was given, before anything runs, and warns where the estimate is of another family. Throws
  // Error.
  void load();
  // Null where the option was not given.
  const fpga::PartFit* fit() const { return fit_.get(); }

 private:
  std::string text_;  // a JSON file, or a name from configs/parts or configs/boards
  std::shared_ptr<const fpga::PartFit> fit_;
};

struct DesignFit {
  fpga::Resources used;
  bool fits = false, is_extrapolated = false;
  std::string text = {};  // "yes: 87% RAMs"; "no: 132% LUTs, 104% RAMs"; a star behind it where it is extrapolated
};
DesignFit fit_of(const fpga::PartFit& fit, const isa::Config& config);  // by estimate
DesignFit fit_of(const fpga::Part& part, const fpga::Resources& used);  // as Yosys counts it

// What the star means, in lines: below a table that has one.
std::string star_note();

}  // namespace vantage::cli
