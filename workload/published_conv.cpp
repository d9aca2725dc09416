#include "workload/published_conv.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/error.h"

namespace vantage::workload {

namespace {

using isa::Memory;

constexpr size_t kThreads = 2;
enum Operand : uint32_t { kInputs, kWeights, kOutputs };

uint32_t u32(int64_t value) {
  VANTAGE_CHECK(std::in_range<uint32_t>(value));
  return static_cast<uint32_t>(value);
}

// The rows or columns of the input under some of the output: those that there are, and the padding around them.
struct Window {
  int64_t before, first, size, after;
};
Window window(int64_t out_first, int64_t out_size, int64_t kernel, const Conv2dShape& shape, int64_t limit) {
  const int64_t first = out_first * shape.stride.rows - shape.pad.top;
  const int64_t end = first + (out_size - 1) * shape.stride.rows + kernel;
  const Window w{std::max<int64_t>(0, -first), std::max<int64_t>(0, first), 0, std::max<int64_t>(0, end - limit)};
  return {w.before, w.first, std::min(end, limit) - w.first, w.after};
}

struct Tile {
  int64_t block, row, column;  // of the output
};

class Builder {
 public:
  Builder(const Conv2dShape& shape, const ops::Epilogue& epilogue, const PublishedTiling& tiling,
          const isa::Config& config)
      : shape_(shape),
        epilogue_(epilogue),
        tile_(tiling),
        in_blocks_(shape.in_channels / config.block_in()),
        out_blocks_(shape.out_channels / config.block_out()),
        in_height_((tiling.height - 1) * shape.stride.rows + shape.kernel_h),
        in_width_((tiling.width - 1) * shape.stride.rows + shape.kernel_w),
        program_{config, {}, {}, {}, {}} {
    check();
    program_.tensors = {
        {"A", Memory::kInp, u32(in_blocks_ * shape.height * shape.width), TensorRole::kInput},
        {"W", Memory::kWgt, u32(out_blocks_ * in_blocks_ * kernel()), TensorRole::kInput},
        {"C", Memory::kOut, u32(out_blocks_ * shape.out_height() * shape.out_width()), TensorRole::kOutput}};
  }

  PublishedConv build() {
    make_micro_ops();
    const auto pairs = tile_pairs();
    // With one pair nobody waits for a store but the end.
    const bool many = pairs.size() > 1;
    if (many) {
      for (size_t t = 0; t < kThreads; ++t) wait(isa::Stage::kStore, {.push_prev = true});
    }
    for (size_t i = 0; i < pairs.size(); ++i) work_on(pairs[i], i == 0, many);
    if (many) {
      wait(isa::Stage::kCompute, {.pop_next = true});
      wait(isa::Stage::kStore, {.push_prev = true});
    }
    wait(isa::Stage::kLoad, {.pop_next = true});
    wait(isa::Stage::kLoad, {.push_next = true});
    if (many) wait(isa::Stage::kCompute, {.pop_next = true});
    wait(isa::Stage::kCompute, {.pop_prev = true, .pop_next = true});
    program_.insns.push_back(isa::Finish{});
    check_tables(program_, "published convolution");

    PublishedConv conv{program_, program_};
    isa::Load load;
    load.transfer = {.memory = Memory::kUop, .y_size = 1, .x_size = u32(count()), .x_stride = u32(count())};
    conv.micro_ops.insns = {load, isa::Finish{}};
    conv.micro_ops.relocations = {{0, Relocation::kMicroOps}};
    return conv;
  }

 private:
  int64_t kernel() const { return shape_.kernel_h * shape_.kernel_w; }
  int64_t pixels() const { return tile_.height * tile_.width; }
  int64_t sums() const { return tile_.out_blocks * pixels(); }
  int64_t inputs() const { return tile_.in_blocks * in_height_ * in_width_; }
  int64_t weights() const { return tile_.out_blocks * tile_.in_blocks * kernel(); }
  int64_t count() const { return static_cast<int64_t>(program_.uops.size()); }
  bool by_rows() const { return tile_.threads == PublishedTiling::Threads::kRows; }

