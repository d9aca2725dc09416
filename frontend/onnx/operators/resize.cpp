// Images in other sizes: along each axis a product with weights that are known as the file is read.
#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "frontend/onnx/operators.h"
#include "frontend/onnx/rounded_once.h"

namespace vantage::onnx_models {

namespace {

struct Axis {
  int64_t from = 0, to = 0;
  double scale = 1;                   // of sizes
  double roi_begin = 0, roi_end = 1;  // of the image, for tf_crop_and_resize
};

struct How {
  std::string mode, coordinates, nearest;
  double cubic = -0.75, outside = 0;
  bool excludes_outside = false, antialias = false;
};

// Numbers that are one of an image's: of others there is no nearest integer.
int64_t within_reach(double place) {
  if (!(std::abs(place) <= INT32_MAX)) fail("it asks for {} pixels, or for one at that place", place);
  return static_cast<int64_t>(place);
}

// Where the middle of a pixel of the result lies in the image.
double place_of(int64_t i, const Axis& a, const How& how) {
  const auto at = static_cast<double>(i), from = static_cast<double>(a.from), to = static_cast<double>(a.to);
  if (how.coordinates == "asymmetric") return at / a.scale;
  if (how.coordinates == "pytorch_half_pixel") return a.to > 1 ? (at + 0.5) / a.scale - 0.5 : 0;
  if (how.coordinates == "align_corners") return a.to > 1 ? at * (from - 1) / (to - 1) : 0;
  if (how.coordinates == "tf_crop_and_resize") {
    if (a.to > 1) return a.roi_begin * (from - 1) + at * (a.roi_end - a.roi_begin) * (from - 1) / (to - 1);
    return 0.5 * (a.roi_begin + a.roi_end) * (from - 1);
  }
  if (how.coordinates == "half_pixel_symmetric") {
    const double wanted = from * a.scale, offset = from / 2 * (1 - to / wanted);
    return offset + (at + 0.5) / a.scale - 0.5;
  }
  if (how.coordinates == "half_pixel") return (at + 0.5) / a.scale - 0.5;
  fail("its coordinate_transformation_mode is '{}'", how.coordinates);
}

int64_t nearest_to(double place, const std::string& how) {
  if (how == "floor") return within_reach(std::floor(place));
  if (how == "ceil") return within_reach(std::ceil(place));
  if (how == "round_prefer_ceil") return within_reach(std::floor(place + 0.5));
  if (how == "round_prefer_floor") return within_reach(std::ceil(place - 0.5));
  fail("its nearest_mode is '{}'", how);
}

double weight_of(double distance, const How& how) {
  const double x = std::abs(distance);
  if (how.mode == "linear") return std::max(0.0, 1 - x);
  const double a = how.cubic;
  if (x <= 1) return ((a + 2) * x - (a + 3)) * x * x + 1;
  return x < 2 ? ((a * x - 5 * a) * x + 8 * a) * x - 4 * a : 0;
}

// A row of weights for each pixel of the result; what lies beyond the ends counts as the end.
Tensor weights_of(Builder& b, const Axis& a, const How& how, DType dtype, std::vector<bool>& is_outside) {
  Tensor weights = b.blank(dtype, {a.to, a.from});
  const double step = how.antialias && a.scale < 1 ? 1 / a.scale : 1;
  const double reach = (how.mode == "cubic" ? 2 : 1) * step;
  // Each row takes longer than its weights are many.
  b.spend(a.to * (4 + 2 * within_reach(reach)));
  for (int64_t i = 0; i < a.to; ++i) {
    const double place = place_of(i, a, how);
    const bool outside =
        how.coordinates == "tf_crop_and_resize" && (place < 0 || place > static_cast<double>(a.from - 1));
    is_outside.push_back(outside);
    if (outside) continue;
    if (how.mode == "nearest") {
      weights.set_number(i * a.from + std::clamp<int64_t>(nearest_to(place, how.nearest), 0, a.from - 1), 1);
      continue;
    }
    std::vector<double> row(static_cast<size_t>(a.from));
    double total = 0;
    for (int64_t p = within_reach(std::ceil(place - reach)); static_cast<double>(p) <= place + reach; ++p) {
      const bool beyond = p < 0 || p >= a.from;
      if (beyond && how.excludes_outside) continue;
      const double weight = weight_of((static_cast<double>(p) - place) / step, how);
      row[static_cast<size_t>(std::clamp<int64_t>(p, 0, a.from - 1))] += weight;
      total += weight;
    }
    for (int64_t p = 0; p < a.from; ++p) weights.set_number(i * a.from + p, row[static_cast<size_t>(p)] / total);
  }
  return weights;
}

Value resized(Builder& b, Value x, size_t axis, const Axis& a, const How& how) {
  const DType dtype = b.dtype(x);
  const int64_t rank = b.rank(x);
  std::vector<bool> is_outside;
  Integers to_last;
  for (int64_t d = 0; d < rank; ++d) {
    if (d != static_cast<int64_t>(axis)) to_last.push_back(d);
  }
  to_last.push_back(static_cast<int64_t>(axis));
  Integers back(static_cast<size_t>(rank));
  for (size_t d = 0; d < to_last.size(); ++d) back[static_cast<size_t>(to_last[d])] = static_cast<int64_t>(d);
  if (how.mode == "nearest") {
    const Tensor weights = weights_of(b, a, how, kFloat32, is_outside);
    Integers places;
    for (int64_t i = 0; i < a.to; ++i) {
      int64_t place = 0;
      while (place + 1 < a.from && weights.number(i * a.from + place) == 0) ++place;
      places.push_back(place);
    }
    x = b.call("gather", {x, b.integers(places)}, {{"axis", static_cast<int64_t>(axis)}});
  } else {
    const DType sums = dtype.is_float() ? dtype : kFloat32;
    const Value rows = b.transpose(b.cast(x, sums), to_last);
    Tensor::Shape flat = b.shape(rows), made = flat;
    made.back() = a.to;
    const Value product = b.call(
        "matmul",
        {b.reshape(rows, {b.type(rows).size() / a.from, a.from}), b.constant(weights_of(b, a, how, sums, is_outside))},
        {{"transpose_b", true}});
    x = b.cast(b.transpose(b.reshape(product, made), back), dtype);
  }
  if (std::none_of(is_outside.begin(), is_outside.end(), [](bool outside) { return outside; })) return x;
  Tensor::Shape along(static_cast<size_t>(rank), 1);
  along[axis] = a.to;
  Tensor mask = b.blank(kBool, along);
  for (int64_t i = 0; i < a.to; ++i) mask.set_integer(i, is_outside[static_cast<size_t>(i)] ? 1 : 0);
  return b.call("where", {b.constant(std::move(mask)), b.scalar(dtype, how.outside), x});
}

std::vector<Value> resize(const Node& node) {
  Builder& b = node.builder();
  Value x = node.input(0);
  const size_t rank = b.shape(x).size();
  const bool is_old = node.op() == "Upsample" || node.version() < 11;
  How how{node.text("mode", "nearest"),
          node.text("coordinate_transformation_mode", is_old ? "asymmetric" : "half_pixel"),
          node.text("nearest_mode", is_old ? "floor" : "round_prefer_floor"),
          node.number("cubic_coeff_a", -0.75),
          node.number("extrapolation_value", 0),
          node.integer("exclude_outside", 0) != 0,
          node.integer("antialias", 0) != 0};
  if (how.mode == "bilinear") how.mode = "linear";
  if (how.mode != "nearest" && how.mode != "linear" && how.mode != "cubic") fail("its mode is '{}'", how.mode);
  Integers axes = node.integers("axes");
  for (size_t d = 0; !node.has_attribute("axes") && d < rank; ++d) axes.push_back(static_cast<int64_t>(d));
  const size_t of_scales = is_old ? 1 : 2;
  std::vector<double> scales = node.numbers("scales"), roi;
  if (node.has(of_scales) && b.type(node.input(of_scales)).size() > 0) {
    const Tensor& given = node.constant(of_scales, "scales");
    for (int64_t e = 0; e < given.size(); ++e) scales.push_back(given.number(e));
  }
  Integers wanted;
  if (!is_old && node.has(3)) wanted = node.integers(3, "sizes");
  if (how.coordinates == "tf_crop_and_resize") {
    const Tensor& given = node.constant(1, "roi");
    for (int64_t e = 0; e < given.size(); ++e) roi.push_back(given.number(e));
    if (roi.size() != 2 * axes.size()) fail("its roi has {} numbers for {} axes", roi.size(), axes.size());
  }
  const size_t count = wanted.empty() ? scales.size() : wanted.size();
  if (count != axes.size()) fail("it has {} scales or sizes for {} axes", count, axes.size());
  const std::string policy = node.text("keep_aspect_ratio_policy", "stretch");
  if (!wanted.empty() && policy != "stretch") {
    double common = 0;
    for (size_t i = 0; i < axes.size(); ++i) {
      const double scale =
          static_cast<double>(wanted[i]) / static_cast<double>(b.shape(x)[node.axis(axes[i], b.rank(x))]);
      common = i == 0 ? scale : policy == "not_larger" ? std::min(common, scale) : std::max(common, scale);
    }
    scales.assign(axes.size(), common);
  }
  for (size_t i = 0; i < axes.size(); ++i) {
    const size_t axis = node.axis(axes[i], b.rank(x));
    Axis a{.from = b.shape(x)[axis]};
    const auto from = static_cast<double>(a.from);
    if (wanted.empty()) {
      a.scale = scales[i];
      a.to = within_reach(std::floor(from * a.scale));
    } else if (policy != "stretch") {
      a.scale = scales[i];
      a.to = within_reach(std::floor(from * a.scale + 0.5));
    } else {
      a.to = wanted[i];
      a.scale = static_cast<double>(a.to) / from;
    }
    if (!roi.empty()) {
      a.roi_begin = roi[i];
      a.roi_end = roi[i + axes.size()];
    }
    if (a.to < 1 || a.to > (int64_t{1} << 24) || a.from < 1)
      fail("axis {} of {} would have {} elements", axis, describe(b.type(x)), a.to);
    const bool is_whole = a.to == a.from && a.scale == 1 && roi.empty();
    if (!is_whole) x = resized(b, x, axis, a, how);
  }
  return {x};
}

}  // namespace

OperatorFamily resize_family() {
  return {{"Resize", rounded_once(resize)}, {"Upsample", rounded_once(resize)}};
}

}  // namespace vantage::onnx_models
