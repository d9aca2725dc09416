#include "compiler/network/unstack_products.h"

#include <algorithm>
#include <set>

#include "base/math.h"
#include "compiler/graph/rewrite.h"

namespace vantage::network {

using graph::Graph;
using graph::Node;
using graph::Rewrite;
using graph::Value;
using ops::Integers;

namespace {

class Unstacker {
 public:
  Unstacker(const Graph& graph, const isa::Config& config)
      : graph_(graph), config_(config), uses_(graph::uses(graph)), user_(graph.nodes().size()), rewrite_(graph) {
    for (uint32_t n = 0; n < graph.nodes().size(); ++n) {
      for (const Value& input : graph.nodes()[n].inputs) user_[input.node] = n;
    }
  }

  Graph run() && {
    std::set<uint32_t> done;
    for (uint32_t n = 0; n < graph_.nodes().size(); ++n) {
      if (done.count(n) != 0) continue;
      if (!is_ours(graph_.nodes()[n])) {
        rewrite_.copy(n);
        continue;
      }
      const std::vector<uint32_t> chain = chain_of(n);
      // What the chain takes beside the sums may stand between them.
      for (const uint32_t member : chain) {
        for (const Value& input : graph_.nodes()[member].inputs) copy_constant(input.node, done);
      }
      unstack(n, chain);
      done.insert(chain.begin(), chain.end());
    }
    return std::move(rewrite_).finish();
  }

 private:
  bool is_ours(const Node& node) const {
    return node.is_call("matmul") && node.types[0].dtype == kInt32 && graph_.type(node.inputs[0]).dtype == kInt8 &&
           std::ranges::none_of(node.inputs, [&](Value v) { return graph_.node(v).constant != nullptr; });
  }

  // The product, and what is done to its sums element by element with one number for each matrix, up to int8.
  std::vector<uint32_t> chain_of(uint32_t product) const {
    std::vector<uint32_t> chain = {product};
    while (graph_.nodes()[chain.back()].types[0].dtype != kInt8 && uses_[chain.back()] == 1) {
      const uint32_t next = user_[chain.back()];
      const Node& node = graph_.nodes()[next];
      const bool is_pointwise =
          next > chain.back() && node.kind == Node::Kind::kCall &&
          (node.op->pattern == ops::Pattern::kElementwise || node.op->pattern == ops::Pattern::kBroadcast);
      if (!is_pointwise || node.inputs[0].node != chain.back()) break;
      const bool by_numbers = std::all_of(node.inputs.begin() + 1, node.inputs.end(), [&](Value v) {
        return graph_.node(v).constant != nullptr && is_by_matrix(*graph_.node(v).constant);
      });
      if (!by_numbers) break;
      chain.push_back(next);
    }
    return chain;
  }

  // Whether all elements of a matrix get the same one.
  static bool is_by_matrix(const Tensor& numbers) {
    const size_t rank = numbers.rank();
    return numbers.size() == 1 || (rank > 2 && numbers.extent(rank - 1) == 1 && numbers.extent(rank - 2) == 1);
  }

  void copy_constant(uint32_t n, std::set<uint32_t>& done) {
    if (graph_.nodes()[n].constant == nullptr || !done.insert(n).second) return;
    rewrite_.copy(n);
  }

  // Matrix `number` of a stack that repeats along `stack`, [rows, depth].
  Value matrix(Value of, const Tensor::Shape& stack, int64_t number, bool transposed, const std::string& name) {
    Graph& to = rewrite_.graph();
    const Tensor::Shape shape = to.type(of).shape;
    Integers begin(shape.size(), 0), end(shape.begin(), shape.end());
    for (size_t d = stack.size(); d-- > 0;) {
      const int64_t at = number % stack[d];
      number /= stack[d];
      const size_t behind = stack.size() - d + 2;  // of its axes from the last one
      if (behind > shape.size() || shape[shape.size() - behind] == 1) continue;
      begin[shape.size() - behind] = at;
      end[shape.size() - behind] = at + 1;
    }
    Value value = to.call("slice", {of}, {{"begin", begin}, {"end", end}}, name);
    value = to.call("reshape", {value}, {{"shape", Integers{shape[shape.size() - 2], shape.back()}}}, name + ".matrix");
    if (transposed) value = to.call("transpose", {value}, {{"order", Integers{1, 0}}}, name + ".transposed");
    const int64_t depth = to.type(value).shape[1], block = config_.block_in();
    if (depth % block == 0) return value;
    return to.call("pad", {value}, {{"before", Integers{0, 0}}, {"after", Integers{0, round_up(depth, block) - depth}}},
                   name + ".filled");
  }

