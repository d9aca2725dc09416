#include "cli/front_synthesis.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/json.h"
#include "cli/part_option.h"
#include "cli/part_table.h"
#include "cli/timing_text.h"
#include "cli/wrap.h"
#include "explore/objectives.h"
#include "hw/fpga/area/area_model.h"
#include "hw/fpga/area/part_fit.h"
#include "hw/fpga/clock_limit.h"

namespace vantage::cli {

namespace {

std::string error_text(uint64_t estimate, uint64_t counted) {
  if (counted == 0) return estimate == 0 ? "+0.0%" : "-";
  return fmt::format("{:+.1f}%", 100 * (static_cast<double>(estimate) / static_cast<double>(counted) - 1));
}

}  // namespace

FrontSynthesis::FrontSynthesis(const std::vector<std::string>& minimize, const std::vector<explore::Measured>& measured,
                               const explore::Space& space, const SynthOption& option)
    : family_(space.fit() != nullptr ? space.fit()->part().family : explore::kAreaFamily),
      delays_(fpga::CellDelays::of_family(family_)) {
  if (space.fit() != nullptr) part_ = space.fit()->part();
  const auto model = fpga::AreaModel::of_family(family_);
  std::vector<isa::Config> configs;
  for (const explore::Measured* one : explore::designs_on_front(measured)) {
    explore::Design design = *space.at(one->number).design;
    configs.push_back(design.config);
    points_.push_back({one->number, std::move(design), one->values, model->estimate(configs.back())});
  }
  const std::vector<fpga::Synthesis> results = option.synthesize(configs, family_);
  for (size_t p = 0; p < points_.size(); ++p) {
    points_[p].synthesis = results[p];
    for (size_t i = 0; i < minimize.size(); ++i) {
      const fpga::PartResource* resource = explore::resource_of(minimize[i]);
      if (resource == nullptr) continue;
      is_of_area_ = true;
      points_[p].values[i] = static_cast<double>(results[p].used.*resource->used);
    }
  }
  for (Point& point : points_) {
    const auto better = std::ranges::find_if(
        points_, [&](const Point& other) { return explore::dominates(other.values, point.values); });
    if (better != points_.end()) point.beaten_by = better->number;
  }
}

bool FrontSynthesis::fits(const Point& point) const {
  return !part_ || fpga::fits(point.synthesis.used, *part_);
}

double FrontSynthesis::mhz(const Point& point) const {
  return fpga::reached_mhz(point.synthesis.timing.value(), delays_.value());
}

std::string FrontSynthesis::verdict() const {
  std::vector<std::string> beaten;
  std::vector<uint64_t> too_large, too_slow;
  for (const Point& point : points_) {
    if (point.beaten_by) beaten.push_back(fmt::format("{} by {}", point.number, *point.beaten_by));
    if (!fits(point)) too_large.push_back(point.number);
    if (delays_ && mhz(point) < point.design.config.clock_mhz()) too_slow.push_back(point.number);
  }
  std::string text;
  if (is_of_area_) {
    text += wrapped(
        "The front is by the estimate; designs that it has ruled out may be on that of Yosys. By Yosys's "
        "counts " +
            (beaten.empty() ? "none of these is beaten by another one."
                            : fmt::format("these points are beaten: {}.", fmt::join(beaten, ", "))),
        0);
  }
  if (!too_large.empty()) {
    text += wrapped(fmt::format("These do not fit the {} after all: {}.", part_->part, fmt::join(too_large, ", ")), 0);
  }
  if (!too_slow.empty()) {
    text += wrapped(fmt::format("These are not expected to reach their CLOCK_MHZ, which milliseconds are by: {}.",
                                fmt::join(too_slow, ", ")),
                    0);
  }
  return text;
}

std::string FrontSynthesis::text() const {
  std::string text = fmt::format("what Yosys counts ({}), and how far the estimate is off\n{:>9}", family_, "point");
  for (const fpga::PartResource& r : fpga::part_resources()) text += fmt::format(" {:>16}", r.name);
  text += fmt::format("{}{}\n", delays_ ? "  MHz (CLOCK_MHZ)" : "", part_ ? "  fits" : "");
  for (const Point& point : points_) {
    text += fmt::format("{:>9}", point.number);
    for (const fpga::PartResource& r : fpga::part_resources()) {
      const uint64_t counted = point.synthesis.used.*r.used;
      text += fmt::format(" {:>8} {:>7}", counted, error_text(point.estimate.*r.used, counted));
    }
    if (delays_) {
      const int clock = point.design.config.clock_mhz();
      text += fmt::format("  {:>6.1f} ({:>4}){}  ", mhz(point), clock, mhz(point) < clock ? '!' : ' ');
    }
    if (part_) text += "  " + fit_of(*part_, point.synthesis.used).text;
    text.replace(text.find_last_not_of(' ') + 1, std::string::npos, "\n");
  }
  const std::string said = verdict();
  return said.empty() ? text : text + "\n" + said;
}

Json FrontSynthesis::json() const {
  Json list = Json::array();
  for (const Point& point : points_) {
    Json json = {{"point", point.number},
                 {"family", family_},
                 {"used", used_json(point.synthesis.used)},
                 {"estimate", used_json(point.estimate)}};
    if (delays_) json["timing"] = timing_json({"", point.design.config.clock_mhz(), *point.synthesis.timing}, *delays_);
    if (part_) json["fits"] = fits(point);
    if (point.beaten_by) json["beaten_by"] = *point.beaten_by;
    list.push_back(std::move(json));
  }
  return list;
}

}  // namespace vantage::cli
