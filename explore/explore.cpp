#include "explore/explore.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <memory>
#include <set>

#include "base/error.h"
#include "explore/bounds.h"
#include "explore/program_finder.h"

namespace vantage::explore {

namespace {

// A design of which nothing is measured yet, or that is ruled out by what is.
struct Candidate {
  uint64_t number;
  std::vector<double> at_least;
  std::vector<MeasuredLayer> measured = {};
};

// One whose programs are being measured, those that take most first.
struct Active {
  uint64_t number;
  std::unique_ptr<Design> design;
  Database::DesignId id;
  const BoundedLayers* layers;
  Account account;                 // measured, of layers before the next one, and bounds of the rest
  std::vector<size_t> order = {};  // of layers
  size_t next = 0;                 // in the order
  bool waits = false;              // for its next one
  std::vector<MeasuredLayer> measured = {};
};

class Explorer {
 public:
  Explorer(const Space& space, const std::vector<Workload>& workloads, const std::vector<Objective>& minimize,
           Database& database, const SweepOptions& options)
      : space_(space),
        workloads_(workloads),
        minimize_(minimize),
        database_(database),
        options_(options),
        method_{options.version, options.effort},
        bounds_(workloads),
        finder_(database, method_),
        engine_(options.engine()) {}

  ExploreResult run() && {
    for (const Workload& workload : workloads_) {
      ids_.push_back(database_.add_workload(workload.name, workload.content, method_));
    }
    look_at_all();
    while (!is_stopped() && (!candidates_.empty() || !active_.empty())) {
      fill();
      advance_all();
      if (engine_->under_way() > 0) take_results();
    }
    result_.stopped = is_stopped();
    if (!result_.stopped) conclude();
    return std::move(result_);
  }

 private:
  bool is_stopped() const { return options_.stop.stop_requested(); }

  std::vector<double> values(const Design& design, const Spent& spent) const {
    std::vector<double> all;
    for (const Objective& objective : minimize_) all.push_back(objective.value(design, spent));
    return all;
  }

  void reject(const Rejection& rejection) {
    ++rejections_.emplace(rejection.reason, std::pair(rejection, uint64_t{0})).first->second.second;
  }

  // Null, and noted, where a design cannot have a workload.
  const BoundedLayers* bounded(const Design& design) {
    try {
      return &bounds_.of(design);
    } catch (const Error& error) {
      reject({"a workload cannot be had", error.what()});
      return nullptr;
    }
  }

  // Those that seem best come first, by the product of what they take at least.
  void look_at_all() {
    std::vector<std::pair<double, Candidate>> found;
    for (uint64_t number = 0; number < space_.size() && !is_stopped(); ++number) {
      const Space::Point point = space_.at(number);
      if (point.rejection) reject(*point.rejection);
      if (!point.design) continue;
      const BoundedLayers* layers = bounded(*point.design);
      if (layers == nullptr) continue;
      std::vector<double> at_least = values(*point.design, Account(*point.design, *layers, options_.energy).spent());
      double size = 0;
      for (const double value : at_least) size += std::log(std::max(value, 1e-300));
      found.emplace_back(size, Candidate{number, std::move(at_least)});
    }
    std::ranges::stable_sort(found, {}, [](const auto& pair) { return pair.first; });
    for (auto& [size, candidate] : found) candidates_.push_back(std::move(candidate));
    result_.designs = candidates_.size();
  }

  // The measured design that rules this out; null where none does.
  const Measured* beats(const std::vector<double>& at_least) const {
    const auto found = std::ranges::find_if(front_, [&](const Measured& m) { return dominates(m.values, at_least); });
    return found == front_.end() ? nullptr : &*found;
  }

  void fill() {
    const size_t wanted = 2 * engine_->slots();
    while (active_.size() < wanted && !candidates_.empty()) {
      Candidate candidate = std::move(candidates_.front());
      candidates_.pop_front();
      if (beats(candidate.at_least) != nullptr) {
        ruled_out_.push_back(std::move(candidate));
      } else {
        activate(candidate.number);
      }
      tell();
    }
  }

  void activate(uint64_t number) {
    Design design = *space_.at(number).design;
    const BoundedLayers& layers = bounds_.of(design);
    try {
      for (const BoundedLayer& layer : layers.layers) ops::require_room(layer.layer.task, design.config);
    } catch (const Error& error) {
      reject({"its scratchpads have no room for a layer of a workload", error.what()});
      --result_.designs;
      return;
    }
    auto kept = std::make_unique<Design>(std::move(design));
    const Account account(*kept, layers, options_.energy);
    Active active{number, std::move(kept), {}, &layers, account};
    active.id = database_.add(*active.design);
    for (size_t i = 0; i < layers.layers.size(); ++i) active.order.push_back(i);
    std::ranges::stable_sort(active.order, std::ranges::greater(),
                             [&](size_t i) { return layers.layers[i].bound * layers.layers[i].layer.repeats; });
    active_.push_back(std::move(active));
  }

  void advance_all() {
    for (Active& active : active_) {
      if (!active.waits) advance(active);
    }
    std::erase_if(active_, [](const Active& active) { return active.layers == nullptr; });
  }

