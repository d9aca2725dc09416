#include "compiler/graph/quantize/smooth.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <optional>

#include "base/error.h"
#include "compiler/graph/passes/remove_dead_code.h"
#include "compiler/graph/quantize/groups.h"
#include "compiler/graph/quantize/integer_functions.h"
#include "compiler/graph/quantize/scale.h"
#include "compiler/graph/rewrite.h"

namespace vantage::graph {

namespace {

// A product's weights by the channels of what they are multiplied with: how large they are, once and for all.
class ChannelWeights {
 public:
  // `channels`: of what the product takes.
  ChannelWeights(const Tensor& weights, size_t channels)
      : outputs_(static_cast<size_t>(weights.extent(0))),
        of_group_(static_cast<size_t>(weights.extent(1))),
        kernel_(static_cast<size_t>(weights.size()) / outputs_ / of_group_),
        groups_(channels / of_group_),
        magnitudes_(outputs_ * of_group_),
        largest_(channels),
        squares_(channels) {
    const auto values = weights.values<float>();
    each([&](size_t output, size_t channel, size_t element) {
      const float weight = std::abs(values[element]);
      float& magnitude = magnitudes_[output * of_group_ + channel % of_group_];
      magnitude = std::max(magnitude, weight);
      largest_[channel] = std::max(largest_[channel], double{weight});
      squares_[channel] += double{weight} * double{weight};
    });
  }

  // Calls visit(output, channel, element) for each weight.
  template <typename Visit>
  void each(const Visit& visit) const {
    size_t element = 0;
    for (size_t o = 0; o < outputs_; ++o) {
      const size_t first = first_channel(o);
      for (size_t c = 0; c < of_group_; ++c) {
        for (size_t k = 0; k < kernel_; ++k) visit(o, first + c, element++);
      }
    }
  }

  double largest(size_t channel) const { return largest_[channel]; }
  double sum_of_squares(size_t channel) const { return squares_[channel]; }
  size_t outputs() const { return outputs_; }
  size_t kernel() const { return kernel_; }
  size_t of_group() const { return of_group_; }
  // Of those that an output is made of the first; the others are behind it.
  size_t first_channel(size_t output) const { return output / (outputs_ / groups_) * of_group_; }

  // The largest weight of an output, each times the factor of its channel.
  float largest_of(size_t output, const std::vector<float>& factors) const {
    const float* const weights = &magnitudes_[output * of_group_];
    const float* const of = &factors[first_channel(output)];
    // Side by side, as vectors have it.
    constexpr size_t kLanes = 16;
    std::array<float, kLanes> most = {};
    size_t c = 0;
    for (; c + kLanes <= of_group_; c += kLanes) {
      for (size_t lane = 0; lane < kLanes; ++lane) {
        const float weight = weights[c + lane] * of[c + lane];
        most[lane] = most[lane] < weight ? weight : most[lane];
      }
    }
    for (; c < of_group_; ++c) most[0] = std::max(most[0], weights[c] * of[c]);
    return *std::ranges::max_element(most);
  }

 private:
  size_t outputs_, of_group_, kernel_, groups_;
  std::vector<float> magnitudes_;          // [outputs, channels of the group], the largest of the kernel
  std::vector<double> largest_, squares_;  // by channel
};

// What a value's channels are divided by; those of outliers stay, and are taken out of the products.
struct Smoothing {
  std::vector<double> factors;
  std::vector<size_t> outliers = {};

  bool is_outlier(size_t channel) const { return std::ranges::find(outliers, channel) != outliers.end(); }
};

class Smoother {
 public:
  Smoother(const Graph& graph, const Statistics& statistics, const QuantizeOptions& options)
      : graph_(graph),
        statistics_(statistics),
        options_(options),
        uses_(uses(graph)),
        users_(graph, options),
        rewrite_(graph) {}

  Graph run() && {
    for (const auto& [tail, group] : groups_of(graph_, options_)) {
      const uint32_t product = group.members.front();
      const Value x = graph_.nodes()[product].inputs[0];
      takers_[x].push_back(product);
      if (group.is_scalable() && constant(graph_.nodes()[product].inputs[1]) != nullptr) makers_[tail] = product;
    }
    for (const auto& [value, products] : takers_) {
      if (auto found = smoothing_of(value, products)) smoothings_.emplace(value, std::move(*found));
    }
    for (uint32_t n = 0; n < graph_.nodes().size(); ++n) rewrite(n);
    return remove_dead_code(std::move(rewrite_).finish());
  }