  void check() const {
    const isa::Config& config = program_.config;
    if (shape_.batch != 1 || config.batch() != 1) fail("published convolutions are of one image on a BATCH of one");
    if (epilogue_.bias) fail("published convolutions have no bias");
    if (shape_.in_channels % config.block_in() != 0 || shape_.out_channels % config.block_out() != 0) {
      fail("published convolutions have whole blocks of channels: {} in blocks of {}, {} in blocks of {}",
           shape_.in_channels, config.block_in(), shape_.out_channels, config.block_out());
    }
    if (!shape_.is_plain()) fail("published convolutions have one stride and one pad, and no dilation");
    if (shape_.pad.top >= std::min(shape_.kernel_h, shape_.kernel_w)) {
      fail("a pad of {} is no smaller than the kernel, {}x{}", shape_.pad.top, shape_.kernel_h, shape_.kernel_w);
    }
    const auto divides = [](int64_t size, int64_t whole) { return size > 0 && whole % size == 0; };
    if (!divides(tile_.height * (by_rows() ? 2 : 1), shape_.out_height()) ||
        !divides(tile_.width, shape_.out_width()) || !divides(tile_.out_blocks * (by_rows() ? 1 : 2), out_blocks_) ||
        !divides(tile_.in_blocks, in_blocks_)) {
      fail(
          "tiles of {}x{} pixels, {} blocks of output and {} of input channels, two at a time, do not divide {}x{}, "
          "{} and {}",
          tile_.height, tile_.width, tile_.out_blocks, tile_.in_blocks, shape_.out_height(), shape_.out_width(),
          out_blocks_, in_blocks_);
    }
    for (const auto& [memory, elements] :
         {std::pair{Memory::kInp, inputs()}, {Memory::kWgt, weights()}, {Memory::kAcc, sums()}}) {
      const auto depth = static_cast<int64_t>(config.depth(memory).count());
      if (elements * static_cast<int64_t>(kThreads) > depth) {
        fail("two tiles of {} elements do not fit the {} of {}", elements, depth, isa::name(memory));
      }
    }
  }

  // For each thread those of the products, of the resets, and one for the ALU.
  void make_micro_ops() {
    for (int64_t t = 0; t < static_cast<int64_t>(kThreads); ++t) {
      Kernels& k = kernels_[static_cast<size_t>(t)];
      k.products = u32(count());
      for (int64_t oc = 0; oc < tile_.out_blocks; ++oc) {
        for (int64_t ic = 0; ic < tile_.in_blocks; ++ic) {
          for (int64_t y = 0; y < tile_.height; ++y) {
            for (int64_t ky = 0; ky < shape_.kernel_h; ++ky) {
              const int64_t dst = t * sums() + oc * pixels() + y * tile_.width;
              const int64_t src = t * inputs() + (ic * in_height_ + y * shape_.stride.rows + ky) * in_width_;
              const int64_t wgt =
                  t * weights() + ((oc * tile_.in_blocks + ic) * shape_.kernel_h + ky) * shape_.kernel_w;
              program_.uops.push_back({u32(dst), u32(src), u32(wgt)});
            }
          }
        }
      }
      k.sums = u32(count());
      program_.uops.push_back({u32(t * sums()), u32(t * sums()), 0});
    }
    const auto depth = static_cast<int64_t>(program_.config.depth(Memory::kUop).count());
    if (count() > depth) fail("{} micro-ops do not fit the {} of {}", count(), depth, isa::name(Memory::kUop));
  }

  std::vector<std::array<Tile, kThreads>> tile_pairs() const {
    std::vector<std::array<Tile, kThreads>> pairs;
    const int64_t blocks = tile_.out_blocks * (by_rows() ? 1 : 2);
    const int64_t rows = tile_.height * (by_rows() ? 2 : 1);
    for (int64_t block = 0; block < out_blocks_; block += blocks) {
      for (int64_t row = 0; row < shape_.out_height(); row += rows) {
        for (int64_t column = 0; column < shape_.out_width(); column += tile_.width) {
          const Tile first{block, row, column};
          const Tile second =
              by_rows() ? Tile{block, row + tile_.height, column} : Tile{block + tile_.out_blocks, row, column};
          pairs.push_back({first, second});
        }
      }
    }
    return pairs;
  }

  void work_on(const std::array<Tile, kThreads>& pair, bool first, bool many) {
    for (const Kernels& k : kernels_) {
      isa::Gemm reset;
      reset.deps = {.pop_next = many, .push_prev = true};
      reset.reset = true;
      reset.loop = over_sums(k);
      program_.insns.push_back(reset);
    }
    if (!first) wait(isa::Stage::kLoad, {.pop_next = true});
    for (int64_t block = 0; block < in_blocks_; block += tile_.in_blocks) {
      for (size_t t = 0; t < kThreads; ++t) load(pair[t], t, block);
      for (const Kernels& k : kernels_) multiply(k);
    }
    wait(isa::Stage::kLoad, {.pop_next = true});
    for (const Kernels& k : kernels_) finish(k);
    for (size_t t = 0; t < kThreads; ++t) store(pair[t], t, many || t + 1 == kThreads);
  }

  void load(const Tile& tile, size_t thread, int64_t block) {
    const auto t = static_cast<int64_t>(thread);
    const Window rows = window(tile.row, tile_.height, shape_.kernel_h, shape_, shape_.height);
    const Window columns = window(tile.column, tile_.width, shape_.kernel_w, shape_, shape_.width);
    for (int64_t ic = 0; ic < tile_.in_blocks; ++ic) {
      isa::Load inputs_load;
      inputs_load.deps.pop_next = ic == 0;
      inputs_load.transfer = {
          .memory = Memory::kInp,
          .sram_base = u32(t * inputs() + ic * in_height_ * in_width_),
          .dram_base = u32(((block + ic) * shape_.height + rows.first) * shape_.width + columns.first),
          .y_size = u32(rows.size),
          .x_size = u32(columns.size),
          .x_stride = u32(shape_.width),
          .y_pad_0 = u32(rows.before),
          .y_pad_1 = u32(rows.after),
          .x_pad_0 = u32(columns.before),
          .x_pad_1 = u32(columns.after)};
      add(inputs_load, kInputs);
    }
    isa::Load weights_load;
    weights_load.deps.push_next = true;
    weights_load.transfer = {.memory = Memory::kWgt,
                             .sram_base = u32(t * weights()),
                             .dram_base = u32((tile.block * in_blocks_ + block) * kernel()),
                             .y_size = u32(tile_.out_blocks),
                             .x_size = u32(tile_.in_blocks * kernel()),
                             .x_stride = u32(in_blocks_ * kernel())};
    add(weights_load, kWeights);
  }

