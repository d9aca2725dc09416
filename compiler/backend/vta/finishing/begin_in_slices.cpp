#include "compiler/backend/vta/finishing/begin_in_slices.h"

#include <algorithm>
#include <deque>
#include <iterator>
#include <unordered_map>
#include <utility>

#include "base/math.h"
#include "compiler/backend/vta/finishing/slices.h"

namespace vantage::vta {

namespace {

constexpr size_t kMostGemms = 16;         // that are looked at
constexpr size_t kMostOfALoad = 4;        // slices, each time that it is cut
constexpr uint64_t kInstruction = 8;      // cycles that one more costs, about
constexpr uint64_t kWorthBeginning = 48;  // cycles that slices must save

// Rows of a load, or all of it.
struct LoadRows {
  const Operation* load;
  uint32_t begin, end;

  bool is_whole() const { return begin == 0 && end == rows_of(*load_of(*load)); }
};
// A part of a GEMM, the steps of [begin, end), with what it waits for of the loads, and none before did.
struct Slice {
  std::vector<LoadRows> loads;
  uint64_t steps = 0;
  uint32_t begin = 0, end = 0;
  std::vector<Access> operands = {};
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
    const uint64_t all = beats(loads);
    auto least = end_of({loaded, free}, all, loads.size(), steps(gemm, list_.kernels));
    // Else no slice begins so much sooner.
    const bool waits_long = all > kWorthBeginning && loaded + all > free + kWorthBeginning;
    uint64_t worth = least.free - std::min(least.free, kWorthBeginning);
    for (const Count what : {Count::kUops, Count::kOut, Count::kIn}) {
      for (const uint32_t parts : {2U, 4U, 8U}) {
        if (!waits_long || parts > count(list_, gemm, what)) break;
        const uint32_t size = ceil_div(count(list_, gemm, what), parts);
        const std::vector<Access>& first = operands(gemm, what, 0, size);
        if (!begins_sooner(loads, first)) break;
        Plan plan = in_slices(loads, gemm, what, size, first);
        const Times now = end_of(plan, {loaded, free});
        if (now.free >= worth) continue;
        least = now;
        worth = now.free;
        best = std::move(plan);
      }
    }
    std::vector<Operation> result;
    if (best.slices.empty()) {
      loaded = least.loaded;
      free = least.free;
      result = loads;
      result.push_back(gemm);
    }
    // A slice may be cut again.
    for (const Slice& s : best.slices) {
      const Operation part = added_to(list_, kernels_, slice(list_, gemm, best.what, s.begin, s.end));
      for (Operation& operation : cut(loaded_by(s), part, loaded, free)) result.push_back(std::move(operation));
    }
    return result;
  }

 private:
  struct KnownOperands {
    isa::Gemm gemm;
    Count what;
    uint32_t begin, end;
    std::vector<Access> operands;
  };
  // When the last load and the last slice end.
  struct Times {
    uint64_t loaded, free;
  };

  // operands_of_slice() of a GEMM, of which there are many that do the same. Stays where it is.
  const std::vector<Access>& operands(const Operation& operation, Count what, uint32_t begin, uint32_t end) {
    const auto& gemm = std::get<isa::Gemm>(operation.insn);
    std::deque<KnownOperands>& known = operands_[*operation.kernel];
    const auto found = std::find_if(known.begin(), known.end(), [&](const KnownOperands& k) {
      return k.what == what && k.begin == begin && k.end == end && k.gemm == gemm;
    });
    if (found != known.end()) return found->operands;
    known.push_back({gemm, what, begin, end, operands_of_slice(list_, operation, what, begin, end)});
    return known.back().operands;
  }

  // Whether a first slice with these operands waits for less.
  bool begins_sooner(const std::vector<Operation>& loads, const std::vector<Access>& operands) const {
    std::vector<Slice> slices(2);
    slices[0].operands = operands;
    for (const Operation& load : loads) share_out(load, slices);
    return beats(slices[1]) > kWorthBeginning;
  }