 private:
  const Tensor* constant(Value value) const { return graph_.node(value).constant.get(); }

  // None where something else takes the value, or nothing is gained.
  std::optional<Smoothing> smoothing_of(Value value, const std::vector<uint32_t>& products) const {
    const bool are_all = uses_[value.node] == products.size() && graph_.node(value).types.size() == 1;
    if (!are_all || graph_.node(value).constant != nullptr) return std::nullopt;
    const Node& maker = graph_.node(value);
    if (is_integer(value) && makers_.count(value.node) == 0) return std::nullopt;
    const auto known = statistics_.find(value);
    if (known == statistics_.end()) fail("there are no statistics of {}", maker.name);
    const Channels& channels = known->second.channels;
    std::vector<ChannelWeights> weights;
    for (const uint32_t product : products) {
      const Tensor* floats = constant(graph_.nodes()[product].inputs[1]);
      if (floats == nullptr) return std::nullopt;
      weights.emplace_back(*floats, channels.count());
    }
    const double before = noise(channels, weights, {std::vector<double>(channels.count(), 1)});
    Smoothing best = balanced(channels, weights, {});
    double least = noise(channels, weights, best);
    if (makers_.count(value.node) == 0 && leave_outliers(products)) {
      const std::vector<size_t> order = by_weight(channels, weights);
      for (size_t count = 1; count <= std::min(kMostOutliers, order.size()); ++count) {
        Smoothing next = balanced(channels, weights, {order.begin(), order.begin() + static_cast<ptrdiff_t>(count)});
        const double left = noise(channels, weights, next);
        if (left > std::pow(kWorthOutlier, static_cast<double>(count - best.outliers.size())) * least) continue;
        least = left;
        best = std::move(next);
      }
    }
    if (!(least < kWorth * before)) return std::nullopt;
    return best;
  }

  // Whether channels can be left to floats: only these are made of the products' outputs.
  bool leave_outliers(const std::vector<uint32_t>& products) const {
    return std::ranges::all_of(
        products, [&](uint32_t product) { return graph_.nodes()[product].is_call("dense") && !users_.feeds(product); });
  }

  // Channels in the order of what they may add to sums, the greatest first.
  static std::vector<size_t> by_weight(const Channels& channels, const std::vector<ChannelWeights>& weights) {
    const std::vector<double> largest = largest_by_channel(weights, channels.count());
    std::vector<size_t> order(channels.count());
    std::iota(order.begin(), order.end(), size_t{0});
    std::ranges::stable_sort(order, std::greater(), [&](size_t c) { return channels.largest(c) * largest[c]; });
    return order;
  }

  // The power that leaves the least noise, without these channels.
  Smoothing balanced(const Channels& channels, const std::vector<ChannelWeights>& weights,
                     const std::vector<size_t>& outliers) const {
    const std::vector<double> of_weights = largest_by_channel(weights, channels.count());
    Smoothing best{std::vector<double>(channels.count(), 1), outliers};
    double least = noise(channels, weights, best);
    for (int i = 1; i < kPowers; ++i) {
      const double power = static_cast<double>(i) / kPowers;
      Smoothing next{{}, outliers};
      for (size_t c = 0; c < channels.count(); ++c) {
        const double most = channels.largest(c), weight = of_weights[c];
        // What is nothing stays so.
        next.factors.push_back(most > 0 && weight > 0 ? std::pow(most, power) / std::pow(weight, 1 - power) : 1);
      }
      const double left = noise(channels, weights, next);
      if (left >= least) continue;
      least = left;
      best = std::move(next);
    }
    return best;
  }

