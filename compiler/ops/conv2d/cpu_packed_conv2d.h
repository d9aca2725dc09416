// A convolution whose weights are packed: the stages of its computation, and how they are scheduled.
//
//   pad           the images with zeros around, as wide as tiles of pixels reach; four bytes in a word for int8; the
//   images
//                 themselves where neither is needed
//   channel_sums  what the offset of pad's bytes adds to each channel, where the product wants one
//   tile          sums of pixels by channels, in registers
//   C             the result, with its epilogue
#pragma once

#include "compiler/ops/conv2d/cpu_conv2d.h"
#include "compiler/ops/cpu/words.h"

namespace vantage::ops {

// The parameters, and what an epilogue does to a sum.
struct Conv2dOperands {
  explicit Conv2dOperands(const CpuConv2d& conv);
  te::Expr finish(te::Expr sum, const te::Expr& channel) const;
  ir::PrimFunc function(const te::Tensor& weights, const te::Tensor& result) const;

  CpuConv2d conv;
  te::Tensor images, bias;
};

// Input channels as the inner loop counts them: words for int8.
int64_t packed_depth(const CpuConv2d& conv);

class PackedConv2d {
 public:
  PackedConv2d(const CpuConv2d& conv, const CpuConv2dTiling& tiling, const cpu::Target& target);
  schedule::Schedule schedule(int threads) const;

 private:
  int64_t rows_read() const { return (shape_.out_height() - 1) * shape_.stride.rows + shape_.kernel_h; }
  int64_t columns_read() const { return (pixel_tiles_ * t_.pixels - 1) * shape_.stride.columns + shape_.kernel_w; }
  bool pads() const { return words_ || shape_.pad.any() || columns_read() > shape_.width; }
  te::Tensor define_pad() const;
  te::Tensor define_channel_sums() const;
  te::Tensor define_tile() const;
  te::Tensor define_result() const;
  void schedule_pad(schedule::Schedule& s, const schedule::LoopRV& rows) const;

  Conv2dOperands operands_;
  Conv2dShape shape_;
  CpuConv2dTiling t_;
  bool words_;  // int8: four channels are one word
  WordProduct word_product_;
  bool offset_;  // words of images are offset; what that adds is taken off again
  int64_t channel_tiles_, pixel_tiles_;
  te::Tensor weights_, pad_, sums_, tile_, c_;
};

}  // namespace vantage::ops
