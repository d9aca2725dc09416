#include "compiler/network/vta/pointwise.h"

#include <algorithm>
#include <bit>
#include <map>
#include <optional>

#include "base/error.h"

namespace vantage::network {

using graph::ElementRange;
using graph::Node;
using graph::Value;
using isa::AluOp;

namespace {

// What an operation makes of values in these ranges, of a value and itself where they are `same`. No product of two
// accumulators and no sum of these needs more than 64 bits.
ElementRange range_of(AluOp op, const ElementRange& a, const ElementRange& b, bool same) {
  switch (op) {
    case AluOp::kAdd: return {a.least + b.least, a.greatest + b.greatest};
    case AluOp::kMin: return {std::min(a.least, b.least), std::min(a.greatest, b.greatest)};
    case AluOp::kMax: return {std::max(a.least, b.least), std::max(a.greatest, b.greatest)};
    case AluOp::kShr: {
      const int64_t by = b.least;
      if (by < 0) return {a.least * (int64_t{1} << -by), a.greatest * (int64_t{1} << -by)};
      return {a.least >> by, a.greatest >> by};
    }
    case AluOp::kMul: break;
  }
  const auto [least, greatest] =
      std::minmax({a.least * b.least, a.least * b.greatest, a.greatest * b.least, a.greatest * b.greatest});
  return {same ? std::max<int64_t>(0, a.least > 0 ? a.least * a.least : 0) : least, greatest};
}

class PointwiseReader {
 public:
  PointwiseReader(const BoundFunction& function, const isa::Config& config)
      : bound_(function), f_(function), config_(config) {}

  VtaPointwise run() && {
    const Value result = f_.result(config_);
    if (!f_.is(result, "cast") || f_.type(result).dtype != kInt8) {
      fail("its results are {}, and not rounded to int8; end it in clip and cast", describe(f_.type(result)));
    }
    if (config_.out_bits() != 8) {
      fail(
          "accumulators are loaded from 8 bits alone, but outputs of configuration {} have {}; LOG_INP_WIDTH 3 would "
          "do",
          config_.name(), config_.out_bits());
    }
    shape_ = f_.type(result).shape;
    find_operands();
    for (uint32_t n = 0; n < result.node; ++n) read({n, 0});
    const Made last = made(f_.node(result).inputs[0]);
    if (last.range.least < -128 || last.range.greatest > 127) {
      fail("{} may be {} to {}, and is cut to int8; put a clip before the cast", f_.node(result).name, last.range.least,
           last.range.greatest);
    }
    if (pointwise_.layer.steps.empty() || last.number + 1 != next_number()) fail("it computes nothing of its own");
    const Tensor::Shape& tiles = f_.node(bound_.graph->outputs()[0]).types[0].shape;
    pointwise_.layer.size = 1;
    for (const int64_t extent : tiles) pointwise_.layer.size *= extent;
    return std::move(pointwise_);
  }

 private:
  // A value of the layer.
  struct Made {
    int number = 0;
    ElementRange range = {};
    std::optional<int> negative_of = {};  // the value that this is -1 times
  };

  int next_number() const { return pointwise_.layer.operands + static_cast<int>(pointwise_.layer.steps.size()); }

  // Activations, as int32.
  void find_operands() {
    for (uint32_t n = 0; n < bound_.graph->nodes().size(); ++n) {
      const Node& node = bound_.graph->nodes()[n];
      if (!node.is_call("cast") || !f_.is(node.inputs[0], "unpack_tiles")) continue;
      if (node.types[0].dtype != kInt32)
        fail("{} makes {} of an activation; make it int32", node.name, describe(node.types[0]));
      const size_t input = f_.unpacked_input(node.inputs[0], config_.batch(), config_.block_out());
      const auto known = std::ranges::find(pointwise_.inputs, input);
      made_[{n, 0}] = {static_cast<int>(known - pointwise_.inputs.begin()), bound_.ranges[input]};
      if (known == pointwise_.inputs.end()) pointwise_.inputs.push_back(input);
    }
    if (pointwise_.inputs.empty() || pointwise_.inputs.size() > 2) {
      fail("it takes {} activations of int8, expected 1 or 2", pointwise_.inputs.size());
    }
    pointwise_.layer.operands = static_cast<int>(pointwise_.inputs.size());
  }

  Made made(Value value) const {
    const auto known = made_.find(value);
    if (known != made_.end()) return known->second;
    if (f_.constant(value) != nullptr) {
      fail("{} has a number for each of its elements, an instruction of the ALU one for all", f_.node(value).name);
    }
    fail("{} is {}, and no activation of int8", f_.node(value).name, describe(f_.type(value)));
  }

  void read(Value value) {
    const Node& node = f_.node(value);
    const bool is_read = made_.count(value) != 0 || node.is_call("unpack_tiles");
    if (node.kind != Node::Kind::kCall || is_read) return;
    if (f_.type(value).dtype != kInt32) {
      fail("{} makes {}; the ALU computes int32", node.name, describe(f_.type(value)));
    }
    if (f_.type(value).shape != shape_) {
      fail("{} is {}, of another shape than what the function gives", node.name, describe(f_.type(value)));
    }
    at_ = &node;
    made_[value] = node.inputs.size() == 2 ? read_two(node) : read_one(node);
  }