  // Whether integers are kept: what multiplies or pools them makes it, or moves, limits or adds what is made so; or a
  // function of it is computed in integers.
  bool is_integer(Value value) const {
    static constexpr std::string_view kMake[] = {
        "conv2d", "dense", "matmul", "max_pool2d", "avg_pool2d", "global_max_pool2d", "global_avg_pool2d"};
    static constexpr std::string_view kPass[] = {"relu", "clip", "reshape", "transpose", "slice", "add"};
    const Node* node = &graph_.node(value);
    while (node->op != nullptr) {
      if (std::ranges::find(kMake, node->op->name) != std::end(kMake)) return true;
      const bool is_function = options_.integer_functions && has_integer_function(node->op->name);
      if (!is_function && std::ranges::find(kPass, node->op->name) == std::end(kPass)) return false;
      node = &graph_.node(node->inputs[0]);
    }
    return false;
  }

  static std::vector<double> largest_by_channel(const std::vector<ChannelWeights>& weights, size_t channels) {
    std::vector<double> largest(channels, 0);
    for (const ChannelWeights& w : weights) {
      for (size_t c = 0; c < channels; ++c) largest[c] = std::max(largest[c], w.largest(c));
    }
    return largest;
  }

  // What rounding leaves in the sums, squared and added up: a step of s leaves s^2 / 12.
  double noise(const Channels& channels, const std::vector<ChannelWeights>& weights, const Smoothing& smoothing) const {
    std::vector<float> factors(smoothing.factors.begin(), smoothing.factors.end());
    for (const size_t channel : smoothing.outliers) factors[channel] = 0;
    double most = 0;
    for (size_t c = 0; c < factors.size(); ++c) {
      if (factors[c] > 0) most = std::max(most, channels.largest(c) / double{factors[c]});
    }
    const double step = most / static_cast<double>(integer_limit(options_.activation_bits));
    double total = 0;
    for (const ChannelWeights& w : weights) {
      double largest_of_all = 0;
      std::vector<double> largest(w.outputs());
      for (size_t o = 0; o < largest.size(); ++o) {
        largest[o] = double{w.largest_of(o, factors)};
        largest_of_all = std::max(largest_of_all, largest[o]);
      }
      for (size_t c = 0; c < factors.size(); ++c) {
        total += step * step / 12 * w.sum_of_squares(c) * double{factors[c]} * double{factors[c]};
      }
      double squares = 0;  // of what an output's group multiplies
      for (size_t o = 0; o < largest.size(); ++o) {
        const size_t first = w.first_channel(o);
        if (o == 0 || first != w.first_channel(o - 1)) {
          squares = 0;
          for (size_t c = first; c < first + w.of_group(); ++c) {
            if (factors[c] == 0) continue;
            squares +=
                channels.mean_square(c) / (double{factors[c]} * double{factors[c]}) * static_cast<double>(w.kernel());
          }
        }
        const double widest = options_.per_channel ? largest[o] : largest_of_all;
        const double of_weights = widest / static_cast<double>(integer_limit(options_.weight_bits));
        total += of_weights * of_weights * squares / 12;
      }
    }
    return total;
  }

  void rewrite(uint32_t n) {
    const Node& node = graph_.nodes()[n];
    const bool is_product = node.is_call("conv2d") || node.is_call("dense");
    if (!is_product) {
      rewrite_.copy(n);
    } else {
      rewrite_product(n);
    }
    const auto smoothed = smoothings_.find({n, 0});
    if (smoothed == smoothings_.end() || makers_.count(n) != 0) return;
    Graph& to = rewrite_.graph();
    Tensor inverse(kFloat32, {static_cast<int64_t>(smoothed->second.factors.size())});
    for (int64_t c = 0; c < inverse.size(); ++c)
      inverse.set_number(c, 1 / smoothed->second.factors[static_cast<size_t>(c)]);
    for (const size_t channel : smoothed->second.outliers) inverse.set_number(static_cast<int64_t>(channel), 0);
    const size_t rank = node.types[0].shape.size();
    Tensor::Shape shape = {inverse.size()};
    shape.insert(shape.end(), rank - 1 - channel_axis(rank), 1);
    const Value factors = to.constant(std::move(inverse).reshaped(std::move(shape)), node.name + ".factors");
    smoothed_[{n, 0}] = to.call("multiply", {rewrite_.at({n, 0}), factors}, {}, node.name + ".smooth");
  }

