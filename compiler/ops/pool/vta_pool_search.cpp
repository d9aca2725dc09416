#include <algorithm>
#include <set>

#include "base/error.h"
#include "base/math.h"
#include "compiler/backend/vta/lower.h"
#include "compiler/backend/vta/timing/timeline.h"
#include "compiler/ops/pool/vta_pool.h"
#include "compiler/ops/transfer_cost.h"

namespace vantage::ops {

using isa::Memory;

namespace {

// Programs that are weighed.
constexpr size_t kMostWeighed = 24;

struct PoolCandidate {
  VtaPoolTiling tiling;
  int64_t cycles;  // roughly
};

class PoolTilings {
 public:
  PoolTilings(const VtaPool& pool, const isa::Config& config, const MemoryTiming& memory)
      : p_(pool),
        config_(config),
        memory_(memory),
        cost_(memory, config),
        images_(ceil_div(pool.batch, int64_t{config.batch()})),
        channels_(ceil_div(pool.channels, int64_t{config.block_out()})) {}

  bool has_room() const { return !candidates().empty(); }

  VtaPoolSearch run() const {
    std::vector<PoolCandidate> all = candidates();
    if (all.empty()) {
      fail("no row of this pooling's windows fits the {} accumulators of configuration {}",
           config_.depth(Memory::kAcc).count(), config_.name());
    }
    VtaPoolSearch best;
    best.bound = vta::bound_of(vta_pool_work(p_, config_), config_, memory_);
    best.cycles = UINT64_MAX;
    for (size_t i = 0; i < std::min(all.size(), kMostWeighed); ++i) {
      const Program program = vta::compile(schedule_vta_pool(p_, all[i].tiling, config_).function(), config_);
      const uint64_t cycles = vta::estimate_cycles(program, memory_);
      if (cycles >= best.cycles) continue;
      best.cycles = cycles;
      best.tiling = all[i].tiling;
    }
    return best;
  }

 private:
  int64_t rows_read(int64_t rows) const { return (rows - 1) * p_.stride.rows + p_.places().reach_h(); }

  bool fits(const VtaPoolTiling& t) const {
    const int64_t input = t.channels * rows_read(t.rows) * p_.places().padded_width();
    const int64_t output = t.channels * t.rows * p_.out_width();
    const auto depth = static_cast<int64_t>(config_.depth(Memory::kAcc).count());
    // Every load needs a row that is none of zeros.
    const bool has_rows =
        t.rows * p_.stride.rows > p_.pad.top && (ceil_div(p_.out_height(), t.rows) == 1 || last_has_rows(t));
    return has_rows && (input * (t.double_buffer ? 2 : 1) + output) * t.threads <= depth;
  }
  bool last_has_rows(const VtaPoolTiling& t) const {
    const int64_t first = (p_.out_height() - 1) / t.rows * t.rows * p_.stride.rows - p_.pad.top;
    return first < p_.height;
  }

  PoolCandidate rough(const VtaPoolTiling& t) const {
    const int64_t width = p_.places().padded_width(),
                  tiles = ceil_div(channels_, t.channels) * ceil_div(p_.out_height(), t.rows);
    const auto bytes = static_cast<int64_t>(config_.element_size(Memory::kAcc8).count());
    const int64_t load = cost_.load(t.channels * rows_read(t.rows), width * bytes);
    const int64_t fold = t.channels * t.rows * p_.out_width() * steps();
    const int64_t around = cost_.latency + load + fold + cost_.store_end;
    const int64_t places = t.threads * (t.double_buffer ? 2 : 1);
    return {t, images_ * tiles * std::max({load, fold, ceil_div(around, places)}) + around};
  }
  int64_t steps() const { return p_.kernel_h * p_.kernel_w + (p_.least == 0 ? 1 : 2); }

  std::vector<PoolCandidate> candidates() const {
    const auto even = [](int64_t size) {
      std::set<int64_t> pieces;
      for (int64_t count = 1; count <= size; ++count) pieces.insert(ceil_div(size, count));
      return pieces;
    };
    std::vector<PoolCandidate> all;
    for (const int64_t channels : even(channels_)) {
      for (const int64_t rows : even(p_.out_height())) {
        for (const int threads : {1, 2}) {
          for (const bool twice : {false, true}) {
            const VtaPoolTiling t{channels, rows, threads, twice};
            if (fits(t)) all.push_back(rough(t));
          }
        }
      }
    }
    std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.cycles < b.cycles; });
    return all;
  }

  const VtaPool& p_;
  const isa::Config& config_;
  const MemoryTiming& memory_;
  TransferCost cost_;
  int64_t images_, channels_;
};

}  // namespace

vta::Work vta_pool_work(const VtaPool& p, const isa::Config& config) {
  const auto bus = static_cast<int64_t>(config.bus_width().count());
  const auto beats = [&](Memory memory, int64_t count) {
    return ceil_div(count * static_cast<int64_t>(config.element_size(memory).count()), bus);
  };
  const int64_t tiles = ceil_div(p.batch, int64_t{config.batch()}) * ceil_div(p.channels, int64_t{config.block_out()});
  const int64_t results = tiles * p.out_height() * p.out_width();
  // Pixels that windows reach, at least: of windows with gaps, and with gaps between them, one of each.
  const auto reached = [](int64_t size, int64_t out, int64_t kernel, int64_t stride, int64_t dilation, int64_t before) {
    if (dilation > 1 || stride > kernel) return std::max<int64_t>(1, std::min(size, out - before));
    return std::min(size, (out - 1) * stride + kernel - before);
  };
  const int64_t rows = reached(p.height, p.out_height(), p.kernel_h, p.stride.rows, p.dilation.rows, p.pad.top);
  const int64_t columns = reached(p.width, p.out_width(), p.kernel_w, p.stride.columns, p.dilation.columns, p.pad.left);
  vta::Work work;
  // Windows that overlap may share what they have found; the last step of each is its own.
  work.result_steps = p.kernel_h * p.kernel_w > 1 ? 1 : 0;
  work.alu_steps = results * work.result_steps;
  work.read_beats = beats(Memory::kAcc8, tiles * rows * columns);
  work.first_beats = beats(Memory::kAcc8, 1);
  work.store_beats = beats(Memory::kOut, results);
  work.last_beats = beats(Memory::kOut, 1);
  return work;
}

bool has_room(const VtaPool& pool, const isa::Config& config) {
  return PoolTilings(pool, config, {}).has_room();
}

VtaPoolSearch search_vta_pool(const VtaPool& pool, const isa::Config& config, const MemoryTiming& memory) {
  return PoolTilings(pool, config, memory).run();
}

}  // namespace vantage::ops
