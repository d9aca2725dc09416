#include "compiler/ops/conv2d/vta_search.h"

#include <algorithm>
#include <set>
#include <vector>

#include "base/error.h"
#include "compiler/ops/conv2d/vta_candidates.h"
#include "compiler/ops/conv2d/vta_cost.h"
#include "compiler/ops/conv2d/vta_fit.h"
#include "compiler/ops/conv2d/vta_neighbours.h"
#include "compiler/ops/conv2d/vta_work.h"

namespace vantage::ops {

namespace {

// What a search spends, in VtaConv2dCost::work(): ten thousand take some 40 ms.
struct Budget {
  size_t candidates;
  size_t least;  // of them, whatever they take: what is seen beforehand of the first may be wrong
  uint64_t work;
  size_t starts;  // candidates whose neighbours are gone through
  double gap;     // that is not worth more work
};
Budget budget_of(SearchEffort effort) {
  switch (effort) {
    case SearchEffort::kBrief: return {4, 1, 1'500, 1, 0.02};
    case SearchEffort::kQuick: return {8, 4, 13'000, 1, 0.005};
    case SearchEffort::kThorough: break;
  }
  return {48, 4, 800'000, 16, 0.002};
}

class Search {
 public:
  Search(const Conv2dShape& shape, const Epilogue& epilogue, const isa::Config& config, const MemoryTiming& memory,
         Budget budget, KnownLayer* known)
      : layer_{shape, epilogue, config}, cost_(shape, epilogue, config, memory, known), budget_(budget) {
    result_.bound = vta::bound_of(vta_conv2d_work(shape, epilogue, config), config, memory);
    result_.cycles = UINT64_MAX;
  }

  SearchResult run(const std::vector<VtaConv2dCandidate>& candidates, const TilingRequest& request) {
    std::vector<Weighed> starts;
    const auto weigh = [&](const VtaConv2dCandidate& candidate) {
      // Those that lose, but not by much, are where others may begin from.
      const uint64_t limit = starts.empty() ? UINT64_MAX : result_.cycles + result_.cycles / 5 + 1;
      VtaConv2dMapping mapping = candidate.tiling;
      auto timed = cost_.fastest(mapping, limit);
      if (!timed) return;
      starts.push_back({std::move(mapping), timed->cycles});
      take(starts.back(), std::move(timed->program));
    };
    // Of a layer whose programs are large, some are weighed all the same.
    budget_.work = std::max(budget_.work, 5 * static_cast<uint64_t>(candidates.front().instructions));
    for (const VtaConv2dCandidate& candidate : candidates) {
      const bool is_looked_for = cost_.weighed() < budget_.least && is_worth_more();
      if (starts.empty() || is_looked_for || has_work_left()) weigh(candidate);
    }
    std::stable_sort(starts.begin(), starts.end(),
                     [](const Weighed& a, const Weighed& b) { return a.cycles < b.cycles; });
    // From the best of every kind; the first ones may take half of what is left.
    std::vector<Weighed> climbed;
    for (const Weighed& start : starts) {
      const bool is_known = std::any_of(climbed.begin(), climbed.end(),
                                        [&](const Weighed& w) { return is_alike(w.mapping, start.mapping); });
      if (is_known || climbed.size() == budget_.starts || !has_work_left()) continue;
      climbed.push_back(start);
      const uint64_t left = budget_.work - cost_.work();
      climb(start, request, budget_.work - (budget_.starts > 1 ? left / 2 : 0));
    }
    if (has_work_left()) climb({result_.mapping, result_.cycles}, request, budget_.work);
    result_.weighed = cost_.weighed();
    return std::move(result_);
  }

 private:
  struct Weighed {
    VtaConv2dMapping mapping;
    uint64_t cycles;
  };

  bool is_worth_more() const { return result_.gap() > budget_.gap; }
  bool has_work_left() const { return cost_.work() < budget_.work && is_worth_more(); }

  void take(const Weighed& w, std::optional<Program> program) {
    if (w.cycles >= result_.cycles) return;
    if (result_.cycles != UINT64_MAX && !is_alike(w.mapping, result_.mapping)) {
      result_.second = result_.mapping;
      result_.second_cycles = result_.cycles;
    }
    result_.cycles = w.cycles;
    result_.mapping = w.mapping;
    result_.program = std::move(program);
    result_.improvements.push_back({cost_.weighed(), w.cycles});
  }

  static bool is_alike(const VtaConv2dMapping& a, const VtaConv2dMapping& b) {
    VtaConv2dTiling x = a.parts.back().tiling, y = b.parts.back().tiling;
    x.n = y.n, x.oc = y.oc, x.h = y.h, x.w = y.w, x.ic = y.ic;
    return x == y;
  }

  // Goes through the neighbours of a mapping, and from the first that is better to its neighbours.
  void climb(Weighed from, const TilingRequest& request, uint64_t until) {
    for (bool better = true; better;) {
      better = false;
      for (VtaConv2dMapping& next : neighbours(from.mapping, layer_, request)) {
        if (!has_work_left() || cost_.work() > until) return;
        if (std::find(seen_.begin(), seen_.end(), next) != seen_.end()) continue;
        seen_.push_back(next);
        auto timed = cost_.fastest(next, from.cycles + 1);
        if (!timed || timed->cycles >= from.cycles) continue;
        from = {std::move(next), timed->cycles};
        take(from, std::move(timed->program));
        better = true;
        break;
      }
    }
  }

  const LayerOnCore layer_;
  VtaConv2dCost cost_;
  Budget budget_;
  SearchResult result_;
  std::vector<VtaConv2dMapping> seen_;
};

}  // namespace

SearchResult search_vta_conv2d(const Conv2dShape& shape, const Epilogue& epilogue, const isa::Config& config,
                               const TilingRequest& request, const MemoryTiming& memory, SearchEffort effort,
                               KnownLayers* known) {
  const Budget budget = budget_of(effort);
  KnownLayer* layer = known != nullptr && request.is_open() ? &known->of(shape, epilogue, config, memory) : nullptr;
  std::vector<RatedTiling> own;
  if (layer == nullptr) own = rated_tilings(shape, epilogue, config, request, memory, true);
  const auto candidates = vta_conv2d_candidates(shape, epilogue, config, memory,
                                                layer != nullptr ? layer->tilings() : own, budget.candidates);
  if (candidates.empty() && request.is_open()) {
    const ScratchpadUse least =
        scratchpad_use(shape, epilogue, {.tiling = {.n = 1, .oc = 1, .h = 1, .w = 1, .ic = 1}}, config);
    const auto depth = [&](isa::Memory m) { return config.depth(m).count(); };
    fail(
        "no piece of this layer fits the scratchpads of configuration {}: the least takes {} of {} elements of INP, {} "
        "of {} of WGT and {} of {} of ACC; larger ones would do (LOG_INP_BUFF_SIZE and the like)",
        config.name(), least.inp, depth(isa::Memory::kInp), least.wgt, depth(isa::Memory::kWgt), least.acc,
        depth(isa::Memory::kAcc));
  }
  if (candidates.empty()) {
    fail("no such pieces of this layer fit the scratchpads of configuration {}; leave tile sizes and threads open",
         config.name());
  }
  return Search(shape, epilogue, config, memory, budget, layer).run(candidates, request);
}

VtaConv2dMapping map_vta_conv2d(const Conv2dShape& shape, const Epilogue& epilogue, const isa::Config& config,
                                const TilingRequest& request, const MemoryTiming& memory) {
  return search_vta_conv2d(shape, epilogue, config, request, memory).mapping;
}

}  // namespace vantage::ops
