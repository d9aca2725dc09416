#include "explore/sweep.h"

#include <map>
#include <set>

#include "base/error.h"
#include "base/json.h"
#include "explore/worker.h"

namespace vantage::explore {

namespace {

class Sweep {
 public:
  Sweep(const Space& space, const std::vector<Workload>& workloads, Database& database, const SweepOptions& options)
      : space_(space),
        workloads_(workloads),
        database_(database),
        options_(options),
        method_{options.version, options.evaluate.effort == ops::SearchEffort::kQuick ? "quick" : "thorough"},
        pool_(options.workers) {}

  SweepResult run() && {
    std::vector<std::string> names;
    for (const Workload& workload : workloads_) names.push_back(workload.name);
    const int64_t sweep = database_.add_sweep(space_.text(), names, options_.version);
    for (const Workload& workload : workloads_) {
      ids_.push_back(database_.add_workload(workload.name, workload.content, method_));
    }
    for (point_ = 0; point_ < space_.size() && !options_.stop.stop_requested(); ++point_) look_at(point_);
    while (pool_.under_way() > 0 && !options_.stop.stop_requested()) take_results();
    result_.stopped = options_.stop.stop_requested();
    for (const auto& [reason, counted] : rejections_) result_.rejections.push_back(counted);
    std::ranges::stable_sort(result_.rejections, std::ranges::greater(), &std::pair<Rejection, uint64_t>::second);
    database_.set_rejections(sweep, result_.rejections);
    if (result_.designs == 0 && !result_.stopped) {
      const auto& [rejection, points] = result_.rejections.front();
      fail("the space has no design: {} of {} points do not hold with '{}'{}{}", points, space_.size(),
           rejection.reason, rejection.detail.empty() ? "" : ", as in ", rejection.detail);
    }
    return std::move(result_);
  }

 private:
  void look_at(uint64_t number) {
    const Space::Point point = space_.at(number);
    if (point.rejection) {
      auto& counted = rejections_.emplace(point.rejection->reason, std::pair(*point.rejection, 0)).first->second;
      ++counted.second;
    } else if (!point.design) {
      ++result_.repeated;
    } else {
      ++result_.designs;
      evaluate(*point.design);
    }
    if (number % 1024 == 0) tell();
  }

  void evaluate(const Design& design) {
    const Database::DesignId id = record(design);
    for (const int64_t workload : ids_) {
      for (Database::Missing& missing : database_.missing(id, workload, method_)) {
        if (!under_way_.insert({id.core, missing.task}).second) continue;
        while (!pool_.has_room() && !options_.stop.stop_requested()) take_results();
        if (options_.stop.stop_requested()) return;
        jobs_[next_job_] = {id.core, missing.task};
        pool_.submit(next_job_++, request_line(missing.text, design, options_.evaluate));
      }
    }
  }

  // A design with the layers of all workloads, in one transaction.
  Database::DesignId record(const Design& design) {
    Database::Transaction whole(database_);
    const Database::DesignId id = database_.add(design);
    for (size_t w = 0; w < workloads_.size(); ++w) {
      if (database_.has_layers(id.design, ids_[w])) continue;
      try {
        database_.add_layers(id.design, ids_[w], workloads_[w].layers(design));
      } catch (const Error& error) {
        database_.add_unable(id.design, ids_[w], error.what());
      }
    }
    whole.commit();
    return id;
  }

  void take_results() {
    constexpr std::chrono::milliseconds kPatience{200};  // with a request to stop
    const std::vector<Outcome> outcomes = pool_.wait(kPatience);
    if (!outcomes.empty()) {
      Database::Transaction whole(database_);
      for (const Outcome& outcome : outcomes) record(outcome);
      whole.commit();
    }
    tell();
  }

  void record(const Outcome& outcome) {
    const auto [core, task] = jobs_.at(outcome.job);
    if (outcome.result) {
      database_.add_result(core, task, method_, *outcome.result);
    } else {
      database_.add_failure(core, task, method_, outcome.error, outcome.died);
      if (result_.failed++ == 0) result_.failure = outcome.error;
    }
    ++result_.evaluated;
    under_way_.erase({core, task});
    jobs_.erase(outcome.job);
  }

  void tell() const {
    if (options_.progress) options_.progress(point_, space_.size(), result_.evaluated);
  }

  using Work = std::pair<int64_t, int64_t>;  // a core and a task

  const Space& space_;
  const std::vector<Workload>& workloads_;
  Database& database_;
  const SweepOptions& options_;
  const Method method_;
  WorkerPool pool_;
  std::vector<int64_t> ids_;  // of workloads
  uint64_t point_ = 0, next_job_ = 0;
  std::map<uint64_t, Work> jobs_;
  std::set<Work> under_way_;
  std::map<std::string, std::pair<Rejection, uint64_t>> rejections_;  // by reason
  SweepResult result_;
};

}  // namespace

SweepResult sweep(const Space& space, const std::vector<Workload>& workloads, Database& database,
                  const SweepOptions& options) {
  return Sweep(space, workloads, database, options).run();
}

}  // namespace vantage::explore
