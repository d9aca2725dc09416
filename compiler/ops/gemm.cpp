#include "compiler/ops/gemm.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "compiler/ops/tile_layout.h"
#include "compiler/target/vta/program_builder.h"
#include "hw/spec/error.h"

namespace vantage::compiler {

using isa::AluOp;
using isa::Memory;

namespace {

// Sizes in tiles.
struct Tiles {
  uint64_t m, k, n;
};

Tiles in_tiles(uint64_t m, uint64_t k, uint64_t n, const spec::Config& config) {
  return {ceil_div(m, static_cast<uint64_t>(config.batch())), ceil_div(k, static_cast<uint64_t>(config.block_in())),
          ceil_div(n, static_cast<uint64_t>(config.block_out()))};
}

// Scratchpad elements that one virtual thread needs.
uint64_t acc_needed(const Tiles& block, bool bias) {
  return block.m * block.n + (bias ? block.n : 0);
}

// Halves the larger of the sides that may shrink; false when neither can.
bool halve_larger(uint64_t* a, uint64_t* b) {
  uint64_t* larger = nullptr;
  for (uint64_t* side : {a, b}) {
    if (side != nullptr && *side > 1 && (larger == nullptr || *side > *larger)) larger = side;
  }
  if (larger != nullptr) *larger = ceil_div(*larger, uint64_t{2});
  return larger != nullptr;
}

class GemmEmitter {
 public:
  GemmEmitter(const spec::Config& config, const GemmProblem& problem, const GemmBlocks& blocks)
      : problem_(problem),
        whole_(in_tiles(problem.m, problem.k, problem.n, config)),
        block_(in_tiles(std::min(blocks.m, problem.m), std::min(blocks.k, problem.k), std::min(blocks.n, problem.n),
                        config)),
        builder_(config),
        a_(builder_.tensor("A", Memory::kInp, whole_.m * whole_.k, TensorRole::kInput)),
        b_(builder_.tensor("B", Memory::kWgt, whole_.n * whole_.k, TensorRole::kInput)),
        c_(builder_.tensor("C", Memory::kOut, whole_.m * whole_.n, TensorRole::kOutput)) {
    if (problem.bias) bias_ = builder_.tensor("bias", Memory::kAcc, whole_.n, TensorRole::kInput);
  }

  Program run() {
    builder_.virtual_threads(problem_.virtual_threads, [&](int thread) { emit_thread(thread); });
    return builder_.finish();
  }

 private:
  // Output blocks are dealt to the threads in turn.
  void emit_thread(int thread) {
    inp_ = builder_.allocate(Memory::kInp, block_.m * block_.k, "a block of A").begin;
    wgt_ = builder_.allocate(Memory::kWgt, block_.n * block_.k, "a block of B").begin;
    acc_ = builder_.allocate(Memory::kAcc, block_.m * block_.n, "a block of C").begin;
    if (problem_.bias) bias_acc_ = builder_.allocate(Memory::kAcc, block_.n, "a block of bias").begin;
    loaded_a_.reset();
    loaded_b_.reset();
    uint64_t turn = 0;
    for (uint64_t m = 0; m < whole_.m; m += block_.m) {
      for (uint64_t n = 0; n < whole_.n; n += block_.n) {
        if (turn++ % static_cast<uint64_t>(problem_.virtual_threads) == static_cast<uint64_t>(thread)) {
          emit_output_block(m, n);
        }
      }
    }
  }

  void emit_output_block(uint64_t m, uint64_t n) {
    const uint64_t rows = std::min(block_.m, whole_.m - m);
    const uint64_t cols = std::min(block_.n, whole_.n - n);
    const KernelNest all{acc_, acc_, 0, {{u32(rows * cols), 1, 1, 0}}};
    builder_.reset(all);
    for (uint64_t k = 0; k < whole_.k; k += block_.k) {
      const uint64_t depth = std::min(block_.k, whole_.k - k);
      // A block that is still in its scratchpad is not loaded again.
      if (const Position block{m, k}; loaded_a_ != block) {
        builder_.load(inp_, a_, {m * whole_.k + k, rows, depth, whole_.k});
        loaded_a_ = block;
      }
      if (const Position block{n, k}; loaded_b_ != block) {
        builder_.load(wgt_, b_, {n * whole_.k + k, cols, depth, whole_.k});
        loaded_b_ = block;
      }
      builder_.gemm({acc_,
                     inp_,
                     wgt_,
                     {{u32(rows), u32(cols), u32(depth), 0}, {u32(cols), 1, 0, u32(depth)}, {u32(depth), 0, 1, 1}}});
      builder_.yield();
    }
    emit_epilogue(all, rows, cols, n);
    builder_.store(c_, {m * whole_.n + n, rows, cols, whole_.n}, acc_);
    builder_.yield();
  }