  struct Kernels {
    uint32_t products, sums;  // where the micro-ops of each begin; those of the products end where the other begins
  };

  // One micro-op, every sum of a tile.
  isa::Loop over_sums(const Kernels& k) const {
    return {.uop_bgn = k.sums,
            .uop_end = k.sums + 1,
            .iter_out = u32(tile_.out_blocks),
            .iter_in = u32(pixels()),
            .dst_factor_out = u32(pixels()),
            .dst_factor_in = 1,
            .src_factor_out = 0,
            .src_factor_in = 0};
  }

  void multiply(const Kernels& k) {
    isa::Gemm gemm;
    gemm.deps = {.pop_prev = true, .push_prev = true};
    gemm.loop = {.uop_bgn = k.products,
                 .uop_end = k.sums,
                 .iter_out = u32(tile_.width),
                 .iter_in = u32(shape_.kernel_w),
                 .dst_factor_out = 1,
                 .dst_factor_in = 0,
                 .src_factor_out = u32(shape_.stride.rows),
                 .src_factor_in = 1};
    gemm.wgt_factor_in = 1;
    program_.insns.push_back(gemm);
  }

  void finish(const Kernels& k) {
    isa::Alu alu;
    alu.loop = over_sums(k);
    alu.use_imm = true;
    alu.loop.src_factor_out = alu.loop.dst_factor_out;
    alu.loop.src_factor_in = alu.loop.dst_factor_in;
    for (const auto& [op, imm] : {std::pair{isa::AluOp::kShr, epilogue_.shift},
                                  {isa::AluOp::kMin, epilogue_.clip_max},
                                  {isa::AluOp::kMax, epilogue_.clip_min}}) {
      alu.op = op;
      alu.imm = imm;
      alu.deps.push_next = op == isa::AluOp::kMax;
      program_.insns.push_back(alu);
    }
  }

  // Rows that follow each other in memory as on the chip are one.
  void store(const Tile& tile, size_t thread, bool frees) {
    const int64_t plane = shape_.out_height() * shape_.out_width();
    int64_t stores = 1, rows = tile_.out_blocks, length = pixels(), stride = plane;
    if (tile_.width < shape_.out_width()) {
      stores = tile_.out_blocks;
      rows = tile_.height;
      length = tile_.width;
      stride = shape_.out_width();
    } else if (pixels() == plane) {
      rows = 1;
      length = sums();
      stride = length;
    }
    for (int64_t i = 0; i < stores; ++i) {
      isa::Store out;
      out.deps = {.pop_prev = i == 0, .push_prev = frees && i + 1 == stores};
      out.transfer = {
          .memory = Memory::kOut,
          .sram_base = u32(static_cast<int64_t>(thread) * sums() + i * pixels()),
          .dram_base = u32(((tile.block + i) * shape_.out_height() + tile.row) * shape_.out_width() + tile.column),
          .y_size = u32(rows),
          .x_size = u32(length),
          .x_stride = u32(stride)};
      add(out, kOutputs);
    }
  }

  // A transfer of nothing, for its tokens.
  void wait(isa::Stage stage, const isa::Deps& deps) {
    if (stage == isa::Stage::kStore) {
      program_.insns.push_back(isa::Store{deps, {.memory = Memory::kOut}});
    } else {
      program_.insns.push_back(isa::Load{deps, {.memory = stage == isa::Stage::kLoad ? Memory::kInp : Memory::kUop}});
    }
  }

  void add(const isa::Insn& insn, Operand operand) {
    program_.relocations.push_back({u32(static_cast<int64_t>(program_.insns.size())), operand});
    program_.insns.push_back(insn);
  }

  const Conv2dShape& shape_;
  const ops::Epilogue& epilogue_;
  const PublishedTiling& tile_;
  int64_t in_blocks_, out_blocks_;  // of the layer
  int64_t in_height_, in_width_;    // of a tile's input, padding included
  Program program_;
  std::array<Kernels, kThreads> kernels_{};
};

}  // namespace

PublishedConv published_conv(const Conv2dShape& shape, const ops::Epilogue& epilogue, const PublishedTiling& tiling,
                             const isa::Config& config) {
  check_conv2d_shape(shape);
  ops::check_epilogue(epilogue);
  return Builder(shape, epilogue, tiling, config).build();
}

}  // namespace vantage::workload
