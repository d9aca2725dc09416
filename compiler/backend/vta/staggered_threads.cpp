#include "compiler/backend/vta/staggered_threads.h"

#include <algorithm>
#include <iterator>

#include "hw/core/nest.h"
#include "hw/isa/timing.h"

namespace vantage::vta {

namespace {

// What a tile's sums need, and the sums.
bool belongs_to_sums(const Operation& operation) {
  return is_gemm(operation) || is_operand_load(operation);
}

// What a thread does until it has the sums of a tile: the rest of the tile before, then this one's sums.
struct Period {
  std::vector<Operation> before, sums;
  bool has_gemm = false;
};

std::vector<Period> periods_of(ThreadTurns turns) {
  std::vector<Period> periods(1);
  for (Turn& turn : turns) {
    for (Operation& operation : turn) {
      const bool sums = belongs_to_sums(operation);
      if (!sums && periods.back().has_gemm) periods.emplace_back();
      periods.back().has_gemm = periods.back().has_gemm || is_gemm(operation);
      (sums ? periods.back().sums : periods.back().before).push_back(std::move(operation));
    }
  }
  return periods;
}

class Merger {
 public:
  explicit Merger(const std::vector<Kernel>& kernels) : kernels_(kernels) {}

  void append(std::vector<Operation>& operations) { std::move(operations.begin(), operations.end(), back()); }

  void append(std::vector<Operation>& sums, std::vector<Operation>& rest) {
    // The first that waits for a store, and all behind it: loads of a bias, resets, and what else sums start from.
    const auto waiting = std::find_if(rest.begin(), rest.end(), [&](const Operation& o) {
      return isa::stage(o.insn) == isa::Stage::kCompute &&
             std::any_of(rest.begin(), rest.end(), [&](const auto& store) {
               return &store < &o && isa::stage(store.insn) == isa::Stage::kStore && conflict(store, o);
             });
    });
    auto sum = sums.begin();
    auto other = rest.begin();
    uint64_t of_sums = 0, of_rest = 1;  // the sums begin
    while (sum != sums.end() && other != waiting) {
      const bool takes_sum = of_sums <= of_rest;
      Operation& next = takes_sum ? *sum++ : *other++;
      (takes_sum ? of_sums : of_rest) += cycles(next);
      result.push_back(std::move(next));
    }
    std::move(sum, sums.end(), back());
    std::move(other, rest.end(), back());
  }

  std::vector<Operation> result;

 private:
  std::back_insert_iterator<std::vector<Operation>> back() { return std::back_inserter(result); }

  // Of GEMM core and ALU.
  uint64_t cycles(const Operation& operation) const {
    if (!operation.kernel) return 0;
    const auto* alu = std::get_if<isa::Alu>(&operation.insn);
    const uint64_t reads =
        alu == nullptr || alu->use_imm ? 0 : core::source_reads(alu->loop, kernels_[*operation.kernel].uops);
    return steps(operation, kernels_) + reads * isa::timing::kSourceRead;
  }

  const std::vector<Kernel>& kernels_;
};

}  // namespace

std::vector<Operation> staggered(std::vector<ThreadTurns> threads, const std::vector<Kernel>& kernels, uint64_t beat) {
  Merger merger(kernels);
  merger.result = beginnings(threads, beat);
  std::vector<std::vector<Period>> periods;
  size_t most = 0;
  for (ThreadTurns& turns : threads) {
    periods.push_back(periods_of(std::move(turns)));
    most = std::max(most, periods.back().size());
  }
  struct Place {
    size_t thread, period;
  };
  std::vector<Place> order;
  for (size_t p = 0; p < most; ++p) {
    for (size_t t = 0; t < periods.size(); ++t) {
      if (p < periods[t].size()) order.push_back({t, p});
    }
  }
  const auto at = [&](const Place& place) -> Period& { return periods[place.thread][place.period]; };
  // What comes before a thread's sums stands among the sums just before; a thread's own ones must be over, though.
  std::vector<Operation> waiting;  // to stand among the next sums
  for (size_t i = 0; i < order.size(); ++i) {
    const auto [thread, period] = order[i];
    if (i == 0) merger.append(at(order[i]).before);
    // Nothing of the next thread has been done: what its sums start from.
    if (i + 1 < order.size() && order[i + 1].period == 0) {
      std::vector<Operation>& first = at(order[i + 1]).before;
      std::move(first.begin(), first.end(), std::back_inserter(waiting));
    }
    merger.append(at(order[i]).sums, waiting);
    waiting.clear();
    if (period + 1 == periods[thread].size()) continue;
    std::vector<Operation>& next = periods[thread][period + 1].before;
    const bool is_next = i + 1 < order.size() && order[i + 1].thread == thread;
    if (is_next || i + 1 == order.size()) {
      merger.append(next);
    } else {
      waiting = std::move(next);
    }
  }
  merger.append(waiting);
  return std::move(merger.result);
}

}  // namespace vantage::vta
