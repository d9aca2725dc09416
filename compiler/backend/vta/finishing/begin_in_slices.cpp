#include "compiler/backend/vta/finishing/begin_in_slices.h"

#include <algorithm>
#include <iterator>
#include <tuple>

#include "base/math.h"
#include "compiler/backend/vta/finishing/slices.h"

namespace vantage::vta {

namespace {

constexpr size_t kMostGemms = 16;         // that are looked at
constexpr size_t kMostOfALoad = 4;        // slices, each time that it is cut
constexpr uint64_t kInstruction = 8;      // cycles that one more costs, about
constexpr uint64_t kWorthBeginning = 48;  // cycles that slices must save

// A part of a GEMM, the steps of [begin, end), with the loads that it waits for and none before did.
struct Slice {
  std::vector<Operation> loads;
  uint64_t steps = 0;
  uint32_t begin = 0, end = 0;
  std::vector<Access> operands = {};

  bool reads(Access::Space space, uint64_t from, uint64_t to) const {
    return std::any_of(operands.begin(), operands.end(),
                       [&](const Access& a) { return a.space == space && a.begin < to && from < a.end; });
  }
};
// A GEMM in slices, in their order.
struct Plan {
  Count what = Count::kUops;
  std::vector<Slice> slices;
};

class BeginningCutter {
 public:
  explicit BeginningCutter(OperationList& list) : list_(list) {}

  // A GEMM that begins when its loads are there and it is `free`, and the bus is at `loaded`, with its loads, in the
  // slices in which it ends first. Brings both to what they are behind it.
  std::vector<Operation> cut(const std::vector<Operation>& loads, const Operation& gemm, uint64_t& loaded,
                             uint64_t& free) {
    Plan best;
    auto least = times({.slices = {{loads, steps(gemm, list_.kernels)}}}, loaded, free);
    // Else no slice begins so much sooner.
    const bool waits_long = beats(loads) > kWorthBeginning && loaded + beats(loads) > free + kWorthBeginning;
    uint64_t worth = least.second - std::min(least.second, kWorthBeginning);
    for (const Count what : {Count::kUops, Count::kOut, Count::kIn}) {
      for (const uint32_t parts : {2U, 4U, 8U}) {
        if (!waits_long || parts > count(list_, gemm, what) || !begins_sooner(loads, gemm, what, parts)) break;
        Plan plan = in_slices(loads, gemm, what, parts);
        const auto now = times(plan, loaded, free);
        if (now.second >= worth) continue;
        least = now;
        worth = now.second;
        best = std::move(plan);
      }
    }
    std::vector<Operation> result;
    if (best.slices.empty()) {
      std::tie(loaded, free) = least;
      result = loads;
      result.push_back(gemm);
    }
    // A slice may be cut again.
    for (const Slice& s : best.slices) {
      const Operation part = added_to(list_, slice(list_, gemm, best.what, s.begin, s.end));
      for (Operation& operation : cut(s.loads, part, loaded, free)) result.push_back(std::move(operation));
    }
    return result;
  }

 private:
  // Whether the first slice waits for less.
  bool begins_sooner(const std::vector<Operation>& loads, const Operation& gemm, Count what, uint32_t parts) const {
    Plan plan{what, std::vector<Slice>(2)};
    plan.slices[0].operands = operands_of_slice(list_, gemm, what, 0, ceil_div(count(list_, gemm, what), parts));
    for (const Operation& load : loads) share_out(load, plan);
    return beats(plan.slices[1].loads) > kWorthBeginning;
  }

  uint64_t beats(const std::vector<Operation>& loads) const {
    uint64_t all = 0;
    for (const Operation& load : loads) all += beats_of(*load_of(load), list_.config);
    return all;
  }

  Plan in_slices(const std::vector<Operation>& loads, const Operation& gemm, Count what, uint32_t parts) const {
    Plan plan{what, {}};
    const uint32_t all = count(list_, gemm, what), piece = ceil_div(all, parts);
    for (uint32_t begin = 0; begin < all; begin += piece) {
      const uint32_t end = std::min(all, begin + piece);
      plan.slices.push_back({{},
                             steps(gemm, list_.kernels) / all * (end - begin),
                             begin,
                             end,
                             operands_of_slice(list_, gemm, what, begin, end)});
    }
    for (const Operation& load : loads) share_out(load, plan);
    return plan;
  }

  // Each row of a load to the first slice that reads it.
  void share_out(const Operation& load, Plan& plan) const {
    std::vector<Slice>& slices = plan.slices;
    const isa::Transfer& t = *load_of(load);
    const Access& all = load.accesses.front();
    const auto first_reader = [&](uint64_t begin, uint64_t end) {
      size_t s = 0;
      while (s + 1 < slices.size() && !slices[s].reads(all.space, begin, end)) ++s;
      return s;
    };
    const uint32_t rows = rows_of(t);
    struct Stretch {
      size_t slice;
      uint32_t begin, end;
    };
    std::vector<Stretch> stretches;
    for (uint32_t r = 0; r < rows; ++r) {
      const Interval row = elements_of_rows(t, r, r + 1);
      const size_t slice = first_reader(row.begin, row.end);
      if (!stretches.empty() && stretches.back().slice == slice) {
        stretches.back().end = r + 1;
      } else {
        stretches.push_back({slice, r, r + 1});
      }
    }
    if (stretches.size() < 2 || stretches.size() > kMostOfALoad) {
      slices[first_reader(all.begin, all.end)].loads.push_back(load);
      return;
    }
    for (const Stretch& s : stretches) {
      slices[s.slice].loads.push_back(slice_rows(list_, load, s.begin, s.end));
    }
  }

  // When the last load and the last slice end.
  std::pair<uint64_t, uint64_t> times(const Plan& plan, uint64_t loaded, uint64_t free) const {
    for (const Slice& s : plan.slices) {
      for (const Operation& load : s.loads) loaded += beats_of(*load_of(load), list_.config) + kInstruction;
      free = std::max(free, loaded) + s.steps + kInstruction;
    }
    return {loaded, free};
  }
  OperationList& list_;
};

}  // namespace

OperationList begin_in_slices(OperationList list) {
  if (!list.in_slices) return list;
  BeginningCutter cutter(list);
  std::vector<Operation> result, loads;  // loads that no GEMM has waited for
  const auto is_held = [&](const Operation& by) {
    return std::any_of(loads.begin(), loads.end(), [&](const Operation& load) { return conflict(load, by); });
  };
  const auto give_back = [&] {
    std::move(loads.begin(), loads.end(), std::back_inserter(result));
    loads.clear();
  };
  uint64_t loaded = 0, free = 0;
  size_t gemms = 0;
  for (Operation& operation : list.operations) {
    if (gemms == kMostGemms) {
      result.push_back(std::move(operation));
    } else if (is_gemm(operation)) {
      std::vector<Operation> its, others;
      for (Operation& load : loads) (conflict(load, operation) ? its : others).push_back(std::move(load));
      for (Operation& part : cutter.cut(its, operation, loaded, free)) result.push_back(std::move(part));
      loads = std::move(others);
      if (++gemms == kMostGemms) give_back();
    } else {
      if (is_held(operation)) give_back();
      (is_operand_load(operation) ? loads : result).push_back(std::move(operation));
    }
  }
  give_back();
  list.operations = std::move(result);
  return list;
}

}  // namespace vantage::vta
