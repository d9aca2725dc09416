#include "compiler/backend/cuda/shared_banks.h"

#include <algorithm>
#include <map>
#include <optional>
#include <random>
#include <set>

#include "compiler/backend/cuda/architecture.h"
#include "compiler/ir/arith/known_value.h"
#include "compiler/ir/thread_axes.h"
#include "compiler/ir/visitor.h"

namespace vantage::cuda {

using namespace ir;

namespace {

constexpr int64_t kBanks = 32;
// As much as one round of the banks moves.
constexpr int64_t kRound = kBanks * kBankBytes;
// Values of the loops around an access that are looked at.
constexpr int kSamples = 16;

// The loops of a kernel: which index of threads each is, or what it runs over.
class KernelLoops final : public Visitor {
 public:
  using Visitor::visit;
  std::vector<const For*> indices, others;

 protected:
  void visit_for(const For& node) override {
    (node.loop == ForKind::kThread ? indices : others).push_back(&node);
    Visitor::visit_for(node);
  }
};

int64_t constant_or(const Expr& expr, int64_t otherwise) {
  const int64_t* value = as_int(expr);
  return value == nullptr ? otherwise : *value;
}

// Rounds of the banks for the accesses of some threads, which are served together.
int64_t rounds_of(const std::vector<int64_t>& addresses, int64_t bytes) {
  std::map<int64_t, std::set<int64_t>> words;  // by bank
  for (const int64_t address : addresses) {
    for (int64_t word = address / kBankBytes; word * kBankBytes < address + bytes; ++word)
      words[word % kBanks].insert(word);
  }
  size_t most = 0;
  for (const auto& [bank, asked] : words) most = std::max(most, asked.size());
  return static_cast<int64_t>(most);
}

struct Rounds {
  int64_t most = 1;  // of a part of a warp
  int64_t all = 1;
};

// Whether all threads load what the neighbours load that are so far apart, 1 or 2.
bool are_pairs(const std::vector<int64_t>& addresses, size_t apart) {
  for (size_t i = 0; i < addresses.size(); ++i) {
    if ((i ^ apart) < addresses.size() && addresses[i] != addresses[i ^ apart]) return false;
  }
  return true;
}

Rounds rounds_by_parts(const std::vector<int64_t>& addresses, int64_t bytes, int64_t together) {
  Rounds result = {1, 0};
  for (auto part = addresses.begin(); part != addresses.end();) {
    const auto end = part + std::min<ptrdiff_t>(together, addresses.end() - part);
    const int64_t rounds = rounds_of({part, end}, bytes);
    result = {std::max(result.most, rounds), result.all + rounds};
    part = end;
  }
  return result;
}

class Banks {
 public:
  explicit Banks(const Kernel& kernel) {
    loops_.visit(kernel.body);
    for (size_t d = 0; d < 3; ++d) block_[d] = constant_or(kernel.block[d], 1);
  }

  std::optional<Rounds> rounds(const SharedAccess& access) {
    std::mt19937_64 random(1);
    Rounds worst;
    for (int sample = 0; sample < kSamples; ++sample) {
      // All at their beginning, then anywhere.
      VarValues values;
      for (const auto* list : {&loops_.indices, &loops_.others}) {
        for (const For* loop : *list) {
          const auto first = known_value(loop->min, values), count = known_value(loop->extent, values);
          if (!first || !count || *count <= 0) continue;
          const uint64_t place = sample == 0 ? 0 : random() % static_cast<uint64_t>(*count);
          values[loop->var.get()] = *first + static_cast<int64_t>(place);
        }
      }
      const int64_t threads = block_[0] * block_[1] * block_[2];
      for (int64_t warp = 0; warp < threads; warp += kWarpThreads) {
        const auto rounds = of_warp(access, values, warp, std::min(warp + kWarpThreads, threads));
        if (!rounds) return std::nullopt;
        worst = {std::max(worst.most, rounds->most), std::max(worst.all, rounds->all)};
      }
    }
    return worst;
  }

 private:
  std::optional<Rounds> of_warp(const SharedAccess& access, VarValues& values, int64_t first, int64_t end) const {
    const int64_t element = access.buffer->dtype.bytes(), bytes = element * access.lanes;
    if (access.row_stride) {
      const auto offset = known_value(access.offset, values);
      if (!offset) return std::nullopt;
      std::vector<int64_t> rows;
      for (int64_t row = 0; row < 8; ++row) rows.push_back((*offset + row * *access.row_stride) * element);
      const int64_t rounds = rounds_of(rows, bytes);
      return Rounds{rounds, rounds};
    }
    std::vector<int64_t> addresses;
    for (int64_t thread = first; thread < end; ++thread) {
      const std::array<int64_t, 3> place = {thread % block_[0], thread / block_[0] % block_[1],
                                            thread / block_[0] / block_[1]};
      for (const For* loop : loops_.indices) {
        if (is_thread_index(loop->thread)) {
          values[loop->var.get()] = place[static_cast<size_t>(loop->thread.back() - 'x')];
        }
      }
      const auto offset = known_value(access.offset, values);
      if (!offset) return std::nullopt;
      addresses.push_back(*offset * element);
    }
    // So many threads are served together.
    const int64_t together = std::min(kWarpThreads, kRound / std::max(bytes, kBankBytes));
    Rounds result = rounds_by_parts(addresses, bytes, together);
    if (access.is_vector_load && (are_pairs(addresses, 1) || are_pairs(addresses, 2))) {
      result.all = rounds_by_parts(addresses, bytes, 2 * together).all;
    }
    return result;
  }

  KernelLoops loops_;
  std::array<int64_t, 3> block_{};
};

}  // namespace

std::vector<BankUse> bank_uses(const Kernel& kernel, const std::vector<SharedAccess>& accesses) {
  Banks banks(kernel);
  std::vector<BankUse> result;
  for (const SharedAccess& access : accesses) {
    if (const auto rounds = banks.rounds(access)) result.push_back({access, rounds->most, rounds->all});
  }
  return result;
}

}  // namespace vantage::cuda