  Made read_one(const Node& node) {
    const Made x = made(node.inputs[0]);
    if (node.is_call("negative")) return step(AluOp::kMul, x, -1);
    if (node.is_call("abs")) return step(AluOp::kMax, step(AluOp::kMul, x, -1), x);
    if (node.is_call("relu")) return step(AluOp::kMax, x, 0);
    if (node.is_call("sign")) return step(AluOp::kMin, step(AluOp::kMax, x, -1), 1);
    if (node.is_call("clip")) {
      const auto limit = [&](const char* name) { return static_cast<int64_t>(node.attributes.number(name)); };
      return step(AluOp::kMin, step(AluOp::kMax, x, limit("min")), limit("max"));
    }
    fail("{} is no operation of the ALU", node.name);
  }

  Made read_two(const Node& node) {
    Value first = node.inputs[0], second = node.inputs[1];
    const bool subtracts = node.is_call("subtract");
    const auto constant = f_.number(second);
    if (node.is_call("right_shift") || node.is_call("left_shift")) {
      if (!constant || *constant < 0 || *constant > 31) {
        fail("{} shifts by what is no constant up to 31; give it one number", node.name);
      }
      return step(AluOp::kShr, made(first), node.is_call("left_shift") ? -*constant : *constant);
    }
    if (subtracts) {
      if (constant) return step(AluOp::kAdd, made(first), -*constant);
      const Made negative = step(AluOp::kMul, made(second), -1);
      const auto from = f_.number(first);
      return from ? step(AluOp::kAdd, negative, *from) : step(AluOp::kAdd, negative, made(first));
    }
    static const std::map<std::string_view, AluOp> kOps = {
        {"add", AluOp::kAdd}, {"multiply", AluOp::kMul}, {"minimum", AluOp::kMin}, {"maximum", AluOp::kMax}};
    const auto op = kOps.find(node.op->name);
    if (op == kOps.end()) fail("{} is no operation of the ALU", node.name);
    if (constant) return step(op->second, made(first), *constant);
    if (const auto other = f_.number(first)) return step(op->second, made(second), *other);
    return step(op->second, made(first), made(second));
  }

  Made step(AluOp op, const Made& x, int64_t immediate) {
    // By a power of two: the ALU need not wait, as it does behind a product.
    if (op == AluOp::kMul && immediate > 0 && std::has_single_bit(static_cast<uint64_t>(immediate))) {
      op = AluOp::kShr;
      immediate = -std::countr_zero(static_cast<uint64_t>(immediate));
    }
    const bool changes_nothing = (op == AluOp::kAdd || op == AluOp::kShr) ? immediate == 0
                                 : op == AluOp::kMin                      ? immediate >= x.range.greatest
                                                     : op == AluOp::kMax && immediate <= x.range.least;
    if (changes_nothing) return x;
    if (immediate < INT16_MIN || immediate > INT16_MAX) {
      fail("{} needs the constant {}, an instruction holds {} to {}; say it in two steps", at_->name, immediate,
           INT16_MIN, INT16_MAX);
    }
    Made result = append({op, x.number, std::nullopt, static_cast<int>(immediate)},
                         range_of(op, x.range, {immediate, immediate}, false));
    if (op == AluOp::kMul && immediate == -1) result.negative_of = x.number;
    return result;
  }
  Made step(AluOp op, const Made& a, const Made& b) {
    ElementRange range = range_of(op, a.range, b.range, a.number == b.number);
    // The lesser of a value and its negative is not above 0, the greater not below.
    if (a.negative_of == b.number || b.negative_of == a.number) {
      if (op == AluOp::kMin) range.greatest = std::min<int64_t>(range.greatest, 0);
      if (op == AluOp::kMax) range.least = std::max<int64_t>(range.least, 0);
    }
    return append({op, a.number, b.number}, range);
  }
  Made append(const ops::ElementwiseStep& step, const ElementRange& range) {
    const int64_t end = int64_t{1} << (config_.acc_bits() - 1);
    if (range.least < -end || range.greatest >= end) {
      fail("{} may be {} to {}, which accumulators of {} bits do not hold; limit or shift what it takes", at_->name,
           range.least, range.greatest, config_.acc_bits());
    }
    pointwise_.layer.steps.push_back(step);
    return {next_number() - 1, range};
  }

  const BoundFunction& bound_;
  const FunctionReader f_;
  const isa::Config& config_;
  Tensor::Shape shape_;
  VtaPointwise pointwise_;
  std::map<Value, Made> made_;
  const Node* at_ = nullptr;  // that is read, for messages
};

}  // namespace

VtaPointwise read_pointwise(const BoundFunction& function, const isa::Config& config) {
  return PointwiseReader(function, config).run();
}

}  // namespace vantage::network
