#include "explore/measurer.h"

#include <algorithm>

#include "base/error.h"

namespace vantage::explore {

Measurer::Measurer(const std::vector<Workload>& workloads, const std::vector<Objective>& minimize, Database& database,
                   const SweepOptions& options)
    : workloads_(workloads),
      minimize_(minimize),
      database_(database),
      options_(options),
      method_{options.version, options.effort},
      bounds_(workloads),
      finder_(database, method_),
      engine_(options.engine()) {
  for (const Workload& workload : workloads_) {
    ids_.push_back(database_.add_workload(workload.name, workload.content, method_));
  }
}

std::vector<double> Measurer::values(const Design& design, const Spent& spent) const {
  std::vector<double> all;
  for (const Objective& objective : minimize_) all.push_back(objective.value(design, spent));
  return all;
}

std::optional<Rejection> Measurer::without_room(const Design& design, const BoundedLayers& layers) {
  try {
    for (const BoundedLayer& layer : layers.layers) ops::require_room(layer.layer.task, design.config);
    return std::nullopt;
  } catch (const Error& error) {
    return Rejection{kNoRoom, error.what()};
  }
}

std::optional<Rejection> Measurer::begin(uint64_t number, Design design) {
  const BoundedLayers& layers = bounds_.of(design);
  if (auto rejection = without_room(design, layers)) return rejection;
  auto kept = std::make_unique<Design>(std::move(design));
  const Account account(*kept, layers, options_.energy);
  Active active{number, std::move(kept), {}, &layers, account};
  active.id = database_.add(*active.design);
  for (size_t i = 0; i < layers.layers.size(); ++i) active.order.push_back(i);
  std::ranges::stable_sort(active.order, std::ranges::greater(),
                           [&](size_t i) { return layers.layers[i].bound * layers.layers[i].layer.repeats; });
  active_.push_back(std::move(active));
  return std::nullopt;
}

bool Measurer::advance(const std::function<bool(const std::vector<double>&)>& rules_out,
                       const std::function<void(Ended)>& ended) {
  for (Active& active : active_) {
    if (active.waits) continue;
    std::optional<Ended> end = advance(active, rules_out);
    if (!end) continue;
    active.layers = nullptr;
    ended(std::move(*end));
  }
  std::erase_if(active_, [](const Active& active) { return active.layers == nullptr; });
  return engine_->under_way() > 0 && take_results();
}

// As far as is known; then the next program is run.
std::optional<Ended> Measurer::advance(Active& active,
                                       const std::function<bool(const std::vector<double>&)>& rules_out) {
  while (active.next < active.order.size()) {
    if (rules_out(values(*active.design, active.account.spent()))) {
      return ended(active, Ended::How::kRuledOut, active.account.spent());
    }
    const BoundedLayer& layer = active.layers->layers[active.order[active.next]];
    const int64_t task = database_.add_task(layer.key);
    auto answer = finder_.ask(*active.design, task);
    if (const auto* wanted = std::get_if<ProgramFinder::Wanted>(&answer)) {
      active.waits = true;
      if (!under_way_.insert({wanted->core, task}).second) return std::nullopt;  // for another one
      jobs_[next_job_] = {wanted->core, task};
      engine_->submit(next_job_++, request_line(layer.key, wanted->design, options_.effort));
      return std::nullopt;
    }
    const auto* known = &std::get<ProgramFinder::Found>(answer);
    if (known->died) {
      Ended died = ended(active, Ended::How::kDied, active.account.spent());
      died.why = known->error;
      return died;
    }
    if (!known->result) {
      Ended failed = ended(active, Ended::How::kFailed, active.account.spent());
      failed.rejection = {"a program of a workload cannot be made or run", known->error};
      return failed;
    }
    active.measured.push_back(active.account.measured(active.order[active.next], *known->result));
    active.account.replace(active.measured.back());
    ++active.next;
  }
  record(active);
  return ended(active, Ended::How::kMeasured, sum_of(active.measured, *active.layers));
}

Ended Measurer::ended(Active& active, Ended::How how, const Spent& spent) const {
  return {how, active.number, values(*active.design, spent), spent, std::move(active.measured)};
}

void Measurer::record(const Active& active) {
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
}

bool Measurer::take_results() {
  constexpr std::chrono::milliseconds kPatience{200};  // with a request to stop
  const std::vector<Outcome> outcomes = engine_->wait(kPatience);
  if (outcomes.empty()) return false;
  Database::Transaction whole(database_);
  for (const Outcome& outcome : outcomes) {
    const auto [core, task] = jobs_.at(outcome.job);
    if (outcome.result) {
      database_.add_result(core, task, method_, *outcome.result);
    } else {
      database_.add_failure(core, task, method_, outcome.error, outcome.died);
      if (outcome.died) finder_.note_dead(core, task);
    }
    ++programs_;
    under_way_.erase({core, task});
    jobs_.erase(outcome.job);
  }
  whole.commit();
  for (Active& active : active_) active.waits = false;
  return true;
}

}  // namespace vantage::explore