  uint64_t beats(const std::vector<Operation>& loads) const {
    uint64_t all = 0;
    for (const Operation& load : loads) all += beats_of(*load_of(load), list_.config);
    return all;
  }
  uint64_t beats(const Slice& slice) const {
    uint64_t all = 0;
    for (const LoadRows& rows : slice.loads) {
      const isa::Transfer& t = *load_of(*rows.load);
      all += beats_of(rows.is_whole() ? t : slice_rows(t, rows.begin, rows.end), list_.config);
    }
    return all;
  }
  std::vector<Operation> loaded_by(const Slice& slice) const {
    std::vector<Operation> loads;
    for (const LoadRows& rows : slice.loads) {
      loads.push_back(rows.is_whole() ? *rows.load : slice_rows(list_, *rows.load, rows.begin, rows.end));
    }
    return loads;
  }

  // In slices of so many counts; `first`: what the first one reads.
  Plan in_slices(const std::vector<Operation>& loads, const Operation& gemm, Count what, uint32_t size,
                 const std::vector<Access>& first) {
    Plan plan{what, {}};
    const uint32_t all = count(list_, gemm, what);
    const uint64_t steps_of_one = steps(gemm, list_.kernels) / all;
    for (uint32_t begin = 0; begin < all; begin += size) {
      const uint32_t end = std::min(all, begin + size);
      const bool is_moved = what != Count::kUops && end - begin == size;
      plan.slices.push_back(
          {{},
           steps_of_one * (end - begin),
           begin,
           end,
           is_moved ? operands_further_on(first, gemm, what, begin) : operands(gemm, what, begin, end)});
    }
    for (const Operation& load : loads) share_out(load, plan.slices);
    return plan;
  }

  // Each row of a load to the first slice that reads it, those that none reads to the last one.
  static void share_out(const Operation& load, std::vector<Slice>& slices) {
    const isa::Transfer& t = *load_of(load);
    const Access& all = load.accesses.front();
    const auto reads = [&](const Slice& s) {
      return std::any_of(s.operands.begin(), s.operands.end(), [&](const Access& a) { return overlap(a, all); });
    };
    const LoadRows whole{&load, 0, rows_of(t)};
    const auto add_whole = [&] {
      const auto first = std::find_if(slices.begin(), slices.end() - 1, reads);
      first->loads.push_back(whole);
    };
    if (whole.end == 0) return add_whole();  // zeros alone
    std::vector<size_t> reader(whole.end, slices.size() - 1);
    for (size_t s = slices.size() - 1; s-- > 0;) {
      for (const Access& a : slices[s].operands) {
        if (!overlap(a, all)) continue;
        const Interval rows = rows_with(t, {a.begin, a.end});
        std::fill(reader.begin() + static_cast<ptrdiff_t>(rows.begin),
                  reader.begin() + static_cast<ptrdiff_t>(rows.end), s);
      }
    }
    std::vector<std::pair<size_t, LoadRows>> stretches;
    for (auto row = reader.begin(); row != reader.end() && stretches.size() <= kMostOfALoad;) {
      const auto end = std::find_if(row, reader.end(), [&](size_t s) { return s != *row; });
      const auto begin = static_cast<uint32_t>(row - reader.begin());
      stretches.push_back({*row, {&load, begin, static_cast<uint32_t>(end - reader.begin())}});
      row = end;
    }
    if (stretches.size() > kMostOfALoad) return add_whole();
    for (const auto& [slice, rows] : stretches) slices[slice].loads.push_back(rows);
  }

  static Times end_of(Times from, uint64_t beats, size_t loads, uint64_t steps) {
    const uint64_t loaded = from.loaded + beats + loads * kInstruction;
    return {loaded, std::max(from.free, loaded) + steps + kInstruction};
  }
  Times end_of(const Plan& plan, Times at) const {
    for (const Slice& s : plan.slices) at = end_of(at, beats(s), s.loads.size(), s.steps);
    return at;
  }

  OperationList& list_;
  KernelIndex kernels_;
  std::unordered_map<uint32_t, std::deque<KnownOperands>> operands_;  // by kernel
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
