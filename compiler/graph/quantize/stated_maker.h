// What floats of a quantized file become in integers: products, sums, means and everything that only moves or limits
// values, up to the rounding that says their scale.
//
// Thread safety: one thread at a time.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "compiler/graph/quantize/quantize.h"
#include "compiler/graph/quantize/requantize.h"
#include "compiler/graph/quantize/stated_product.h"
#include "compiler/graph/quantize/stated_values.h"

namespace vantage::graph {

// What a value is to become: int8 by this scale, within limits.
struct StatedTarget {
  StatedOutput output;
  int64_t least, greatest;

  // The same of values within other limits, which are floats.
  StatedTarget within(double low, double high) const;
  bool cuts() const;
};

class StatedMaker {
 public:
  // Makes nodes in values.to(). `graph`, `options` and `values` must outlive it.
  StatedMaker(const Graph& graph, const QuantizeOptions& options, StatedValues& values)
      : graph_(graph), options_(options), values_(values), to_(values.to()) {}

  // A float value as the target says; none: of that nothing knows how.
  std::optional<Value> make(Value v, const StatedTarget& t, const std::string& name);

  // Of the product that was made since this was 0.
  double weight_scale() const { return weight_scale_; }
  void forget_weights() { weight_scale_ = 0; }
  // Why products stay, by node.
  const std::map<uint32_t, std::string>& reasons() const { return reasons_; }

 private:
  using Target = StatedTarget;
  using MakeSums = std::function<Value(const std::vector<int64_t>& bias)>;

  std::string& reason_of(Value v);
  // Sums of these scales and bias to the target's integers. `most`: how large each may be.
  std::optional<Value> finish(SumsRange range, const std::vector<double>& bias, const std::optional<Int8>& addend,
                              const Target& t, const std::string& name, std::string& reason, const MakeSums& sums);
  // Sums of one activation, so much finer than its integers that what is added to them says zero points and halves.
  std::optional<Value> finish(const Int8& x, const std::optional<Int8>& addend, const Target& t,
                              const std::string& name);
  Value plus(Value sums, int64_t number, const std::string& name);
  std::optional<Value> rescaled(const Int8& x, const Target& t, const std::string& name);
  std::optional<Value> joined(const Node& node, const Target& t, const std::string& name);
  // The sum of two integers, or of a product and one.
  std::optional<Value> added(const Node& node, const Target& t, const std::string& name);
  std::optional<Value> made(const StatedProduct& product, const std::optional<Int8>& addend, const Target& t,
                            const std::string& name);
  // The mean of each channel's pixels.
  std::optional<Value> mean(const Node& node, const Target& t, const std::string& name);
  // The means of windows: each channel by a kernel of the same weights. Not where windows have fewer pixels at the
  // edges.
  std::optional<Value> means(const Node& node, const Target& t, const std::string& name);
  // A product of two values that are both known only when the network runs.
  std::optional<Value> product_of_two(Value v, const Target& t, const std::string& name);

  const Graph& graph_;
  const QuantizeOptions& options_;
  StatedValues& values_;
  Graph& to_;
  std::map<uint32_t, std::string> reasons_;
  std::string no_reason_;
  double weight_scale_ = 0;
};

}  // namespace vantage::graph
