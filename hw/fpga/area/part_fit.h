// Whether cores fit a part, by estimate (docs/area.md), in a microsecond each.
//
// Thread safety: const access from any thread.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "hw/fpga/area/area_model.h"
#include "hw/fpga/part.h"

namespace vantage::fpga {

// Something that a part has, and that cores take.
struct PartResource {
  const char* name;
  const char* brief;  // for narrow columns
  const char* key;    // in JSON
  uint64_t Resources::*used;
  uint64_t Part::*available;
};
const std::array<PartResource, 4>& part_resources();

bool fits(const Resources& used, const Part& part);

struct PartShare {
  const PartResource* of;
  double percent;  // of what the part has; infinite where it has none
};
// Of all resources, the fullest first.
std::vector<PartShare> part_shares(const Resources& used, const Part& part);
// What does not fit, as "132% LUTs, 104% RAMs", or of a core that fits what is fullest: "87% RAMs". Rounded so that
// what does not fit is never said to be 100%.
std::string fullest_text(const Resources& used, const Part& part);

class PartFit {
 public:
  // Throws Error where nothing is known of the part's family.
  explicit PartFit(Part part);

  const Part& part() const { return part_; }
  Resources estimate(const isa::Config& config) const { return model_.estimate(config); }
  // Whether the core is unlike those that the estimate was fitted to.
  bool is_extrapolated(const isa::Config& config) const { return !model_.covers(config); }
  // What to say of the part's family, once; empty where there is nothing.
  std::string caveat() const { return model_.caveat(part_.family); }

 private:
  Part part_;
  AreaModel model_;
};

}  // namespace vantage::fpga
