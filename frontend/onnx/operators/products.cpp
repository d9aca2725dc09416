// Operators that add up products: matrices, convolutions, sums that a text describes.
#include <algorithm>
#include <map>

#include "base/error.h"
#include "frontend/onnx/operators.h"
#include "frontend/onnx/quantized.h"
#include "frontend/onnx/windows.h"

namespace vantage::onnx_models {

namespace {

// Vectors are rows at the left and columns at the right, and are none in what comes out.
Value product(Builder& b, Value x, Value y) {
  const bool is_row = b.rank(x) == 1, is_column = b.rank(y) == 1;
  if (b.rank(x) == 0 || b.rank(y) == 0) fail("it multiplies {} by {}", describe(b.type(x)), describe(b.type(y)));
  if (is_row) x = b.unsqueeze(x, 0);
  if (is_column) y = b.unsqueeze(y, 1);
  Value z = b.call("matmul", {x, y});
  if (is_column) z = b.squeeze(z, b.shape(z).size() - 1);
  if (is_row) z = b.squeeze(z, b.shape(z).size() - (is_column ? 1 : 2));
  return z;
}

std::vector<Value> matmul(const Node& node) {
  return {product(node.builder(), node.input(0), node.input(1))};
}

std::vector<Value> matmul_integer(const Node& node) {
  Builder& b = node.builder();
  const auto offset = [&](size_t operand, size_t zero, bool rows) {
    const Value x = node.input(operand);
    if (!node.has(zero)) return b.cast(x, kInt32);
    // One for each row of the left side, or column of the right one.
    Value point = node.input(zero);
    if (rows && b.rank(point) == 1 && b.shape(point)[0] > 1) point = b.unsqueeze(point, 1);
    return without_zero(b, x, point);
  };
  return {product(b, offset(0, 2, true), offset(1, 3, false))};
}

std::vector<Value> qlinear_matmul(const Node& node) {
  Builder& b = node.builder();
  const auto column = [&](Value v, bool rows) {
    return rows && b.rank(v) == 1 && b.shape(v)[0] > 1 ? b.unsqueeze(v, 1) : v;
  };
  const Value x = without_zero(b, node.input(0), column(node.input(2), true));
  const Value y = without_zero(b, node.input(3), column(node.input(5), false));
  const Value scale =
      b.multiply(b.cast(column(node.input(1), true), kFloat32), b.cast(column(node.input(4), false), kFloat32));
  return {requantized(b, product(b, x, y), b.divide(scale, b.cast(node.input(6), kFloat32)), node.input(7))};
}

std::vector<Value> gemm(const Node& node) {
  Builder& b = node.builder();
  const bool ta = node.integer("transA", 0) != 0, tb = node.integer("transB", 0) != 0;
  Value y = b.call("matmul", {node.input(0), node.input(1)}, {{"transpose_a", ta}, {"transpose_b", tb}});
  const auto times = [&](Value v, double factor) {
    if (factor == 1) return v;
    const DType dtype = b.dtype(v);
    return dtype.is_float() ? b.multiply(v, factor) : b.cast(b.multiply(b.cast(v, kFloat64), factor), dtype);
  };
  y = times(y, node.number("alpha", 1));
  if (node.has(2)) y = b.add(y, times(node.input(2), node.number("beta", 1)));
  return {y};
}

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
    const Value part = b.call(
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
    return b.call(
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

std::vector<Value> conv(const Node& node) {
  Builder& b = node.builder();
  const Value y = convolve(node, node.input(0), node.input(1));
  return {node.has(2) ? b.add(y, along_channels(b, node.input(2), y)) : y};
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
  const Value scale = b.multiply(b.reshape(node.input(1), {}), along_outputs(node.input(4), 1, rank));
  return {requantized(b, y, b.divide(scale, b.reshape(node.input(6), {})), node.input(7))};
}

std::vector<Value> conv_transpose(const Node& node) {
  Builder& b = node.builder();
  const Value x = node.input(0);
  Value weight = node.input(1);
  const Tensor::Shape image = b.shape(x), kernel = b.shape(weight);
  const size_t axes = kernel.size() - 2;
  if (axes < 1 || axes > 2 || image.size() != kernel.size()) fail("its kernel has {} axes, expected 1 or 2", axes);
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
  const Windows flat = in_two_axes(w);
  if (axes == 1) {
    weight = b.unsqueeze(weight, 2);
    extra.insert(extra.begin(), 0);
  }
  const Value y = on_images(b, x, [&](Value images) {
    return b.call("conv2d_transpose", {images, weight},
                  {{"strides", flat.strides},
                   {"padding", padding_of(flat)},
                   {"dilation", flat.dilations},
                   {"output_padding", extra},
                   {"groups", node.integer("group", 1)}});
  });
  return {node.has(2) ? b.add(y, along_channels(b, node.input(2), y)) : y};
}

// Letters of each operand, "..." as capital letters from the last axis on.
std::string letters_of(std::string text, size_t rank) {
  std::erase(text, ' ');
  const size_t dots = text.find("...");
  if (dots == std::string::npos) return text;
  std::string all;
  for (size_t d = rank - (text.size() - 3); d-- > 0;) all += static_cast<char>('A' + static_cast<char>(d % 26));
  return text.replace(dots, 3, all);
}

// Sums over letters that the result lacks, of products of all operands.
std::vector<Value> einsum(const Node& node) {
  Builder& b = node.builder();
  std::string equation = node.text("equation", "");
  std::erase(equation, ' ');
  const size_t arrow = equation.find("->");
  std::vector<std::string> terms(1);
  for (const char c : equation.substr(0, arrow))
    c == ',' ? static_cast<void>(terms.emplace_back()) : terms.back().push_back(c);
  if (terms.size() != node.inputs())
    fail("its equation, {}, is of {} operands, not {}", equation, terms.size(), node.inputs());
  std::map<char, int64_t> sizes;
  std::vector<Value> operands;
  std::map<char, int> count;
  std::string dots;
  for (size_t i = 0; i < terms.size(); ++i) {
    Value x = node.input(i);
    const bool has_dots = terms[i].find("...") != std::string::npos;
    if (has_dots && b.shape(x).size() + 3 < terms[i].size()) fail("its equation, {}, has too many letters", equation);
    std::string letters = letters_of(terms[i], b.shape(x).size());
    if (letters.size() != b.shape(x).size()) fail("its equation, {}, does not fit {}", equation, describe(b.type(x)));
    // Of a letter that is there twice the diagonal.
    for (size_t d = 0; d < letters.size(); ++d) {
      const size_t again = letters.find(letters[d], d + 1);
      if (again == std::string::npos) continue;
      if (b.shape(x)[d] != b.shape(x)[again]) fail("its letter {} has two sizes", letters[d]);
      Tensor places = b.blank(kInt64, b.shape(x));
      for (int64_t e = 0; e < places.size(); ++e) places.set_integer(e, places.index_of(e)[d]);
      const Value diagonal =
          b.call("gather_elements", {x, b.constant(std::move(places))}, {{"axis", static_cast<int64_t>(again)}});
      x = b.squeeze(b.slice(diagonal, again, 0, 1), again);
      letters.erase(again, 1);
      --d;
    }
    for (size_t d = 0; d < letters.size(); ++d) {
      const int64_t size = b.shape(x)[d];
      int64_t& known = sizes.emplace(letters[d], size).first->second;
      if (known != size && known != 1 && size != 1)
        fail("its letter {} has the sizes {} and {}", letters[d], known, size);
      known = std::max(known, size);
      ++count[letters[d]];
      if (std::isupper(static_cast<unsigned char>(letters[d])) != 0 && dots.find(letters[d]) == std::string::npos)
        dots += letters[d];
    }
    operands.push_back(x);
    terms[i] = letters;
  }
  std::sort(dots.rbegin(), dots.rend());
  std::string result;
  if (arrow != std::string::npos) {
    result = equation.substr(arrow + 2);
    if (const size_t at = result.find("..."); at != std::string::npos) result.replace(at, 3, dots);
  } else {
    result = dots;
    for (const auto& [letter, times] : count) {
      if (times == 1 && std::isupper(static_cast<unsigned char>(letter)) == 0) result += letter;
    }
  }
  for (const char letter : result) {
    if (sizes.count(letter) == 0) fail("its equation, {}, makes the letter {} of nothing", equation, letter);
    if (std::count(result.begin(), result.end(), letter) > 1)
      fail("its equation, {}, makes {} twice", equation, letter);
  }
  // Two at a time, as a stack of matrices: letters of both that stay, those that are added up, and those of one.
  Value all = operands[0];
  std::string letters = terms[0];
  const auto arranged = [&](Value x, const std::string& has, const std::string& wanted) {
    Integers order;
    for (const char letter : wanted) {
      if (const size_t at = has.find(letter); at != std::string::npos) order.push_back(static_cast<int64_t>(at));
    }
    x = b.transpose(x, order);
    Tensor::Shape shape;
    size_t from = 0;
    for (const char letter : wanted) shape.push_back(has.find(letter) == std::string::npos ? 1 : b.shape(x)[from++]);
    return b.reshape(x, shape);
  };
  const auto summed = [&](Value x, std::string& has, const std::function<bool(char)>& stays) {
    Integers axes;
    std::string left;
    for (size_t d = 0; d < has.size(); ++d) {
      if (stays(has[d])) {
        left += has[d];
      } else {
        axes.push_back(static_cast<int64_t>(d));
      }
    }
    has = left;
    return axes.empty() ? x : b.fold("sum", x, axes, false);
  };
  for (size_t i = 1; i <= operands.size(); ++i) {
    const auto stays = [&](char letter) {
      if (result.find(letter) != std::string::npos) return true;
      for (size_t later = i; later < terms.size(); ++later) {
        if (terms[later].find(letter) != std::string::npos) return true;
      }
      return false;
    };
    all = summed(all, letters, stays);
    if (i == operands.size()) break;
    const auto stays_later = [&](char letter) {
      if (result.find(letter) != std::string::npos) return true;
      for (size_t later = i + 1; later < terms.size(); ++later) {
        if (terms[later].find(letter) != std::string::npos) return true;
      }
      return false;
    };
    std::string stack, inner, left, right;
    for (const char letter : letters) {
      const bool both = terms[i].find(letter) != std::string::npos;
      (both ? (stays_later(letter) ? stack : inner) : left) += letter;
    }
    for (const char letter : terms[i]) {
      if (letters.find(letter) == std::string::npos) right += letter;
    }
    const auto extent = [&](const std::string& of) {
      int64_t size = 1;
      for (const char letter : of) {
        if (__builtin_mul_overflow(size, sizes[letter], &size)) fail("its sums have more terms than any memory");
      }
      return size;
    };
    const auto whole = [&](Value x, const std::string& has, const std::string& order) {
      x = arranged(x, has, order);
      Tensor::Shape shape;
      for (const char letter : order) shape.push_back(sizes[letter]);
      return b.broadcast_to(x, shape);
    };
    const Value x = b.reshape(whole(all, letters, stack + left + inner), {extent(stack), extent(left), extent(inner)});
    const Value y =
        b.reshape(whole(operands[i], terms[i], stack + inner + right), {extent(stack), extent(inner), extent(right)});
    all = b.call("matmul", {x, y});
    letters = stack + left + right;
    Tensor::Shape shape;
    for (const char letter : letters) shape.push_back(sizes[letter]);
    all = b.reshape(all, shape);
  }
  return {arranged(all, letters, result)};
}

}  // namespace

OperatorFamily product_family() {
  return {{"MatMul", matmul},
          {"MatMulInteger", matmul_integer},
          {"QLinearMatMul", qlinear_matmul},
          {"Gemm", gemm},
          {"Conv", conv},
          {"ConvInteger", conv_integer},
          {"QLinearConv", qlinear_conv},
          {"ConvTranspose", conv_transpose},
          {"Einsum", einsum}};
}

}  // namespace vantage::onnx_models
