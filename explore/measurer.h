// Designs measured exactly, each a program at a time, those that take most first, for as long as nothing rules it out.
// What the database knows is not run again; what is found goes there.
//
// Thread safety: one thread at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "explore/account.h"
#include "explore/bounds.h"
#include "explore/database.h"
#include "explore/engine.h"
#include "explore/objectives.h"
#include "explore/program_finder.h"
#include "explore/sweep.h"

namespace vantage::explore {

// What became of a design.
struct Ended {
  enum class How { kMeasured, kRuledOut, kFailed, kDied };
  How how;
  uint64_t number;                          // of its point
  std::vector<double> values;               // what it was found to be, or is at least, of each objective
  Spent spent;                              // likewise
  std::vector<MeasuredLayer> layers;        // that were measured
  std::optional<Rejection> rejection = {};  // where it failed
  std::string why = {};                     // where a program of it died
};

class Measurer {
 public:
  Measurer(const std::vector<Workload>& workloads, const std::vector<Objective>& minimize, Database& database,
           const SweepOptions& options);

  // What the design's programs take at least: until forget_bounds(), which must not be called while some are active.
  // Throws Error where it cannot have a workload.
  const BoundedLayers& bounds_of(const Design& design) { return bounds_.of(design); }
  size_t known_bounds() const { return bounds_.size(); }
  void forget_bounds() { bounds_.forget(); }
  // By the bounds alone.
  Spent least(const Design& design, const BoundedLayers& layers) const {
    return Account(design, layers, options_.energy).spent();
  }
  std::vector<double> values(const Design& design, const Spent& spent) const;
  size_t objectives() const { return minimize_.size(); }

  // As many designs as it takes to keep the engine at work.
  size_t wanted() const { return 2 * engine_->slots(); }
  size_t active() const { return active_.size(); }
  uint64_t programs() const { return programs_; }  // that were run

  static constexpr const char* kNoRoom = "its scratchpads have no room for a layer of a workload";  // a reason
  // Why the design's scratchpads have no room for the workloads; none: they have.
  static std::optional<Rejection> without_room(const Design& design, const BoundedLayers& layers);
  // Takes up a design; or says why its scratchpads have no room for the workloads. REQUIRES: it has bounds.
  std::optional<Rejection> begin(uint64_t number, Design design);
  // Goes on as far as is known, and then waits for programs that run, for a moment; true: some have come back.
  // `rules_out` is asked about what a design is at least, before each of its programs.
  bool advance(const std::function<bool(const std::vector<double>& at_least)>& rules_out,
               const std::function<void(Ended)>& ended);

 private:
  using Work = std::pair<int64_t, int64_t>;  // a core and a task

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

  std::optional<Ended> advance(Active& active, const std::function<bool(const std::vector<double>&)>& rules_out);
  Ended ended(Active& active, Ended::How how, const Spent& spent) const;
  void record(const Active& active);
  bool take_results();

  const std::vector<Workload>& workloads_;
  const std::vector<Objective>& minimize_;
  Database& database_;
  const SweepOptions& options_;
  const Method method_;
  Bounds bounds_;
  ProgramFinder finder_;
  std::unique_ptr<Engine> engine_;
  std::vector<int64_t> ids_;  // of workloads
  std::vector<Active> active_;
  std::map<uint64_t, Work> jobs_;
  std::set<Work> under_way_;
  uint64_t next_job_ = 0, programs_ = 0;
};

}  // namespace vantage::explore
