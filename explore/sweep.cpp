#include "explore/sweep.h"

#include <map>
#include <optional>

#include "base/error.h"
#include "base/json.h"
#include "explore/program_finder.h"
#include "explore/rejections.h"

namespace vantage::explore {

namespace {

class Sweep {
 public:
  Sweep(const Space& space, const std::vector<Workload>& workloads, Database& database, const SweepOptions& options)
      : space_(space),
        workloads_(workloads),
        database_(database),
        options_(options),
        method_{options.version, options.effort},
        finder_(database, method_),
        engine_(options.engine()) {}

  SweepResult run() && {
    std::vector<std::string> names;
    for (const Workload& workload : workloads_) names.push_back(workload.name);
    result_.sweep = database_.add_sweep(space_.text(), names, options_.version);
    for (const Workload& workload : workloads_) {
      result_.workloads.push_back(database_.add_workload(workload.name, workload.content, method_));
    }
    database_.clear_points(result_.sweep);
    for (point_ = 0; point_ < space_.size() && !is_stopped(); ++point_) {
      look_at(point_);
      while ((!engine_->has_room() || waiting_.size() > kMostWaiting) && !is_stopped()) take_results();
    }
    while (engine_->under_way() > 0 && !is_stopped()) take_results();
    result_.stopped = is_stopped();
    result_.rejections = rejections_.counted();
    database_.set_rejections(result_.sweep, result_.rejections);
    if (result_.designs == 0 && !result_.stopped) rejections_.refuse(space_.size());
    return std::move(result_);
  }

 private:
  // A layer for which a program is being run.
  struct Waiting {
    Design design;
    int64_t design_id, workload, number, task;
  };

  using Work = std::pair<int64_t, int64_t>;  // a core and a task

  static constexpr size_t kMostWaiting = 10'000;  // layers that wait for programs

  bool is_stopped() const { return options_.stop.stop_requested(); }

  void look_at(uint64_t number) {
    ++result_.looked_at;
    const Space::Point point = space_.at(number);
    if (point.rejection) {
      rejections_.add(*point.rejection);
    } else if (!point.design) {
      ++result_.repeated;
    } else {
      evaluate(number, *point.design);
    }
    if (number % 1024 == 0) tell();
  }

  void evaluate(uint64_t number, const Design& design) {
    const std::optional<Database::DesignId> recorded = record(number, design);
    if (!recorded) {
      ++result_.repeated;
      return;
    }
    ++result_.designs;
    const Database::DesignId id = *recorded;
    Database::Transaction whole(database_);
    for (const int64_t workload : result_.workloads) {
      for (const Database::OpenLayer& layer : database_.open_layers(id.design, workload)) {
        find({design, id.design, workload, layer.number, layer.task}, layer.text);
      }
    }
    whole.commit();
  }

  // Notes the program of a layer, or has the one run that is needed to know it.
  void find(Waiting layer, const std::string& text) {
    auto answer = finder_.ask(layer.design, layer.task);
    if (const auto* found = std::get_if<ProgramFinder::Found>(&answer)) {
      database_.set_program(layer.design_id, layer.workload, layer.number, found->program);
      return;
    }
    const auto& wanted = std::get<ProgramFinder::Wanted>(answer);
    const Work work = {wanted.core, layer.task};
    const bool is_new = !waiting_.contains(work);
    waiting_.emplace(work, std::move(layer));
    if (!is_new) return;
    jobs_[next_job_] = {work, text};
    engine_->submit(next_job_++, request_line(text, wanted.design, options_.effort));
  }

  // A design with the layers of all workloads, in one transaction; nothing where another point is the same one.
  std::optional<Database::DesignId> record(uint64_t number, const Design& design) {
    Database::Transaction whole(database_);
    const Database::DesignId id = database_.add(design);
    if (!database_.add_point(result_.sweep, number, id.design)) return std::nullopt;
    for (size_t w = 0; w < workloads_.size(); ++w) {
      const int64_t workload = result_.workloads[w];
      if (database_.has_layers(id.design, workload)) continue;
      try {
        const Layers layers = workloads_[w].layers(design);
        require_some(layers, workloads_[w].name);
        database_.add_layers(id.design, workload, layers);
      } catch (const Error& error) {
        database_.add_unable(id.design, workload, error.what());
      }
    }
    whole.commit();
    return id;
  }

  void take_results() {
    constexpr std::chrono::milliseconds kPatience{200};  // with a request to stop
    const std::vector<Outcome> outcomes = engine_->wait(kPatience);
    if (!outcomes.empty()) {
      Database::Transaction whole(database_);
      for (const Outcome& outcome : outcomes) record(outcome);
      whole.commit();
    }
    tell();
  }

  // Whoever waited for it asks again.
  void record(const Outcome& outcome) {
    const auto [work, text] = jobs_.at(outcome.job);
    const auto [core, task] = work;
    jobs_.erase(outcome.job);
    if (outcome.result) {
      database_.add_result(core, task, method_, *outcome.result);
    } else {
      database_.add_failure(core, task, method_, outcome.error, outcome.died);
      if (outcome.died) finder_.note_dead(core, task);
      if (result_.failed++ == 0) result_.failure = outcome.error;
    }
    ++result_.evaluated;
    const auto [first, last] = waiting_.equal_range(work);
    std::vector<Waiting> asking;
    for (auto waiting = first; waiting != last; ++waiting) asking.push_back(std::move(waiting->second));
    waiting_.erase(first, last);
    for (Waiting& layer : asking) find(std::move(layer), text);
  }

  void tell() const {
    if (options_.progress) options_.progress(point_, space_.size(), result_.evaluated);
  }

  const Space& space_;
  const std::vector<Workload>& workloads_;
  Database& database_;
  const SweepOptions& options_;
  const Method method_;
  ProgramFinder finder_;
  std::unique_ptr<Engine> engine_;
  uint64_t point_ = 0, next_job_ = 0;
  std::map<uint64_t, std::pair<Work, std::string>> jobs_;  // with the text of the task
  std::multimap<Work, Waiting> waiting_;
  Rejections rejections_;
  SweepResult result_;
};

}  // namespace

SweepResult sweep(const Space& space, const std::vector<Workload>& workloads, Database& database,
                  const SweepOptions& options) {
  return Sweep(space, workloads, database, options).run();
}

}  // namespace vantage::explore