  // The number of a matrix of the stack as a constant of so many.
  Value repeated(Value numbers, const Tensor::Shape& stack, int64_t matrix, int64_t count) {
    const Tensor& from = *graph_.node(numbers).constant;
    int64_t element = 0, step = 1;
    for (size_t d = stack.size(); d-- > 0;) {
      const int64_t at = matrix % stack[d];
      matrix /= stack[d];
      const size_t behind = stack.size() - d + 2;  // of its axes from the last one
      if (behind > from.rank() || from.extent(from.rank() - behind) == 1) continue;
      element += at * step;
      step *= from.extent(from.rank() - behind);
    }
    Tensor all(from.dtype(), {count});
    for (int64_t e = 0; e < count; ++e) all.set(e, from.get(element));
    return rewrite_.graph().constant(std::move(all), graph_.node(numbers).name);
  }

  void unstack(uint32_t n, const std::vector<uint32_t>& chain) {
    const Node& node = graph_.nodes()[n];
    Graph& to = rewrite_.graph();
    const Tensor::Shape& y = node.types[0].shape;
    const Tensor::Shape stack(y.begin(), y.end() - 2);
    int64_t matrices = 1;
    for (const int64_t extent : stack) matrices *= extent;
    const Node& last = graph_.nodes()[chain.back()];
    const std::string& name = last.name;
    std::vector<Value> results;
    for (int64_t i = 0; i < matrices; ++i) {
      const auto part = [&](const char* what) { return name + "." + what + std::to_string(i); };
      const Value a = matrix(rewrite_.at(node.inputs[0]), stack, i, node.attributes.flag("transpose_a"), part("a"));
      const Value b = matrix(rewrite_.at(node.inputs[1]), stack, i, !node.attributes.flag("transpose_b"), part("b"));
      std::vector<Value> operands = {a, b};
      // What is added first is where sums start.
      const bool adds_first = chain.size() > 1 && graph_.nodes()[chain[1]].is_call("add");
      if (adds_first) operands.push_back(repeated(graph_.nodes()[chain[1]].inputs[1], stack, i, y.back()));
      Value value = to.call("dense", operands, {{"dtype", kInt32}}, part("sums"));
      for (size_t member = adds_first ? 2 : 1; member < chain.size(); ++member) {
        const Node& step = graph_.nodes()[chain[member]];
        std::vector<Value> inputs = {value};
        for (size_t k = 1; k < step.inputs.size(); ++k) {
          const bool is_one = graph_.node(step.inputs[k]).constant->size() == 1;
          inputs.push_back(repeated(step.inputs[k], stack, i, is_one ? 1 : y.back()));
        }
        value = to.call(*step.op, std::move(inputs), step.attributes, part(step.op->name.c_str()));
      }
      results.push_back(to.call("reshape", {value}, {{"shape", Integers{1, y[y.size() - 2], y.back()}}}, part("of")));
    }
    const Value all =
        results.size() == 1 ? results[0] : to.call("concatenate", results, {{"axis", int64_t{0}}}, name + ".all");
    rewrite_.replace(chain.back(),
                     {to.call("reshape", {all},
                              {{"shape", Integers(last.types[0].shape.begin(), last.types[0].shape.end())}}, name)});
  }

  const Graph& graph_;
  const isa::Config& config_;
  std::vector<uint32_t> uses_, user_;  // user: the last one
  Rewrite rewrite_;
};

}  // namespace

Graph unstack_products(Graph graph, const isa::Config& config) {
  return Unstacker(graph, config).run();
}

}  // namespace vantage::network
