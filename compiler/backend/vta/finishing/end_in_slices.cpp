#include "compiler/backend/vta/finishing/end_in_slices.h"

#include <algorithm>
#include <iterator>

#include "compiler/backend/vta/finishing/slices.h"

namespace vantage::vta {

namespace {

using Operations = std::vector<Operation>;

constexpr uint64_t kSlice = 12;     // cycles that one more costs, about
constexpr uint64_t kWorthEnd = 24;  // cycles that slices must save

// An ALU instruction that works on accumulators [begin, begin + iter_in), each by itself.
bool is_run(const OperationList& list, const Operation& operation) {
  const auto* alu = std::get_if<isa::Alu>(&operation.insn);
  return alu != nullptr && alu->use_imm && count(list, operation, Count::kUops) == 1 && alu->loop.iter_out == 1 &&
         alu->loop.dst_factor_in == 1;
}

bool is_store(const Operation& operation) {
  return isa::stage(operation.insn) == isa::Stage::kStore;
}

// What is done to some accumulators, and how they are stored.
struct Epilogue {
  Operations alu, stores;
};

class EndCutter {
 public:
  explicit EndCutter(OperationList& list) : list_(list) {}

  // In slices, or as it is.
  std::vector<Epilogue> cut(const Epilogue& e) {
    const uint32_t parts = fits(e) ? best_parts(e) : 1;
    if (parts == 1) return {e};
    std::vector<Epilogue> result;
    uint64_t done = 0;
    const uint64_t all = rows(e);
    for (uint32_t part = 0; part < parts; ++part) {
      const uint64_t end = part + 1 == parts ? all : done + all / parts;
      result.push_back(part_of(e, done, end));
      done = end;
    }
    return result;
  }

  // Takes the list's last GEMM, if it can run beside these epilogues, and gives it back in slices, each for before one
  // of them, the last for behind them all. What stores a result waits for everything before its last instruction to
  // retire, which a whole GEMM would hold up. None: it cannot.
  Operations take_beside(const std::vector<Epilogue>& epilogues) {
    if (list_.operations.empty() || !is_gemm(list_.operations.back())) return {};
    const Operation gemm = list_.operations.back();
    for (const Epilogue& e : epilogues) {
      if (std::any_of(e.alu.begin(), e.alu.end(), [&](const Operation& o) { return conflict(gemm, o); })) return {};
    }
    list_.operations.pop_back();
    const Count what = longest(gemm);
    const uint32_t all = count(list_, gemm, what);
    const uint64_t steps_of_one = steps(gemm, list_.kernels) / all;
    Operations slices;
    uint32_t done = 0;
    const auto slice_until = [&](uint32_t end) {
      if (end == done) return;
      slices.push_back(added_to(list_, kernels_, slice(list_, gemm, what, done, end)));
      done = end;
    };
    uint64_t passed = 0;  // steps of the ALU
    for (const Epilogue& e : epilogues) {
      for (const Operation& alu : e.alu) passed += steps(alu, list_.kernels);
      slice_until(static_cast<uint32_t>(std::min<uint64_t>(all, passed / steps_of_one)));
    }
    slice_until(all);
    return slices;
  }

 private:
  static uint64_t rows(const Epilogue& e) {
    uint64_t all = 0;
    for (const Operation& store : e.stores) all += rows_of(*isa::transfer(store.insn));
    return all;
  }

  // Whether the stores are of what the ALU makes, one behind the other.
  bool fits(const Epilogue& e) const {
    if (e.alu.empty() || e.stores.empty()) return false;
    const Access& made = e.alu.front().accesses.front();
    uint64_t next = made.begin;
    for (const Operation& store : e.stores) {
      const Access& read = store.accesses.front();
      if (read.begin != next) return false;
      next = read.end;
    }
    return next == made.end && std::all_of(e.alu.begin(), e.alu.end(), [&](const Operation& alu) {
             return is_run(list_, alu) && alu.accesses.front().begin == made.begin &&
                    alu.accesses.front().end == made.end;
           });
  }

  uint32_t best_parts(const Epilogue& e) const {
    uint64_t beats = 0;
    for (const Operation& store : e.stores) beats += beats_of(*isa::transfer(store.insn), list_.config);
    uint32_t best = 1;
    uint64_t least = beats - std::min(beats, kWorthEnd);
    for (uint32_t parts = 2; parts <= 8 && parts <= rows(e); ++parts) {
      const uint64_t behind = beats / parts + parts * kSlice;
      if (behind >= least) continue;
      best = parts;
      least = behind;
    }
    return best;
  }

  // Rows [begin, end) of all stores together, and what makes them.
  Epilogue part_of(const Epilogue& e, uint64_t begin, uint64_t end) {
    Epilogue result;
    Operations& stores = result.stores;
    uint64_t first = 0;
    for (const Operation& store : e.stores) {
      const uint64_t its = rows_of(*isa::transfer(store.insn));
      const uint64_t from = std::max(begin, first), to = std::min(end, first + its);
      if (from < to) {
        stores.push_back(
            slice_rows(list_, store, static_cast<uint32_t>(from - first), static_cast<uint32_t>(to - first)));
      }
      first += its;
    }
    for (const Operation& alu : e.alu) {
      const uint64_t base = alu.accesses.front().begin;
      result.alu.push_back(
          added_to(list_, kernels_,
                   slice(list_, alu, Count::kIn, static_cast<uint32_t>(stores.front().accesses.front().begin - base),
                         static_cast<uint32_t>(stores.back().accesses.front().end - base))));
    }
    return result;
  }

  // What there is most of.
  Count longest(const Operation& gemm) const {
    Count what = Count::kOut;
    for (const Count other : {Count::kIn, Count::kUops}) {
      if (count(list_, gemm, other) > count(list_, gemm, what)) what = other;
    }
    return what;
  }

  OperationList& list_;
  KernelIndex kernels_;
};

}  // namespace

OperationList end_in_slices(OperationList list) {
  if (!list.in_slices) return list;
  const auto last = std::find_if(list.operations.rbegin(), list.operations.rend(), is_gemm).base();
  Operations tail(std::make_move_iterator(last), std::make_move_iterator(list.operations.end()));
  list.operations.erase(last, list.operations.end());
  EndCutter cutter(list);
  for (auto at = tail.begin(); at != tail.end();) {
    const auto stores = std::find_if(at, tail.end(), is_store);
    const auto next = std::find_if_not(stores, tail.end(), is_store);
    // What makes the results stands right before their stores.
    const auto runs =
        std::find_if_not(std::make_reverse_iterator(stores), std::make_reverse_iterator(at), [&](const Operation& o) {
          return is_run(list, o);
        }).base();
    const std::vector<Epilogue> epilogues = cutter.cut({{runs, stores}, {stores, next}});
    Operations gemms;
    if (at == tail.begin() && runs == at && runs != stores) gemms = cutter.take_beside(epilogues);
    std::move(at, runs, std::back_inserter(list.operations));
    auto gemm = gemms.begin();
    for (const Epilogue& e : epilogues) {
      if (gemm != gemms.end()) list.operations.push_back(std::move(*gemm++));
      for (const Operations* part : {&e.alu, &e.stores}) {
        list.operations.insert(list.operations.end(), part->begin(), part->end());
      }
    }
    std::move(gemm, gemms.end(), std::back_inserter(list.operations));
    at = next;
  }
  return list;
}

}  // namespace vantage::vta
