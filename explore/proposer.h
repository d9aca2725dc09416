// Which designs are worth measuring: those of which evolution finds that they would beat others, if they take as much
// more than their bounds as designs like them do.
//
// Thread safety: one thread at a time.
#pragma once

#include <cstdint>
#include <stop_token>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "explore/correction.h"
#include "explore/draws.h"
#include "explore/evolution.h"
#include "explore/front.h"

namespace vantage::explore {

class Proposer {
 public:
  Proposer(const Space& space, Measurer& measurer, Draws& draws, uint64_t seed, std::stop_token stop)
      : space_(space), measurer_(measurer), draws_(draws), seed_(seed), stop_(std::move(stop)) {}

  // What a design was found to take, or takes at least.
  void learn(uint64_t number, const Spent& spent);
  // Up to `count` points that were not tried, and that none of the front beats by what they take at least; none: none
  // was found.
  std::vector<uint64_t> propose(size_t count, const Front& front, const std::unordered_set<uint64_t>& tried);

 private:
  // A point that evolution has come by.
  struct Seen {
    uint64_t number;
    std::vector<double> expected;  // logarithms of objectives
    bool is_open;                  // it may be proposed
  };

  std::vector<Genome> start(const Front& front, const std::unordered_set<uint64_t>& tried);
  const Seen& look_at(const Genome& genome, const Front& front, const std::unordered_set<uint64_t>& tried);
  std::vector<double> expected(const BoundedDesign& design) const;
  std::vector<uint64_t> best(size_t count, const Front& front) const;
  void add_drawn(size_t count, const Front& front, const std::unordered_set<uint64_t>& tried,
                 std::vector<uint64_t>& numbers);

  const Space& space_;
  Measurer& measurer_;
  Draws& draws_;
  const uint64_t seed_;
  const std::stop_token stop_;
  Correction correction_;
  uint64_t round_ = 0;
  std::vector<Genome> last_;         // generation
  std::vector<BoundedDesign> open_;  // that were drawn, and may be proposed
  // In this round.
  std::vector<Seen> seen_;
  std::unordered_map<uint64_t, size_t> places_;  // in seen_
};

}  // namespace vantage::explore
