#include "compiler/backend/vta/finishing/skip_zeros.h"

#include <algorithm>
#include <utility>

#include "compiler/backend/vta/finishing/slices.h"

namespace vantage::vta {

namespace {

constexpr uint64_t kInstruction = 8;  // cycles that one more costs, about

// Which elements of the inputs' scratchpad are zeros of a load.
class Zeros {
 public:
  explicit Zeros(const isa::Config& config) : is_zero_(config.depth(isa::Memory::kInp).count()) {}

  bool any() const { return any_; }
  bool at(uint64_t element) const { return is_zero_[element] != 0; }

  void load(const isa::Transfer& t) {
    const uint64_t row = t.padded_row(), rows = t.padded_rows();
    const auto begin = is_zero_.begin() + t.sram_base;
    const bool is_padded = row != t.x_size || rows != t.y_size;
    any_ = any_ || is_padded;
    std::fill(begin, begin + static_cast<ptrdiff_t>(row * rows), is_padded ? 1 : 0);
    for (uint64_t y = 0; is_padded && y < t.y_size; ++y) {
      const auto first = begin + static_cast<ptrdiff_t>((t.y_pad_0 + y) * row + t.x_pad_0);
      std::fill(first, first + t.x_size, 0);
    }
  }

 private:
  std::vector<uint8_t> is_zero_;
  bool any_ = false;
};

// Micro-ops that keep the same iterations.
struct Group {
  Box box;
  std::vector<isa::MicroOp> uops;
};

class ZeroSkipper {
 public:
  explicit ZeroSkipper(OperationList& list) : list_(list), zeros_(list.config) {}

  void take(Operation operation, std::vector<Operation>& result) {
    if (const isa::Transfer* t = load_of(operation); t != nullptr && t->memory == isa::Memory::kInp) zeros_.load(*t);
    if (!is_gemm(operation) || !zeros_.any()) {
      result.push_back(std::move(operation));
      return;
    }
    const std::vector<Group> groups = best_groups(operation);
    if (groups.size() == 1 && steps(groups.front()) == vta::steps(operation, list_.kernels)) {
      result.push_back(std::move(operation));
      return;
    }
    for (const Group& g : groups) result.push_back(added_to(list_, slice(list_, operation, g.box, g.uops)));
  }

 private:
  static uint64_t extent(const Interval& interval) { return interval.end - interval.begin; }
  static uint64_t steps(const Group& g) { return extent(g.box.out) * extent(g.box.in) * g.uops.size(); }


  // The iterations of a micro-op that are left when those with zeros alone are cut off at the ends; none when all are.
  std::optional<Box> box_of(const isa::MicroOp& uop, const isa::Loop& loop) const {
    Box box{{0, loop.iter_out}, {0, loop.iter_in}};
    const auto is_zero = [&](uint64_t out, uint64_t in) {
      return zeros_.at(uop.src + out * loop.src_factor_out + in * loop.src_factor_in);
    };
    const auto row = [&](uint64_t out) {
      for (uint64_t i = box.in.begin; i < box.in.end; ++i) {
        if (!is_zero(out, i)) return false;
      }
      return true;
    };
    const auto column = [&](uint64_t in) {
      for (uint64_t o = box.out.begin; o < box.out.end; ++o) {
        if (!is_zero(o, in)) return false;
      }
      return true;
    };
    while (box.out.begin < box.out.end && row(box.out.begin)) ++box.out.begin;
    if (box.out.begin == box.out.end) return std::nullopt;
    while (row(box.out.end - 1)) --box.out.end;
    while (column(box.in.begin)) ++box.in.begin;
    while (column(box.in.end - 1)) --box.in.end;
    return box;
  }

  std::vector<Group> best_groups(const Operation& gemm) const {
    const isa::Loop& loop = std::get<isa::Gemm>(gemm.insn).loop;
    const Interval all_out{0, loop.iter_out}, all_in{0, loop.iter_in};
    std::vector<std::pair<Box, isa::MicroOp>> kept;
    for (const isa::MicroOp& uop : list_.kernels.at(*gemm.kernel).uops) {
      if (const auto box = box_of(uop, loop)) kept.push_back({*box, uop});
    }
    std::vector<Group> best;
    uint64_t least = UINT64_MAX;
    for (const auto& [cuts_out, cuts_in] : {std::pair{false, false}, {false, true}, {true, false}, {true, true}}) {
      std::vector<Group> groups;
      uint64_t cost = 0;
      for (const auto& [box, uop] : kept) {
        const Box its{cuts_out ? box.out : all_out, cuts_in ? box.in : all_in};
        auto g = std::find_if(groups.begin(), groups.end(), [&](const Group& other) { return other.box == its; });
        if (g == groups.end()) g = groups.insert(g, {its, {}});
        g->uops.push_back(uop);
        cost += extent(its.out) * extent(its.in);
      }
      cost += groups.size() * kInstruction;
      if (cost >= least) continue;
      least = cost;
      best = std::move(groups);
    }
    return best;
  }

  OperationList& list_;
  Zeros zeros_;
};

}  // namespace

OperationList skip_zeros(OperationList list) {
  if (!list.skips_zeros) return list;
  ZeroSkipper skipper(list);
  std::vector<Operation> operations = std::move(list.operations), result;
  result.reserve(operations.size());
  for (Operation& operation : operations) skipper.take(std::move(operation), result);
  list.operations = std::move(result);
  return list;
}

}  // namespace vantage::vta
