#include "explore/certificate.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "base/error.h"
#include "base/json.h"
#include "base/json_object.h"
#include "base/suggest.h"
#include "explore/bounds.h"
#include "explore/distinct.h"
#include "explore/effort.h"

namespace vantage::explore {

namespace {

constexpr const char* kFormat = "vantage front 2";
constexpr uint64_t kMost = INT64_MAX;
constexpr double kMostMilliseconds = 1e15;
constexpr size_t kMostMistakes = 20;  // that are told

std::vector<double> numbers_in(const JsonObject& json, const char* key, size_t count) {
  const Json& list = json.array(key);
  if (list.size() != count) json.refuse(key, fmt::format("{} numbers, one for each objective", count));
  std::vector<double> numbers;
  for (const Json& value : list) {
    if (!value.is_number()) json.refuse(key, "numbers");
    numbers.push_back(value.get<double>());
  }
  return numbers;
}

// Looks at all points of a space beside what a certificate says of them.
class Checker {
 public:
  Checker(const Certificate& certificate, const Space& space, const std::vector<Workload>& workloads,
          const energy::EnergyModel* energy)
      : question_(certificate.question),
        result_(certificate.result),
        shown_(certificate.shown),
        space_(space),
        workloads_(workloads),
        energy_(energy),
        bounds_(workloads) {
    for (const std::string& name : question_.minimize) minimize_.push_back(find_objective(name));
  }

  std::vector<std::string> run(const std::function<void(uint64_t)>& done) && {
    check_inputs();
    if (!mistakes_.empty()) return std::move(mistakes_);  // all else is of another question
    note_points();
    check_front();
    check_measured();
    if (shown_) check_shown();
    Distinct distinct(space_);
    for (uint64_t number = 0; number < space_.size() && mistakes_.size() < kMostMistakes; ++number) {
      const Space::Point point = space_.at(number);
      if (point.design && distinct.is_new(*point.design)) {
        check(number, *point.design);
      } else if (point.design && measured_.contains(number)) {
        tell("point {}: is said to be measured, and another number has the same", number);
      }
      if (done) done(number + 1);
    }
    // Among those that are ruled out lie some without room, which whoever rules them out need not look for.
    if (mistakes_.empty() && (result_.designs < designs_ || result_.designs > designs_ + without_room_)) {
      tell("the space is said to have {} designs, and has {}, and {} without room for the workloads", result_.designs,
           designs_, without_room_);
    }
    return std::move(mistakes_);
  }

 private:
  template <typename... Arguments>
  void tell(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    mistakes_.push_back(fmt::format(format, std::forward<Arguments>(arguments)...));
  }

  std::vector<double> values(const Design& design, const Account& account) const {
    std::vector<double> all;
    for (const Objective& objective : minimize_) all.push_back(objective.value(design, account.spent()));
    return all;
  }

  void check_inputs() {
    for (const auto& [name, content] : inputs_of(space_, workloads_)) {
      const auto then = question_.inputs.find(name);
      if (then == question_.inputs.end()) {
        tell("{}: the proof does not say which one it is about", name);
      } else if (then->second != content) {
        tell("{}: is another one than that which the proof is about", name);
      }
    }
  }

  // Whoever is there twice is a mistake, as only one of them is looked at.
  void note_points() {
    for (const Measured& measured : result_.measured) {
      if (!measured_.emplace(measured.number, &measured).second) {
        tell("point {}: is said to be measured twice", measured.number);
      }
    }
    for (const RuledOut& ruled_out : result_.ruled_out) {
      const auto [place, is_new] = ruled_out_.emplace(ruled_out.first, &ruled_out);
      const auto next = std::next(place);
      const bool is_apart = is_new &&
                            (place == ruled_out_.begin() || std::prev(place)->second->last < ruled_out.first) &&
                            (next == ruled_out_.end() || ruled_out.last < next->first);
      if (!is_apart || ruled_out.last < ruled_out.first || ruled_out.last >= space_.size()) {
        tell("points {} to {}: are no run of points that are ruled out once", ruled_out.first, ruled_out.last);
      }
    }
  }

  void check_shown() {
    if (shown_->points != space_.size()) {
      tell("the space is said to have {} points, and has {}", shown_->points, space_.size());
    }
    for (const auto& [number, text] : shown_->designs) {
      if (number >= space_.size()) continue;  // told already
      const Space::Point point = space_.at(number);
      if (point.design && to_json(*point.design).dump() != text) {
        tell("point {}: is another design than the one that is shown", number);
      }
    }
  }

  void check_front() {
    for (const Measured& measured : result_.measured) {
      const bool is_beaten = std::ranges::any_of(
          result_.measured, [&](const Measured& other) { return dominates(other.values, measured.values); });
      if (is_beaten == measured.on_front) {
        tell("point {}: is said to be {} the front, and another measured design is {}better", measured.number,
             measured.on_front ? "on" : "behind", is_beaten ? "" : "not ");
      }
    }
  }

