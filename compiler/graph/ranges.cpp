#include "compiler/graph/ranges.h"

#include <algorithm>
#include <functional>
#include <map>
#include <string_view>

namespace vantage::graph {

namespace {

// Of constants larger than this nobody needs to know more than their type says.
constexpr int64_t kMostLookedAt = 4096;

class Ranges {
 public:
  // `given` says it of the graph's inputs, by their numbers; null: what their types say.
  Ranges(const Graph& graph, std::function<ElementRange(size_t)> given) : graph_(graph), given_(std::move(given)) {}

  // Each value is looked at once, however many ways lead to it.
  ElementRange operator()(Value value) {
    const auto known = known_.find(value);
    return known != known_.end() ? known->second : known_.emplace(value, found(value)).first->second;
  }

 private:
  ElementRange found(Value value);

  const Graph& graph_;
  const std::function<ElementRange(size_t)> given_;
  std::map<Value, ElementRange> known_;
};

ElementRange Ranges::found(Value value) {
  const Graph& graph = graph_;
  const Node& node = graph.node(value);
  const DType dtype = graph.type(value).dtype;
  const ElementRange any{dtype.min_int(), dtype.max_int()};
  const auto of = [&](size_t input) { return (*this)(node.inputs[input]); };
  if (node.kind == Node::Kind::kInput && given_) {
    const std::vector<uint32_t> all = graph.inputs();
    return given_(static_cast<size_t>(std::find(all.begin(), all.end(), value.node) - all.begin()));
  }
  if (node.kind == Node::Kind::kConstant) {
    if (node.constant->size() > kMostLookedAt) return any;
    ElementRange range{INT64_MAX, INT64_MIN};
    for (int64_t e = 0; e < node.constant->size(); ++e) {
      range = {std::min(range.least, node.constant->integer(e)), std::max(range.greatest, node.constant->integer(e))};
    }
    return range;
  }
  if (node.kind == Node::Kind::kFunction) {
    // Asked of its inputs only when it comes to them.
    Ranges inside(*node.function,
                  [&](size_t i) { return graph.type(node.inputs[i]).dtype.is_int() ? of(i) : ElementRange(); });
    return inside(node.function->outputs()[value.output]);
  }
  if (node.kind != Node::Kind::kCall) return any;
  const std::string_view op = node.op->name;
  const auto limits = [](const Node& clip) {
    const auto whole = [](double limit) { return static_cast<int64_t>(std::clamp(limit, -0x1p62, 0x1p62)); };
    return ElementRange{whole(clip.attributes.number("min")), whole(clip.attributes.number("max"))};
  };
  const bool is_from_int = !node.inputs.empty() && graph.type(node.inputs[0]).dtype.is_int();
  if (op == "clip") {
    const ElementRange limit = limits(node), from = is_from_int ? of(0) : any;
    return {std::clamp(from.least, limit.least, limit.greatest),
            std::clamp(from.greatest, limit.least, limit.greatest)};
  }
  if (op == "relu") return {0, is_from_int ? std::max<int64_t>(0, of(0).greatest) : any.greatest};
  if (op == "cast") {
    // What does not fit wraps, and may become anything; of floats limits are known.
    const Node& before = graph.node(node.inputs[0]);
    const bool is_limited = before.is_call("clip");
    if (!is_from_int && !is_limited) return any;
    const ElementRange range = is_from_int ? of(0) : limits(before);
    return range.least >= any.least && range.greatest <= any.greatest ? range : any;
  }
  if (!is_from_int) return any;
  static constexpr std::string_view kMoves[] = {"reshape",      "transpose",  "slice",
                                                "unpack_tiles", "max_pool2d", "global_max_pool2d"};
  if (std::find(std::begin(kMoves), std::end(kMoves), op) != std::end(kMoves)) return of(0);
  // These add zeros.
  if (op == "pack_tiles" || op == "im2col") {
    const ElementRange range = of(0);
    return {std::min<int64_t>(0, range.least), std::max<int64_t>(0, range.greatest)};
  }
  return any;
}

}  // namespace

ElementRange element_range(const Graph& graph, Value value) {
  return Ranges(graph, nullptr)(value);
}

}  // namespace vantage::graph
