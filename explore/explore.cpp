#include "explore/explore.h"

#include <algorithm>
#include <cmath>
#include <deque>

#include "base/error.h"
#include "explore/distinct.h"
#include "explore/measurer.h"
#include "explore/rejections.h"

namespace vantage::explore {

namespace {

// A design of which nothing is measured yet, or that is ruled out by what is.
struct Candidate {
  uint64_t number;
  std::vector<double> at_least;
  std::vector<MeasuredLayer> measured = {};
  std::string why = {};  // where a program of it died
};

class Explorer {
 public:
  Explorer(const Space& space, const std::vector<Workload>& workloads, const std::vector<Objective>& minimize,
           Database& database, const SweepOptions& options)
      : space_(space), minimize_(minimize), options_(options), measurer_(workloads, minimize, database, options) {}

  ExploreResult run() && {
    look_at_all();
    while (!is_stopped() && (!candidates_.empty() || measurer_.active() > 0)) {
      fill();
      const auto rules_out = [&](const std::vector<double>& at_least) { return front_.beats(at_least) != nullptr; };
      if (measurer_.advance(rules_out, [&](Ended ended) { take(std::move(ended)); })) tell();
    }
    result_.programs = measurer_.programs();
    result_.stopped = is_stopped();
    if (!result_.stopped) conclude();
    return std::move(result_);
  }

 private:
  bool is_stopped() const { return options_.stop.stop_requested(); }

  // Null, and noted, where a design cannot have a workload.
  const BoundedLayers* bounded(const Design& design) {
    try {
      return &measurer_.bounds_of(design);
    } catch (const Error& error) {
      rejections_.add({"a workload cannot be had", error.what()});
      return nullptr;
    }
  }

  // Those that seem best come first, by the product of what they take at least.
  void look_at_all() {
    std::vector<std::pair<double, Candidate>> found;
    Distinct distinct(space_);
    for (uint64_t number = 0; number < space_.size() && !is_stopped(); ++number) {
      const Space::Point point = space_.at(number);
      if (point.rejection) rejections_.add(*point.rejection);
      if (!point.design || !distinct.is_new(*point.design)) continue;
      const BoundedLayers* layers = bounded(*point.design);
      if (layers == nullptr) continue;
      if (const auto rejection = Measurer::without_room(*point.design, *layers)) {
        rejections_.add(*rejection);
        continue;
      }
      std::vector<double> at_least = measurer_.values(*point.design, measurer_.least(*point.design, *layers));
      double size = 0;
      for (const double value : at_least) size += std::log(std::max(value, 1e-300));
      found.emplace_back(size, Candidate{number, std::move(at_least)});
    }
    std::ranges::stable_sort(found, {}, [](const auto& pair) { return pair.first; });
    for (auto& [size, candidate] : found) candidates_.push_back(std::move(candidate));
    result_.designs = candidates_.size();
  }

  void fill() {
    while (measurer_.active() < measurer_.wanted() && !candidates_.empty()) {
      Candidate candidate = std::move(candidates_.front());
      candidates_.pop_front();
      if (front_.beats(candidate.at_least) != nullptr) {
        ruled_out_.push_back(std::move(candidate));
      } else if (const auto rejection = measurer_.begin(candidate.number, *space_.at(candidate.number).design)) {
        reject(*rejection);
      }
      tell();
    }
  }

  // One that was taken for a design.
  void reject(const Rejection& rejection) {
    rejections_.add(rejection);
    --result_.designs;
  }

  void take(Ended ended) {
    switch (ended.how) {
      case Ended::How::kFailed: reject(*ended.rejection); break;
      case Ended::How::kRuledOut:
      case Ended::How::kDied:
        ruled_out_.push_back({ended.number, std::move(ended.values), std::move(ended.layers), std::move(ended.why)});
        break;
      case Ended::How::kMeasured:
        result_.measured.push_back({ended.number, std::move(ended.values), 1e3 * ended.spent.left_seconds});
        front_.add(result_.measured.back());
        break;
    }
  }

  // The front is known: who rules whom out is asked again, of the front alone, so that neighbours have the same answer.
  // A design whose program died may be ruled out as well, by what is known of it.
  void conclude() {
    front_.sort();
    std::ranges::sort(result_.measured, {}, &Measured::number);
    for (Measured& measured : result_.measured) measured.on_front = front_.beats(measured.values) == nullptr;
    std::ranges::sort(ruled_out_, {}, &Candidate::number);
    for (Candidate& candidate : ruled_out_) {
      const Measured* const better = front_.beats(candidate.at_least);
      if (better == nullptr) {
        VANTAGE_CHECK(!candidate.why.empty());
        if (result_.undecided.designs++ == 0) result_.undecided.why = candidate.why;
        continue;
      }
      const uint64_t by = better->number;
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
    result_.rejections = rejections_.counted();
    if (result_.designs == 0) rejections_.refuse(space_.size());
  }

  bool is_measured_between(uint64_t first, uint64_t last) const {
    const auto next = std::ranges::upper_bound(result_.measured, first, {}, &Measured::number);
    return next != result_.measured.end() && next->number < last;
  }

  void tell() const {
    const uint64_t decided = result_.designs - candidates_.size() - measurer_.active();
    if (options_.progress) options_.progress(decided, result_.designs, measurer_.programs());
  }

  const Space& space_;
  const std::vector<Objective>& minimize_;
  const SweepOptions& options_;
  Measurer measurer_;
  std::deque<Candidate> candidates_;
  Front front_;                       // of those that are measured
  std::vector<Candidate> ruled_out_;  // and those that died, which may be ruled out in the end
  Rejections rejections_;
  ExploreResult result_;
};

}  // namespace

ExploreResult explore(const Space& space, const std::vector<Workload>& workloads,
                      const std::vector<Objective>& minimize, Database& database, const SweepOptions& options) {
  return Explorer(space, workloads, minimize, database, options).run();
}

}  // namespace vantage::explore
