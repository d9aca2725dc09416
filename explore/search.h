// Good designs of spaces that are too large to be gone through: some are proposed, those that nothing rules out are
// measured exactly, and what they came to tells which are proposed next. Nothing is proved.
//
// The same question and seed give the same designs, whatever runs programs and whatever the database knows already.
//
// Thread safety: one thread at a time.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "explore/front.h"
#include "explore/objectives.h"
#include "explore/sweep.h"

namespace vantage::explore {

struct SearchOptions {
  enum class Method {
    kEvolve,  // the best by what designs take at least and by what was measured, which evolution finds (proposer.h)
    kRandom,  // drawn at random, each measured: what others are compared with
  };
  Method method = Method::kEvolve;
  uint64_t designs = 100;  // that are measured at the most, whether something rules them out meanwhile or not
  uint64_t seed = 1;
};

struct SearchResult {
  std::vector<Measured> measured = {};  // in the order in which they were chosen
  // Of each of them, how many designs had been chosen with it: the others were ruled out when some of their programs
  // were measured, or failed.
  std::vector<uint64_t> after = {};
  uint64_t chosen = 0, ruled_out = 0;
  Undecided undecided = {};
  // Of points that were drawn at random or chosen.
  std::vector<std::pair<Rejection, uint64_t>> rejections = {};
  uint64_t programs = 0;      // that were run now
  bool is_exhausted = false;  // there was nothing more to propose
  bool stopped = false;
};

// `options.progress` is told of designs that were chosen instead of points. Throws Error when no design is found.
SearchResult search(const Space& space, const std::vector<Workload>& workloads, const std::vector<Objective>& minimize,
                    Database& database, const SweepOptions& options, const SearchOptions& how);

}  // namespace vantage::explore
