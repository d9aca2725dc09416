// All designs of a space, each with all workloads, into a database.
//
// Thread safety: one thread at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "explore/database.h"
#include "explore/engine.h"
#include "explore/space.h"
#include "explore/workload.h"
#include "hw/energy/energy_model.h"

namespace vantage::explore {

struct SweepOptions {
  std::string version;                          // of the tool
  std::string effort = "quick";                 // of the search (effort.h)
  EngineStarter engine;                         // for what runs programs
  const energy::EnergyModel* energy = nullptr;  // for objectives of energy (objectives.h)
  std::stop_token stop = {};                    // ends it in good order: what is done is recorded
  // Told how many points were looked at of how many, and how many programs were run.
  std::function<void(uint64_t points, uint64_t of, uint64_t programs)> progress = nullptr;
};

struct SweepResult {
  // Where the database has them: the sweep, with the designs that are its points, and the workloads, in their order.
  int64_t sweep = 0;
  std::vector<int64_t> workloads = {};
  uint64_t looked_at = 0;                                       // points
  uint64_t designs = 0;                                         // of these
  uint64_t repeated = 0;                                        // points that another number has, too
  std::vector<std::pair<Rejection, uint64_t>> rejections = {};  // reasons, and how many points have each
  uint64_t evaluated = 0, failed = 0;                           // programs, now
  std::string failure = {};                                     // of the first that failed
  bool stopped = false;
};

// What the database has already is not done again. Throws Error when the space has no design at all, and as the
// database does.
SweepResult sweep(const Space& space, const std::vector<Workload>& workloads, Database& database,
                  const SweepOptions& options);

}  // namespace vantage::explore
