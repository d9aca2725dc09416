#include "compiler/graph/quantize/quantize_stated.h"

#include <algorithm>
#include <map>
#include <string_view>

#include "compiler/graph/passes/remove_dead_code.h"
#include "compiler/graph/quantize/stated.h"
#include "compiler/graph/quantize/stated_maker.h"
#include "compiler/graph/quantize/stated_values.h"

namespace vantage::graph {

namespace {

// uint8 less this is int8.
constexpr int64_t kMove = 128;

// What is made of each node of the old graph, and whether somebody needs it.
struct Uses {
  std::vector<bool> copy, rest;
};

class StatedQuantizer {
 public:
  // `uses`: only what these say is made; null: all.
  StatedQuantizer(const Graph& graph, const QuantizeOptions& options, const Uses* uses)
      : graph_(graph),
        uses_(uses),
        values_(graph),
        to_(values_.to()),
        maker_(graph, options, values_),
        parts_(graph.nodes().size()) {}

  void run() {
    for (uint32_t n = 0; n < graph_.nodes().size(); ++n) {
      Parts& parts = parts_[n];
      const std::optional<StatedRounding> rounding = find_rounding(graph_, n);
      const bool is_integer = rounding && (uses_ == nullptr || uses_->rest[n]) && round(n, *rounding);
      if (!is_integer && (uses_ == nullptr || uses_->copy[n])) {
        parts.copy = static_cast<uint32_t>(to_.nodes().size());
        values_.copy(n);
        if (rounding) note_integers(n, *rounding);
      }
      parts.begin = static_cast<uint32_t>(is_integer ? parts.begin : to_.nodes().size());
      if (!is_integer && (uses_ == nullptr || uses_->rest[n])) values_.follow(n);
      parts.end = static_cast<uint32_t>(to_.nodes().size());
    }
  }

  // What was made of each node that the outputs need.
  Uses needed() const {
    std::vector<bool> is_live(to_.nodes().size());
    for (const Value& output : graph_.outputs()) is_live[values_.at(output).node] = true;
    for (size_t n = is_live.size(); n-- > 0;) {
      const Node& node = to_.nodes()[n];
      for (size_t i = 0; is_live[n] && i < node.inputs.size(); ++i) is_live[node.inputs[i].node] = true;
    }
    Uses uses{std::vector<bool>(parts_.size()), std::vector<bool>(parts_.size())};
    for (size_t n = 0; n < parts_.size(); ++n) {
      const Parts& parts = parts_[n];
      const bool is_input = graph_.nodes()[n].kind == Node::Kind::kInput;
      uses.copy[n] = is_input || (parts.copy != kNone && is_live[parts.copy]);
      const auto begin = is_live.begin() + parts.begin, end = is_live.begin() + parts.end;
      uses.rest[n] = parts.begin == parts.end || std::find(begin, end, true) != end ||
                     (parts.integers != kNone && is_live[parts.integers]);
    }
    return uses;
  }

  // Why products stay: known where all is made that might be needed.
  const std::map<uint32_t, std::string>& reasons() const { return maker_.reasons(); }

  StatedGraph finish(const std::map<uint32_t, std::string>& reasons) && {
    std::vector<LeftProduct> left;
    for (uint32_t n = 0; n < graph_.nodes().size(); ++n) {
      const Node& node = graph_.nodes()[n];
      const bool is_product = node.is_call("conv2d") || node.is_call("dense") || node.is_call("matmul");
      if (!is_product || parts_[n].copy == kNone) continue;
      const auto known = reasons.find(n);
      left.push_back(
          {node.name,
           known != reasons.end() && !known->second.empty()
               ? known->second
               : "nothing rounds its results, as they are or within limits, to integers of 8 bits by one scale"});
    }
    return {{remove_dead_code(std::move(values_).finish()), std::move(quantized_)}, std::move(left)};
  }

 private:
  static constexpr uint32_t kNone = UINT32_MAX;
  struct Parts {
    uint32_t copy = kNone;        // the node that is the same
    uint32_t integers = kNone;    // what its integers are
    uint32_t begin = 0, end = 0;  // other nodes
  };

  // Whether integers are made of integers here.
  bool round(uint32_t n, const StatedRounding& rounding) {
    const int64_t moved = rounding.dtype == kUInt8 ? kMove : 0;
    const StatedTarget target{
        {rounding.scale, rounding.zero - moved}, rounding.least - moved, rounding.greatest - moved};
    const auto begin = static_cast<uint32_t>(to_.nodes().size());
    maker_.forget_weights();
    const std::optional<Value> value = maker_.make(rounding.floats, target, name_of(rounding.floats, n));
    if (!value) return false;
    parts_[n].begin = begin;
    parts_[n].integers = value->node;
    values_.set(n, *value);
    note(n, rounding, *value, maker_.weight_scale());
    return true;
  }

  // That of what makes most of it, limits and moves aside; of integers that only change their scale the rounding's.
  const std::string& name_of(Value floats, uint32_t rounding) const {
    static constexpr std::string_view kAside[] = {"relu",   "clip",    "maximum",   "minimum", "multiply",
                                                  "divide", "reshape", "transpose", "cast"};
    const Node* node = &graph_.node(floats);
    while (!values_.find(floats) && node->op != nullptr && std::ranges::count(kAside, node->op->name) != 0) {
      floats = node->inputs[0];
      node = &graph_.node(floats);
    }
    return values_.find(floats) || node->op == nullptr ? graph_.nodes()[rounding].name : node->name;
  }

  // Floats that are rounded as the network says.
  void note_integers(uint32_t n, const StatedRounding& rounding) {
    if (uses_ != nullptr && graph_.node(rounding.floats).constant == nullptr) note(n, rounding, values_.at({n, 0}), 0);
  }

  void note(uint32_t n, const StatedRounding& rounding, Value value, double weight_scale) {
    const bool is_moved = to_.type(value).dtype == kInt8 && rounding.dtype == kUInt8;
    quantized_.push_back({.before = {n, 0},
                          .name = to_.node(value).name,
                          .scale = rounding.scale,
                          .zero = rounding.zero - (is_moved ? kMove : 0),
                          .stated = Stated{graph_.nodes()[n].types[0].dtype, rounding.zero},
                          .weight_scale = weight_scale,
                          .weight_snr_db = 200});
  }

  const Graph& graph_;
  const Uses* const uses_;
  StatedValues values_;
  Graph& to_;
  StatedMaker maker_;
  std::vector<Parts> parts_;
  std::vector<QuantizedValue> quantized_;
};

}  // namespace

StatedGraph quantize_as_stated(const Graph& graph, const QuantizeOptions& options) {
  // Twice, so that names are free of what nobody needs.
  StatedQuantizer all(graph, options, nullptr);
  all.run();
  const Uses uses = all.needed();
  StatedQuantizer needed(graph, options, &uses);
  needed.run();
  return std::move(needed).finish(all.reasons());
}

}  // namespace vantage::graph