  void emit_epilogue(const KernelNest& all, uint64_t rows, uint64_t cols, uint64_t n) {
    if (problem_.bias) {
      builder_.load(bias_acc_, bias_, {n, 1, cols, cols});
      builder_.alu(AluOp::kAdd, {acc_, bias_acc_, 0, {{u32(rows), u32(cols), 0, 0}, {u32(cols), 1, 1, 0}}});
    }
    if (problem_.shift != 0) builder_.alu(AluOp::kShr, all, static_cast<int16_t>(problem_.shift));
    builder_.alu(AluOp::kMax, all, static_cast<int16_t>(problem_.clip_min));
    builder_.alu(AluOp::kMin, all, static_cast<int16_t>(problem_.clip_max));
  }

  using Position = std::pair<uint64_t, uint64_t>;

  static uint32_t u32(uint64_t value) { return static_cast<uint32_t>(value); }

  GemmProblem problem_;
  Tiles whole_;
  Tiles block_;
  ProgramBuilder builder_;
  TensorId a_, b_, c_;
  TensorId bias_{};
  // Of the thread being emitted: its scratchpad regions, and which blocks of A and B they hold.
  uint32_t inp_ = 0, wgt_ = 0, acc_ = 0, bias_acc_ = 0;
  std::optional<Position> loaded_a_, loaded_b_;
};

}  // namespace

GemmBlocks choose_gemm_blocks(const spec::Config& config, const GemmProblem& problem, const GemmBlocks& wanted,
                              const GemmBlocks& limit) {
  const auto threads = static_cast<uint64_t>(std::max(1, problem.virtual_threads));
  const auto share = [&](Memory memory) { return config.depth(memory).count() / threads; };
  const auto side = [](uint64_t given, uint64_t most, uint64_t size) {
    return std::min(given != 0 ? given : most, size);
  };
  Tiles t = in_tiles(side(wanted.m, limit.m, problem.m), side(wanted.k, limit.k, problem.k),
                     side(wanted.n, limit.n, problem.n), config);
  uint64_t* const m = wanted.m == 0 ? &t.m : nullptr;
  uint64_t* const k = wanted.k == 0 ? &t.k : nullptr;
  uint64_t* const n = wanted.n == 0 ? &t.n : nullptr;
  while (acc_needed(t, problem.bias) > share(Memory::kAcc) && halve_larger(m, n)) continue;
  while (t.m * t.k > share(Memory::kInp) && halve_larger(m, k)) continue;
  while (t.n * t.k > share(Memory::kWgt) && halve_larger(n, k)) continue;
  return {wanted.m != 0 ? wanted.m : t.m * static_cast<uint64_t>(config.batch()),
          wanted.k != 0 ? wanted.k : t.k * static_cast<uint64_t>(config.block_in()),
          wanted.n != 0 ? wanted.n : t.n * static_cast<uint64_t>(config.block_out())};
}

Program build_gemm(const spec::Config& config, const GemmProblem& problem, const GemmBlocks& blocks) {
  if (problem.m == 0 || problem.k == 0 || problem.n == 0) fail("a matrix multiply needs sizes of at least 1");
  if (blocks.m == 0 || blocks.k == 0 || blocks.n == 0) fail("a matrix multiply needs blocks of at least 1");
  if (problem.virtual_threads < 1) fail("a matrix multiply needs at least 1 virtual thread");
  if (problem.shift < 0 || problem.shift > 31) fail("the shift is {}, expected 0 to 31", problem.shift);
  for (int clip : {problem.clip_min, problem.clip_max}) {
    if (clip < INT16_MIN || clip > INT16_MAX) fail("the clip is {}, expected {} to {}", clip, INT16_MIN, INT16_MAX);
  }
  return GemmEmitter(config, problem, blocks).run();
}

}  // namespace vantage::compiler
