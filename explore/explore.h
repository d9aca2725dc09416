// The exact Pareto front of a space: what a design takes at least rules most of them out; the others are measured, a
// program at a time, for as long as what is known of them does not rule them out, too.
//
// "Exact" means: the same designs as when each of them were measured. Cycles are those of the best programs that the
// search finds, on a machine that counts them.
//
// Thread safety: one thread at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "explore/account.h"
#include "explore/database.h"
#include "explore/front.h"
#include "explore/objectives.h"
#include "explore/sweep.h"

namespace vantage::explore {

// Designs that were not measured to their end, and what rules them out: at least so much, against a design that was.
struct RuledOut {
  uint64_t first, last;                      // points
  uint64_t beaten_by;                        // the point of a design that was measured
  std::vector<double> at_least;              // the least of all of them, of each objective
  std::vector<MeasuredLayer> measured = {};  // of one design alone, some of whose programs were measured
};

struct ExploreResult {
  uint64_t designs = 0;                                         // of points that are some
  std::vector<std::pair<Rejection, uint64_t>> rejections = {};  // reasons, and how many points have each
  std::vector<Measured> measured = {};                          // in the order of their points
  std::vector<RuledOut> ruled_out = {};                         // likewise
  Undecided undecided = {};  // that nothing rules out: while there are some, what is measured is not proved to be best
  uint64_t programs = 0;     // that were run now
  bool stopped = false;
};

// `options.progress` is told of designs that are decided instead of points. Throws Error as sweep() does.
ExploreResult explore(const Space& space, const std::vector<Workload>& workloads,
                      const std::vector<Objective>& minimize, Database& database, const SweepOptions& options);

}  // namespace vantage::explore