  // What is no design could beat all that are.
  void check_measured() {
    for (const Measured& measured : result_.measured) {
      if (mistakes_.size() >= kMostMistakes) return;
      if (measured.number >= space_.size()) {
        tell("point {}: is said to be measured, and the space has {} points", measured.number, space_.size());
        continue;
      }
      const Space::Point point = space_.at(measured.number);
      if (point.design) continue;
      tell("point {}: is said to be measured, and is no design: {}", measured.number,
           point.rejection ? point.rejection->detail.empty() ? point.rejection->reason : point.rejection->detail
                           : "another number has the same");
    }
  }

  void check(uint64_t number, const Design& design) {
    const BoundedLayers* layers = nullptr;
    try {
      layers = &bounds_.of(design);
      for (const BoundedLayer& layer : layers->layers) {
        if (measured_.contains(number)) ops::require_room(layer.layer.task, design.config);
      }
    } catch (const Error&) {
      if (measured_.contains(number)) tell("point {}: is said to be measured, and cannot have a workload", number);
      return;
    }
    const auto measured = measured_.find(number);
    if (measured != measured_.end()) {
      const std::vector<double> least = values(design, Account(design, *layers, energy_));
      for (size_t i = 0; i < least.size(); ++i) {
        if (measured->second->values[i] < least[i]) {
          tell("point {}: {} is said to be {}, and is {} at least", number, minimize_[i].name,
               measured->second->values[i], least[i]);
        }
      }
      ++designs_;
      if (measured->second->left_ms != 1e3 * layers->left_seconds) {
        tell("point {}: what stays on a processor is said to take {} ms, and takes {}", number,
             measured->second->left_ms, 1e3 * layers->left_seconds);
      }
      return;
    }
    check_ruled_out(number, design, *layers);
  }

  void check_ruled_out(uint64_t number, const Design& design, const BoundedLayers& layers) {
    auto range = ruled_out_.upper_bound(number);
    if (range == ruled_out_.begin() || (--range)->second->last < number) {
      if (!has_room(design, layers)) return;
      tell("point {}: is neither measured nor ruled out", number);
      return;
    }
    if (!has_room(design, layers)) {
      ++without_room_;
      return;
    }
    ++designs_;
    const RuledOut& ruled_out = *range->second;
    Account account(design, layers, energy_);
    for (const MeasuredLayer& layer : ruled_out.measured) {
      const bool is_there = layer.place < layers.layers.size();
      const MeasuredLayer least = is_there ? account.least(layer.place) : MeasuredLayer();
      if (!is_there || layer.cycles < least.cycles || layer.pj < least.pj) {
        tell("point {}: program {} is said to take {} cycles and {} pJ, which none can", number, layer.place,
             layer.cycles, layer.pj);
        return;
      }
      account.replace(layer);
    }
    const auto by = measured_.find(ruled_out.beaten_by);
    const std::vector<double> least = values(design, account);
    if (by == measured_.end()) {
      tell("point {}: is said to be beaten by point {}, which was not measured", number, ruled_out.beaten_by);
    } else if (!dominates(by->second->values, least)) {
      tell("point {}: takes at least {}, which point {} with {} does not beat", number, fmt::join(least, ", "),
           ruled_out.beaten_by, fmt::join(by->second->values, ", "));
    }
    for (size_t i = 0; i < least.size(); ++i) {
      if (ruled_out.at_least[i] > least[i]) {
        tell("point {}: {} is said to be {} at least, and is known to be {} at least", number, minimize_[i].name,
             ruled_out.at_least[i], least[i]);
        return;
      }
    }
  }

  static bool has_room(const Design& design, const BoundedLayers& layers) {
    try {
      for (const BoundedLayer& layer : layers.layers) ops::require_room(layer.layer.task, design.config);
      return true;
    } catch (const Error&) {
      return false;
    }
  }

