// Activation functions of integers in integers, by what the ALU of an accelerator has: products, sums, shifts, and the
// lesser and the greater of two.
//
// All of them are a line and a tail, which are made of u = |x|:
//
//   gelu(x)    = max(x, 0) - u * tail(u)               silu likewise
//   sigmoid(x) = 1/2 + sign(x) * (1/2 - tail(u))       tanh likewise, about 0
//
// and of a tail, the share of a distribution beyond u, a clipped line's power says nearly all:
//
//   tail(u) = height * max(1 - u / reach, 0) ^ power   power: 4 or 8
//
// Polynomials of a clipped |x| for functions of transformers are I-BERT's (Kim et al. 2021, whose erf is such a
// square); this form, and heights and reaches that make the worst error least, were found for this project.
//
// Thread safety: functions without state.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "compiler/graph/graph.h"

namespace vantage::graph {

// gelu, gelu_tanh, silu, sigmoid and tanh.
bool has_integer_function(std::string_view op);

// What an integer function computes with; all numbers fit 16 bits, and no value needs more than 32.
struct IntegerFunction {
  bool is_step = false;         // sigmoid and tanh
  int64_t slope = 0, from = 0;  // the clipped line: from - slope * |x|
  std::vector<int> shifts;      // behind each of its squares
  int64_t gain = 0;             // of x, or the height of the step
  int64_t offset = 0;           // of a step's middle, and what rounds
  int shift = 0;                // from there to steps of the output
  int64_t limit = 127;

  double worst = 0;  // of all inputs, steps of the output between what it gives and the function rounded

  int64_t operator()(int64_t x) const;
};

// For inputs of -128 to 127 steps of `from` and outputs of up to `limit` steps of `to` to either side. None where it
// comes nowhere near the function: more than 2 steps off. REQUIRES: has_integer_function(op).
std::optional<IntegerFunction> integer_function(std::string_view op, double from, double to, int64_t limit = 127);

// int8, from int8, which becomes int32 on the way. Nodes are called by `name` and a dot, the last one by the name
// alone.
Value append(Graph& graph, const IntegerFunction& function, Value x, const std::string& name);

}  // namespace vantage::graph
