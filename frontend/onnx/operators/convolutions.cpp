// Kernels that slide over images: sums of products at every place.
#include <algorithm>

#include "base/error.h"
#include "frontend/onnx/operators.h"
#include "frontend/onnx/quantized.h"
#include "frontend/onnx/windows.h"

namespace vantage::onnx_models {

namespace {

// One slice of the kernel along an additional first axis of places, and what it sees.
Value convolve_volume(Builder& b, Value x, Value weight, const Windows& w, int64_t groups) {
  const Tensor::Shape image = b.shape(x);
  Integers before(image.size(), 0), after(image.size(), 0);
  before[2] = w.before[0];
  after[2] = w.after[0];
  if (w.before[0] > 0 || w.after[0] > 0) x = b.call("pad", {x}, {{"before", before}, {"after", after}});
  const int64_t places = (image[2] + w.before[0] + w.after[0] - w.reach(0)) / w.strides[0] + 1;
  Windows flat = w;
  for (Integers* list : {&flat.kernel, &flat.strides, &flat.before, &flat.after, &flat.dilations})
    list->erase(list->begin());
  Value sum;
  for (int64_t k = 0; k < w.kernel[0]; ++k) {
    const int64_t begin = k * w.dilations[0];
    const Value seen = b.slice(x, 2, begin, begin + (places - 1) * w.strides[0] + 1, w.strides[0]);
    // [n, c, d, h, w] as [n * d, c, h, w].
    const Value stacked =
        b.reshape(b.transpose(seen, {0, 2, 1, 3, 4}), {image[0] * places, image[1], image[3], image[4]});
    const Value kernel = b.squeeze(b.slice(weight, 2, k, k + 1), 2);
    const Value part = b.product(
        "conv2d", {stacked, kernel},
        {{"strides", flat.strides}, {"padding", padding_of(flat)}, {"dilation", flat.dilations}, {"groups", groups}});
    sum = k == 0 ? part : b.add(sum, part);
  }
  const Tensor::Shape made = b.shape(sum);
  return b.transpose(b.reshape(sum, {image[0], places, made[1], made[2], made[3]}), {0, 2, 1, 3, 4});
}

void require_kernel(const TensorType& weight) {
  if (weight.shape.size() < 3) fail("its weights are {}, expected [outputs, channels, places...]", describe(weight));
}

// In the type of sums.
Value convolve(const Node& node, Value x, Value weight) {
  Builder& b = node.builder();
  const Tensor::Shape &image = b.shape(x), &kernel = b.shape(weight);
  require_kernel(b.type(weight));
  const Windows w = windows_of(node, image, Integers(kernel.begin() + 2, kernel.end()));
  const int64_t groups = node.integer("group", 1);
  if (w.axes() == 3) return convolve_volume(b, x, weight, w, groups);
  if (w.axes() > 3) fail("its kernel has {} axes, expected up to 3", w.axes());
  const Windows flat = in_two_axes(w);
  if (w.axes() == 1) weight = b.unsqueeze(weight, 2);
  return on_images(b, x, [&](Value images) {
    return b.product(
        "conv2d", {images, weight},
        {{"strides", flat.strides}, {"padding", padding_of(flat)}, {"dilation", flat.dilations}, {"groups", groups}});
  });
}

// [channels] along the second axis of images.
Value along_channels(Builder& b, Value bias, Value images) {
  Tensor::Shape shape(b.shape(images).size(), 1);
  shape[1] = b.type(bias).size();
  return b.reshape(bias, shape);
}

// Sums, with the node's third input along their channels, if there is one, and rounded to the type of its first.
Value with_bias(const Node& node, Value sums) {
  Builder& b = node.builder();
  if (node.has(2)) sums = b.add(sums, b.wide(along_channels(b, node.input(2), sums)));
  return b.cast(sums, b.dtype(node.input(0)));
}

std::vector<Value> conv(const Node& node) {
  return {with_bias(node, convolve(node, node.input(0), node.input(1)))};
}

std::vector<Value> conv_integer(const Node& node) {
  Builder& b = node.builder();
  Value x = node.input(0), weight = node.input(1);
  require_kernel(b.type(weight));
  x = node.has(2) ? without_zero(b, x, node.input(2)) : b.cast(x, kInt32);
  if (node.has(3)) {
    Value zero = node.input(3);
    if (b.type(zero).size() > 1)
      zero = b.reshape(zero, [&] {
        Tensor::Shape shape(b.shape(weight).size(), 1);
        shape[0] = b.type(zero).size();
        return shape;
      }());
    weight = without_zero(b, weight, zero);
  } else {
    weight = b.cast(weight, kInt32);
  }
  return {convolve(node, x, weight)};
}

std::vector<Value> qlinear_conv(const Node& node) {
  Builder& b = node.builder();
  const Value weight = node.input(3);
  const auto along_outputs = [&](Value v, size_t axis, size_t rank) {
    if (b.type(v).size() == 1) return b.reshape(v, {});
    Tensor::Shape shape(rank, 1);
    shape[axis] = b.type(v).size();
    return b.reshape(v, shape);
  };
  const size_t rank = b.shape(weight).size();
  require_kernel(b.type(weight));
  const Value x = without_zero(b, node.input(0), node.input(2));
  const Value w = without_zero(b, weight, along_outputs(node.input(5), 0, rank));
  Value y = convolve(node, x, w);
  if (node.has(8)) y = b.add(y, along_channels(b, b.cast(node.input(8), kInt32), y));
  require_scale(b, node.input(1));
  require_scale(b, node.input(4));
  const Value scale = b.multiply(b.reshape(node.input(1), {}), along_outputs(node.input(4), 1, rank));
  return {quantized(b, b.multiply(b.cast(y, b.dtype(scale)), scale), node.input(6), node.input(7))};
}

Value spread_images(Builder& b, Value images, Value weight, const Windows& w, const Integers& extra, int64_t groups) {
  return b.product("conv2d_transpose", {images, weight},
                   {{"strides", w.strides},
                    {"padding", padding_of(w)},
                    {"dilation", w.dilations},
                    {"output_padding", extra},
                    {"groups", groups}});
}

// One slice of the kernel after another along the first axis of places: what each makes of every plane, as far apart as
// the stride is and as far along as the slice, added up.
Value spread_volume(Builder& b, Value x, Value weight, const Windows& w, const Integers& extra, int64_t groups) {
  const Tensor::Shape image = b.shape(x);
  Windows flat = w;
  for (Integers* list : {&flat.kernel, &flat.strides, &flat.before, &flat.after, &flat.dilations})
    list->erase(list->begin());
  const int64_t planes = image[2], apart = (planes - 1) * w.strides[0] + 1, whole = apart + w.reach(0) - 1 + extra[0];
  const Value stacked = b.reshape(b.transpose(x, {0, 2, 1, 3, 4}), {image[0] * planes, image[1], image[3], image[4]});
  Value sum;
  for (int64_t k = 0; k < w.kernel[0]; ++k) {
    Value part =
        spread_images(b, stacked, b.squeeze(b.slice(weight, 2, k, k + 1), 2), flat, {extra[1], extra[2]}, groups);
    const Tensor::Shape s = b.shape(part);
    part = b.reshape(part, {image[0], planes, 1, s[1], s[2], s[3]});
    part = b.call("pad", {part}, {{"before", Integers(6, 0)}, {"after", Integers{0, 0, w.strides[0] - 1, 0, 0, 0}}});
    part = b.slice(b.reshape(part, {image[0], planes * w.strides[0], s[1], s[2], s[3]}), 1, 0, apart);
    const int64_t begin = k * w.dilations[0];
    part = b.call("pad", {part},
                  {{"before", Integers{0, begin, 0, 0, 0}}, {"after", Integers{0, whole - apart - begin, 0, 0, 0}}});
    sum = k == 0 ? part : b.add(sum, part);
  }
  return b.transpose(b.slice(sum, 1, w.before[0], whole - w.after[0]), {0, 2, 1, 3, 4});
}

// Of one to three axes; in the type of sums.
Value spread(Builder& b, Value x, Value weight, const Windows& w, Integers extra, int64_t groups) {
  if (w.axes() == 3) return spread_volume(b, x, weight, w, extra, groups);
  if (w.axes() == 1) {
    weight = b.unsqueeze(weight, 2);
    extra.insert(extra.begin(), 0);
  }
  const Windows flat = in_two_axes(w);
  return on_images(b, x, [&](Value images) { return spread_images(b, images, weight, flat, extra, groups); });
}

std::vector<Value> conv_transpose(const Node& node) {
  Builder& b = node.builder();
  const Value x = node.input(0);
  const Value weight = node.input(1);
  const Tensor::Shape image = b.shape(x), kernel = b.shape(weight);
  const size_t axes = kernel.size() - 2;
  if (axes < 1 || axes > 3 || image.size() != kernel.size()) {
    fail("its weights are {} for {}, expected kernels of 1 to 3 axes", describe(b.type(weight)), describe(b.type(x)));
  }
  const Integers pads = node.integers("pads", Integers(2 * axes, 0));
  Windows w{Integers(kernel.begin() + 2, kernel.end()), node.integers("strides", Integers(axes, 1)), Integers(axes, 0),
            Integers(axes, 0), node.integers("dilations", Integers(axes, 1))};
  if (node.integers("kernel_shape", w.kernel) != w.kernel) fail("its kernel_shape is not the shape of its weights");
  Integers extra = node.integers("output_padding", Integers(axes, 0));
  const Integers wanted = node.integers("output_shape");
  const std::string automatic = node.text("auto_pad", "NOTSET");
  if (w.strides.size() != axes || w.dilations.size() != axes || pads.size() != 2 * axes || extra.size() != axes ||
      (!wanted.empty() && wanted.size() != axes)) {
    fail("its strides, dilations, pads or output's sizes are not of {} axes", axes);
  }
  for (size_t d = 0; d < axes; ++d) {
    w.before[d] = pads[d];
    w.after[d] = pads[d + axes];
    for (const int64_t value :
         {w.strides[d], w.dilations[d], pads[d], pads[d + axes], extra[d], wanted.empty() ? 0 : wanted[d]}) {
      if (value < 0 || value > INT32_MAX) fail("one of its strides, dilations, pads or sizes is {}", value);
    }
    const int64_t whole = (image[d + 2] - 1) * w.strides[d] + w.reach(d) + extra[d];
    const bool is_same = automatic == "SAME_UPPER" || automatic == "SAME_LOWER";
    if (!wanted.empty() || is_same) {
      const int64_t size = wanted.empty() ? image[d + 2] * w.strides[d] : wanted[d];
      const int64_t cut = std::max<int64_t>(0, whole - size);
      // What is too few is added at the end.
      extra[d] += std::max<int64_t>(0, size - whole);
      w.before[d] = automatic == "SAME_UPPER" ? cut / 2 : cut - cut / 2;
      w.after[d] = cut - w.before[d];
    }
  }
  return {with_bias(node, spread(b, x, weight, w, extra, node.integer("group", 1)))};
}

// Blocks put back where windows took them from, and added up: each place of a block is a channel of its own, which a
// kernel with a one there spreads.
std::vector<Value> col2im(const Node& node) {
  Builder& b = node.builder();
  const Value x = node.input(0);
  const Integers image = node.integers(1, "image_shape"), block = node.integers(2, "block_shape");
  const size_t axes = block.size();
  const Integers pads = node.integers("pads", Integers(2 * axes, 0));
  Windows w{block, node.integers("strides", Integers(axes, 1)), {}, {}, node.integers("dilations", Integers(axes, 1))};
  if (axes < 1 || axes > 3 || image.size() != axes || w.strides.size() != axes || w.dilations.size() != axes ||
      pads.size() != 2 * axes) {
    fail("its blocks are of {} axes, expected as many as its image, strides, dilations and pads have: 1 to 3", axes);
  }
  Integers counts, extra;
  int64_t places = 1, blocks = 1;
  for (size_t d = 0; d < axes; ++d) {
    for (const int64_t value : {image[d], block[d], w.strides[d], w.dilations[d], pads[d] + 1, pads[d + axes] + 1}) {
      if (value < 1 || value > INT16_MAX) fail("one of its sizes, strides, dilations or pads is {}", value);
    }
    const int64_t room = image[d] + pads[d] + pads[d + axes] - w.reach(d);
    if (room < 0) fail("its blocks are larger than its image");
    w.before.push_back(pads[d]);
    w.after.push_back(pads[d + axes]);
    counts.push_back(room / w.strides[d] + 1);
    extra.push_back(room % w.strides[d]);
    places *= block[d];
    blocks *= counts[d];
  }
  const Tensor::Shape& given = b.shape(x);
  if (given.size() != 3 || given[1] < 1 || given[1] % places != 0 || given[2] != blocks) {
    fail("{} are no {} blocks of {} elements", describe(b.type(x)), blocks, places);
  }
  Tensor::Shape shape = {given[0], given[1]}, kernels = {given[1], 1};
  shape.insert(shape.end(), counts.begin(), counts.end());
  kernels.insert(kernels.end(), block.begin(), block.end());
  Tensor ones = b.blank(b.dtype(x), kernels);
  for (int64_t c = 0; c < given[1]; ++c) ones.set_number(c * places + c % places, 1);
  return {b.cast(spread(b, b.reshape(x, shape), b.constant(std::move(ones)), w, extra, given[1] / places), b.dtype(x))};
}

}  // namespace

OperatorFamily convolution_family() {
  return {{"Conv", conv},
          {"ConvInteger", conv_integer},
          {"QLinearConv", qlinear_conv},
          {"ConvTranspose", conv_transpose},
          {"Col2Im", col2im}};
}

}  // namespace vantage::onnx_models