  const Question& question_;
  const ExploreResult& result_;
  const std::optional<Certificate::Shown>& shown_;
  const Space& space_;
  const std::vector<Workload>& workloads_;
  const energy::EnergyModel* energy_;
  Bounds bounds_;
  std::vector<Objective> minimize_;
  std::map<uint64_t, const Measured*> measured_;
  std::map<uint64_t, const RuledOut*> ruled_out_;  // by first point
  uint64_t designs_ = 0;                           // that are measured or ruled out
  uint64_t without_room_ = 0;                      // that are among those which are ruled out, and are none
  std::vector<std::string> mistakes_;
};

}  // namespace

Json to_json(const Certificate& c, const Space& space) {
  Json measured = Json::array(), ruled_out = Json::array();
  for (const Measured& m : c.result.measured) {
    Json one = {{"point", m.number}, {"values", m.values}, {"on_front", m.on_front}};
    if (m.left_ms > 0) one["left_ms"] = m.left_ms;
    if (m.on_front) one["design"] = to_json(*space.at(m.number).design);
    measured.push_back(std::move(one));
  }
  for (const RuledOut& r : c.result.ruled_out) {
    Json one = {{"first", r.first}, {"last", r.last}, {"beaten_by", r.beaten_by}, {"at_least", r.at_least}};
    for (const MeasuredLayer& layer : r.measured) {
      one["measured"].push_back({layer.place, layer.cycles});
      if (!c.question.energy.empty()) one["measured"].back().push_back(layer.pj);
    }
    ruled_out.push_back(std::move(one));
  }
  Json json = {{"format", kFormat},
               {"space", parse_json(c.question.space, "space")},
               {"workloads", c.question.workloads},
               {"minimize", c.question.minimize},
               {"version", c.question.version},
               {"search", c.question.effort},
               {"seed", c.question.seed},
               {"inputs", c.question.inputs},
               {"points", space.size()},
               {"designs", c.result.designs},
               {"measured", std::move(measured)},
               {"ruled_out", std::move(ruled_out)}};
  if (!c.question.energy.empty()) json["energy"] = c.question.energy;
  if (c.question.part) json["part"] = to_json(*c.question.part);
  return json;
}

Certificate parse_certificate(std::string_view text, const std::string& source) {
  Certificate c;
  c.shown = Certificate::Shown();
  const std::vector<std::string> keys = {"format", "space",  "workloads", "minimize", "version",   "search", "seed",
                                         "inputs", "points", "designs",   "measured", "ruled_out", "energy", "part"};
  size_t objectives = 0;
  const auto read_measured = [&](const JsonObject& one) {
    const double left_ms = one.has("left_ms") ? one.number("left_ms", 0, kMostMilliseconds) : 0;
    c.result.measured.push_back(
        {one.natural("point", 0, kMost), numbers_in(one, "values", objectives), left_ms, one.boolean("on_front")});
    if (one.has("design")) c.shown->designs[c.result.measured.back().number] = one.value("design").dump();
  };
  const auto read_ruled_out = [&](const JsonObject& one) {
    RuledOut r{one.natural("first", 0, kMost), one.natural("last", 0, kMost), one.natural("beaten_by", 0, kMost),
               numbers_in(one, "at_least", objectives)};
    if (one.has("measured")) {
      for (const Json& layer : one.array("measured")) {
        const bool has_pj = layer.is_array() && layer.size() == 3 && layer[2].is_number();
        const bool is_one = layer.is_array() && (layer.size() == 2 || has_pj) && layer[0].is_number_unsigned() &&
                            layer[1].is_number_unsigned();
        if (!is_one) one.refuse("measured", "lists of a program's place, its cycles, and maybe picojoules");
        r.measured.push_back({layer[0].get<size_t>(), layer[1].get<uint64_t>(), has_pj ? layer[2].get<double>() : 0});
      }
    }
    c.result.ruled_out.push_back(std::move(r));
  };
  JsonReading reading;
  reading.streams = {
      stream_objects(source, "measured", {"point", "values", "left_ms", "on_front", "design"}, read_measured),
      stream_objects(source, "ruled_out", {"first", "last", "beaten_by", "at_least", "measured"}, read_ruled_out)};
  reading.before_stream = [&](const Json& so_far) { objectives = JsonObject(so_far, source).array("minimize").size(); };
  const Json json = parse_json(text, source, reading);
  const JsonObject object(json, source, keys);
  object.one_of("format", {kFormat});
  c.question = {object.value("space").dump(),
                object.strings("workloads"),
                object.strings("minimize"),
                object.string("version"),
                object.string("search"),
                object.has("energy") ? object.string("energy") : "",
                object.natural("seed", 0, UINT64_MAX)};
  if (std::ranges::find(kEffortNames, c.question.effort) == kEffortNames.end()) {
    object.refuse("search", alternatives(kEffortNames));
  }
  for (const std::string& name : c.question.minimize) {
    if (find_objective(name).is_of_energy && c.question.energy.empty()) {
      fail("{}: minimize has {}, and no energy model is named; \"energy\" would do that", source, name);
    }
  }
  for (const std::string& name : object.object("inputs").keys()) {
    c.question.inputs[name] = object.object("inputs").string(name);
  }
  if (object.has("part")) c.question.part = fpga::Part::parse(object.value("part").dump(), source + ": part");
  c.result.designs = object.natural("designs", 0, kMost);
  c.shown->points = object.natural("points", 0, kMost);
  return c;
}

std::map<std::string, std::string> inputs_of(const Space& space, const std::vector<Workload>& workloads) {
  std::map<std::string, std::string> all = space.inputs();
  for (const Workload& workload : workloads) all[workload.name] = workload.content;
  return all;
}

Space space_of(const Question& question, const std::string& source, const std::filesystem::path& configs) {
  Space space = Space::parse(question.space, source + ": space", configs);
  if (question.part) space.require_fit(fpga::PartFit(*question.part));
  return space;
}

std::vector<std::string> mistakes_of(const Certificate& certificate, const Space& space,
                                     const std::vector<Workload>& workloads, const energy::EnergyModel* energy,
                                     const std::function<void(uint64_t)>& done) {
  return Checker(certificate, space, workloads, energy).run(done);
}

}  // namespace vantage::explore
