#include "compiler/backend/vta/finishing/skip_zeros.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "compiler/backend/vta/finishing/slices.h"

namespace vantage::vta {

namespace {

constexpr uint64_t kInstruction = 6;  // cycles that one more costs, about

// Which elements of the inputs' scratchpad are zeros of a load.
class Zeros {
 public:
  explicit Zeros(const isa::Config& config) : is_zero_(config.depth(isa::Memory::kInp).count()) {}

  bool any() const { return any_; }
  // REQUIRES: an element that there is.
  bool at(uint64_t element) const { return is_zero_[element] != 0; }
  uint64_t size() const { return is_zero_.size(); }

  void load(const isa::Transfer& t) {
    if (t.moves_nothing()) return;
    const uint64_t row = t.padded_row(), rows = t.padded_rows();
    VANTAGE_CHECK(t.sram_base + row * rows <= size());
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
    if (!is_gemm(operation) || !zeros_.any()) return result.push_back(std::move(operation));
    for (const Piece& piece : pieces(operation)) {
      result.push_back({piece.insn, operation.symbol, piece.kernel, operation.accesses});
    }
  }

 private:
  struct Piece {
    isa::Insn insn;
    uint32_t kernel;
  };
  // A GEMM by what it does, with what each of its micro-ops keeps.
  struct Known {
    isa::Gemm gemm;
    uint32_t kernel;
    std::vector<Box> kept;
    std::vector<Piece> pieces;
  };

  const std::vector<Piece>& pieces(const Operation& operation) {
    const auto& gemm = std::get<isa::Gemm>(operation.insn);
    std::vector<Box> kept;
    for (const isa::MicroOp& uop : list_.kernels.at(*operation.kernel).uops) kept.push_back(box_of(uop, gemm.loop));
    const auto known = std::find_if(known_.begin(), known_.end(), [&](const Known& k) {
      return k.kernel == *operation.kernel && k.gemm == gemm && k.kept == kept;
    });
    if (known != known_.end()) return known->pieces;
    std::vector<Piece> pieces;
    for (const Group& g : best_groups(operation, kept)) {
      const Operation part = added_to(list_, kernels_, slice(list_, operation, g.box, g.uops));
      pieces.push_back({part.insn, *part.kernel});
    }
    known_.push_back({gemm, *operation.kernel, std::move(kept), std::move(pieces)});
    return known_.back().pieces;
  }

  static uint64_t extent(const Interval& interval) { return interval.end - interval.begin; }

  // The iterations of a micro-op that are left when those with zeros alone are cut off at the ends; an empty box when
  // all are.
  Box box_of(const isa::MicroOp& uop, const isa::Loop& loop) const {
    Box box{{0, loop.iter_out}, {0, loop.iter_in}};
    VANTAGE_CHECK(loop.iter_out > 0 && loop.iter_in > 0);
    const uint64_t furthest =
        uint64_t{loop.iter_out - 1} * loop.src_factor_out + uint64_t{loop.iter_in - 1} * loop.src_factor_in;
    VANTAGE_CHECK(uop.src + furthest < zeros_.size());
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
    if (box.out.begin == box.out.end) return {};
    while (row(box.out.end - 1)) --box.out.end;
    while (column(box.in.begin)) ++box.in.begin;
    while (column(box.in.end - 1)) --box.in.end;
    return box;
  }

  std::vector<Group> best_groups(const Operation& gemm, const std::vector<Box>& kept) const {
    const isa::Loop& loop = std::get<isa::Gemm>(gemm.insn).loop;
    const std::vector<isa::MicroOp>& uops = list_.kernels.at(*gemm.kernel).uops;
    std::vector<Group> best;
    uint64_t least = UINT64_MAX;
    for (const auto& [cuts_out, cuts_in] : {std::pair{false, false}, {false, true}, {true, false}, {true, true}}) {
      std::vector<Group> groups;
      uint64_t cost = 0;
      for (size_t u = 0; u < uops.size(); ++u) {
        Box box = kept[u];
        if (box == Box{}) continue;
        if (!cuts_out) box.out = {0, loop.iter_out};
        if (!cuts_in) box.in = {0, loop.iter_in};
        auto g = std::find_if(groups.begin(), groups.end(), [&](const Group& other) { return other.box == box; });
        if (g == groups.end()) g = groups.insert(g, {box, {}});
        g->uops.push_back(uops[u]);
        cost += extent(box.out) * extent(box.in);
      }
      cost += groups.size() * kInstruction;
      if (cost >= least) continue;
      least = cost;
      best = std::move(groups);
    }
    return best;
  }

  OperationList& list_;
  KernelIndex kernels_;
  Zeros zeros_;
  std::vector<Known> known_;
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