  // As far as is known; then the next program is run. One that is decided loses its layers.
  void advance(Active& active) {
    while (active.next < active.order.size()) {
      if (beats(values(*active.design, active.account.spent())) != nullptr) {
        ruled_out_.push_back(
            {active.number, values(*active.design, active.account.spent()), std::move(active.measured)});
        active.layers = nullptr;
        return;
      }
      const BoundedLayer& layer = active.layers->layers[active.order[active.next]];
      const int64_t task = database_.add_task(layer.key);
      auto answer = finder_.ask(*active.design, task);
      if (const auto* wanted = std::get_if<ProgramFinder::Wanted>(&answer)) {
        active.waits = true;
        if (!under_way_.insert({wanted->core, task}).second) return;  // for another one
        jobs_[next_job_] = {wanted->core, task};
        engine_->submit(next_job_++, request_line(layer.key, wanted->design, options_.effort));
        return;
      }
      const auto* known = &std::get<ProgramFinder::Found>(answer);
      if (!known->result) {
        reject({"a program of a workload cannot be made or run", known->error});
        --result_.designs;
        active.layers = nullptr;
        return;
      }
      active.measured.push_back(active.account.measured(active.order[active.next], *known->result));
      active.account.replace(active.measured.back());
      ++active.next;
    }
    add_measured(active);
    active.layers = nullptr;
  }

  void add_measured(const Active& active) {
    Database::Transaction whole(database_);
    for (size_t w = 0; w < workloads_.size(); ++w) {
      if (database_.has_layers(active.id.design, ids_[w])) continue;
      database_.add_layers(active.id.design, ids_[w], active.layers->parted[w]);
      for (const Database::OpenLayer& layer : database_.open_layers(active.id.design, ids_[w])) {
        const auto answer = finder_.ask(*active.design, layer.task);
        database_.set_program(active.id.design, ids_[w], layer.number, std::get<ProgramFinder::Found>(answer).program);
      }
    }
    whole.commit();
    Measured measured{active.number, values(*active.design, sum_of(active.measured, *active.layers))};
    result_.measured.push_back(measured);
    if (beats(measured.values) != nullptr) return;
    std::erase_if(front_, [&](const Measured& other) { return dominates(measured.values, other.values); });
    front_.push_back(std::move(measured));
  }

  void take_results() {
    constexpr std::chrono::milliseconds kPatience{200};  // with a request to stop
    const std::vector<Outcome> outcomes = engine_->wait(kPatience);
    if (outcomes.empty()) return;
    Database::Transaction whole(database_);
    for (const Outcome& outcome : outcomes) {
      const auto [core, task] = jobs_.at(outcome.job);
      if (outcome.result) {
        database_.add_result(core, task, method_, *outcome.result);
      } else {
        database_.add_failure(core, task, method_, outcome.error, outcome.died);
        if (outcome.died) finder_.note_dead(core, task);
      }
      ++result_.programs;
      under_way_.erase({core, task});
      jobs_.erase(outcome.job);
    }
    whole.commit();
    for (Active& active : active_) active.waits = false;
    tell();
  }

  // The front is known: who rules whom out is asked again, of the front alone, so that neighbours have the same answer.
  void conclude() {
    std::ranges::sort(front_, {}, &Measured::number);
    std::ranges::sort(result_.measured, {}, &Measured::number);
    for (Measured& measured : result_.measured) measured.on_front = beats(measured.values) == nullptr;
    std::ranges::sort(ruled_out_, {}, &Candidate::number);
    for (Candidate& candidate : ruled_out_) {
      const uint64_t by = beats(candidate.at_least)->number;
      std::vector<RuledOut>& all = result_.ruled_out;
      const bool joins = !all.empty() && all.back().measured.empty() && candidate.measured.empty() &&
                         all.back().beaten_by == by && !is_measured_between(all.back().last, candidate.number);
      if (!joins) {
        all.push_back({candidate.number, candidate.number, by, candidate.at_least, std::move(candidate.measured)});
        continue;
      }
      all.back().last = candidate.number;
      for (size_t i = 0; i < minimize_.size(); ++i) {
        all.back().at_least[i] = std::min(all.back().at_least[i], candidate.at_least[i]);
      }
    }
    for (const auto& [reason, counted] : rejections_) result_.rejections.push_back(counted);
    std::ranges::stable_sort(result_.rejections, std::ranges::greater(), &std::pair<Rejection, uint64_t>::second);
    if (result_.designs == 0) {
      const auto& [rejection, points] = result_.rejections.front();
      fail("the space has no design: {} of {} points do not hold with '{}'{}{}", points, space_.size(),
           rejection.reason, rejection.detail.empty() ? "" : ", as in ", rejection.detail);
    }
  }

  bool is_measured_between(uint64_t first, uint64_t last) const {
    const auto next = std::ranges::upper_bound(result_.measured, first, {}, &Measured::number);
    return next != result_.measured.end() && next->number < last;
  }

  void tell() const {
    const uint64_t decided = result_.designs - candidates_.size() - active_.size();
    if (options_.progress) options_.progress(decided, result_.designs, result_.programs);
  }

  using Work = std::pair<int64_t, int64_t>;  // a core and a task

  const Space& space_;
  const std::vector<Workload>& workloads_;
  const std::vector<Objective>& minimize_;
  Database& database_;
  const SweepOptions& options_;
  const Method method_;
  Bounds bounds_;
  ProgramFinder finder_;
  std::unique_ptr<Engine> engine_;
  std::vector<int64_t> ids_;  // of workloads
  std::deque<Candidate> candidates_;
  std::vector<Active> active_;
  std::vector<Measured> front_;  // of those that are measured
  std::vector<Candidate> ruled_out_;
  std::map<uint64_t, Work> jobs_;
  std::set<Work> under_way_;
  uint64_t next_job_ = 0;
  std::map<std::string, std::pair<Rejection, uint64_t>> rejections_;  // by reason
  ExploreResult result_;
};

}  // namespace

ExploreResult explore(const Space& space, const std::vector<Workload>& workloads,
                      const std::vector<Objective>& minimize, Database& database, const SweepOptions& options) {
  return Explorer(space, workloads, minimize, database, options).run();
}

}  // namespace vantage::explore