  void rewrite_product(uint32_t n) {
    const Node& node = graph_.nodes()[n];
    const auto found = smoothings_.find(node.inputs[0]);
    const Smoothing* in = found == smoothings_.end() ? nullptr : &found->second;
    const Smoothing* out = smoothing_of_outputs(n);
    if (in == nullptr && out == nullptr) return rewrite_.copy(n);
    Graph& to = rewrite_.graph();
    const auto smoothed = smoothed_.find(node.inputs[0]);
    std::vector<Value> inputs = {smoothed == smoothed_.end() ? rewrite_.at(node.inputs[0]) : smoothed->second};
    Tensor weights = *constant(node.inputs[1]);
    const size_t channels = in == nullptr ? static_cast<size_t>(weights.extent(1)) : in->factors.size();
    const auto values = weights.values<float>();
    ChannelWeights(weights, channels).each([&](size_t output, size_t channel, size_t element) {
      double factor = in == nullptr ? 1 : in->is_outlier(channel) ? 0 : in->factors[channel];
      if (out != nullptr) factor /= out->factors.at(output);
      float& value = values[element];
      value = static_cast<float>(double{value} * factor);
    });
    inputs.push_back(to.constant(std::move(weights), graph_.node(node.inputs[1]).name));
    if (node.inputs.size() > 2) {
      Tensor bias = *constant(node.inputs[2]);
      for (int64_t o = 0; o < bias.size() && out != nullptr; ++o) {
        bias.set_number(o, bias.number(o) / out->factors.at(static_cast<size_t>(o)));
      }
      inputs.push_back(to.constant(std::move(bias), graph_.node(node.inputs[2]).name));
    }
    Value result = to.call(*node.op, std::move(inputs), node.attributes, node.name);
    if (in != nullptr) {
      for (const size_t channel : in->outliers) result = with_outlier(result, node, static_cast<int64_t>(channel));
    }
    rewrite_.replace(n, {result});
  }

  // What a channel adds to the outputs of a dense layer, element by element in floats.
  Value with_outlier(Value sums, const Node& dense, int64_t channel) {
    Graph& to = rewrite_.graph();
    const std::string name = fmt::format("{}.outlier{}", dense.name, channel);
    const Value x = rewrite_.at(dense.inputs[0]);
    ops::Integers begin(to.type(x).shape.size(), 0), end(to.type(x).shape.begin(), to.type(x).shape.end());
    begin.back() = channel;
    end.back() = channel + 1;
    const Value column = to.call("slice", {x}, {{"begin", begin}, {"end", end}}, name);
    const Tensor& weights = *constant(dense.inputs[1]);
    Tensor row(kFloat32, {weights.extent(0)});
    for (int64_t o = 0; o < row.size(); ++o) row.set_number(o, weights.at({o, channel}));
    const Value products =
        to.call("multiply", {column, to.constant(std::move(row), name + ".weights")}, {}, name + ".products");
    return to.call("add", {sums, products}, {}, name + ".sum");
  }

  // Those that a product's outputs are divided by.
  const Smoothing* smoothing_of_outputs(uint32_t product) const {
    for (const auto& [tail, maker] : makers_) {
      if (maker != product) continue;
      const auto found = smoothings_.find({tail, 0});
      return found == smoothings_.end() ? nullptr : &found->second;
    }
    return nullptr;
  }

  static constexpr int kPowers = 8;             // that are tried, one less
  static constexpr double kWorth = 0.9;         // a little less noise is not worth another step
  static constexpr double kWorthOutlier = 0.7;  // for each channel that floats take
  static constexpr size_t kMostOutliers = 4;

  const Graph& graph_;
  const Statistics& statistics_;
  const QuantizeOptions& options_;
  std::vector<uint32_t> uses_;
  IntegerUsers users_;
  std::map<Value, std::vector<uint32_t>> takers_;  // products, by what they take
  std::map<uint32_t, uint32_t> makers_;            // products, by the last node of what can be scaled with them
  std::map<Value, Smoothing> smoothings_;
  std::map<Value, Value> smoothed_;  // of the new graph
  Rewrite rewrite_;
};

}  // namespace

Graph smooth_channels(const Graph& graph, const Statistics& statistics, const QuantizeOptions& options) {
  return Smoother(graph, statistics, options).run();
}

}  // namespace vantage::graph
