// A network of integers in the making: which values of the float network are integers there, and which are floats.
//
// Thread safety: none.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "compiler/graph/quantize/quantize.h"
#include "compiler/graph/quantize/requantize.h"
#include "compiler/graph/quantize/weights.h"

namespace vantage::graph {

class IntegerValues {
 public:
  // REQUIRES: all of these outlive this.
  IntegerValues(const Graph& graph, const Statistics& statistics, const QuantizeOptions& options)
      : graph_(graph), statistics_(statistics), options_(options), to_(graph.name()), floats_(graph.nodes().size()) {}

  struct Integer {
    Value value;
    double scale;
  };

  // The graph that is made.
  Graph& to() { return to_; }
  int64_t limit() const;
  // Of a value of the float graph. Throws Error for one without.
  const ValueStatistics& statistics(Value before) const;
  double scale_of(Value before) const;

  // A value's integers of one scale, if there are some.
  std::optional<Integer> integers(Value before) const;
  // Those, or what its floats are rounded to.
  Integer as_integer(Value before);
  Value as_float(Value before);
  // The integers of a value of the float graph are these.
  void set(Value before, Value value, double scale, const IntegerWeights* weights = nullptr) {
    set(before, value, std::vector{scale}, weights);
  }
  // Each channel's of a scale of its own: only floats can be made of them.
  void set(Value before, Value value, std::vector<double> scales, const IntegerWeights* weights = nullptr);

  // The node on floats, as it is.
  void copy(uint32_t node);

  // From int32 sums, whose bias is there, to integers of this scale within these limits, which are floats.
  Value finish(Value sums, const Requantization& r, const std::optional<Integer>& addend, double scale, double min,
               double max, const std::string& name);

  QuantizedGraph finish(std::vector<Value> outputs) &&;

 private:
  struct Integers {
    Value value;
    std::vector<double> scales;  // one, or one for each channel
  };

  const Graph& graph_;
  const Statistics& statistics_;
  const QuantizeOptions& options_;
  Graph to_;
  std::map<Value, Integers> integers_;      // by value of the float graph
  std::vector<std::vector<Value>> floats_;  // by node of the float graph: its outputs, where there are floats
  std::vector<QuantizedValue> values_;
};

}  // namespace vantage::graph
