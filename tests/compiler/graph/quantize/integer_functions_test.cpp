#include "compiler/graph/quantize/integer_functions.h"

#include <cmath>
#include <numeric>

#include "compiler/graph/evaluate.h"
#include "tests/catch.h"

namespace vantage::test::graph_integer_functions_test {

using namespace vantage;
using namespace vantage::graph;

namespace {

double exact(std::string_view op, double x) {
  if (op == "gelu") return x / 2 * (1 + std::erf(x / std::sqrt(2.0)));
  if (op == "gelu_tanh") return x / 2 * (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
  if (op == "silu") return x / (1 + std::exp(-x));
  if (op == "sigmoid") return 1 / (1 + std::exp(-x));
  return std::tanh(x);
}

// Of a function whose inputs reach `most` and whose outputs fill 127 steps.
struct Scales {
  double from, to;
};
Scales scales_of(std::string_view op, double most) {
  return {most / 127, std::max(exact(op, most), std::abs(exact(op, -most))) / 127};
}

}  // namespace

TEST_CASE("integer functions come as near as they say, for every input", "[unit]") {
  // Steps of the output off the rounded function, at the most, for inputs that reach so far.
  struct Case {
    const char* op;
    double most, steps;
  };
  const Case cases[] = {
      {"gelu", 0.5, 1},   {"gelu", 1, 1},  {"gelu", 2, 1},      {"gelu", 4, 1},      {"gelu", 8, 1},
      {"gelu", 20, 1},    {"gelu", 60, 1}, {"gelu_tanh", 1, 1}, {"gelu_tanh", 6, 1}, {"silu", 1, 1},
      {"silu", 4, 1},     {"silu", 12, 1}, {"silu", 40, 1},     {"sigmoid", 2, 1},   {"sigmoid", 6, 1},
      {"sigmoid", 12, 1}, {"tanh", 1, 2},  {"tanh", 3, 2},      {"tanh", 8, 2},
  };
  for (const auto& [op, most, steps] : cases) {
    const Scales scales = scales_of(op, most);
    const auto f = integer_function(op, scales.from, scales.to);
    INFO(op << " of up to " << most);
    REQUIRE(f);
    CHECK(f->worst <= steps);
    double worst = 0;
    for (int x = -128; x < 128; ++x) {
      const double wanted = std::clamp(std::nearbyint(exact(op, scales.from * x) / scales.to), -127.0, 127.0);
      worst = std::max(worst, std::abs(static_cast<double>((*f)(x)) - wanted));
    }
    // Where the function lies between two steps floats may round it either way.
    CHECK(std::abs(worst - f->worst) <= 1);
    CHECK(worst <= steps);
  }
}

TEST_CASE("an integer function as nodes is what it is as numbers", "[unit]") {
  Tensor all(kInt8, {256});
  for (int64_t x = -128; x < 128; ++x) all.set_integer(x + 128, x);
  for (const char* op : {"gelu", "gelu_tanh", "silu", "sigmoid", "tanh"}) {
    for (const int64_t limit : {int64_t{127}, int64_t{7}}) {
      const Scales scales = scales_of(op, 5);
      const auto f = integer_function(op, scales.from, scales.to * 127 / static_cast<double>(limit), limit);
      REQUIRE(f);
      Graph g("function");
      g.set_outputs({append(g, *f, g.input("x", {kInt8, {256}}), "y")});
      const Tensor got = evaluate(g, {{"x", all}})[0];
      for (int64_t x = -128; x < 128; ++x) CHECK(got.integer(x + 128) == (*f)(x));
    }
  }
}

TEST_CASE("where no integers come near a function there is none", "[unit]") {
  CHECK(!has_integer_function("erf"));
  // Outputs in so small steps that the form itself is off by more of them.
  CHECK(!integer_function("gelu", 3.0 / 127, 1e-4));
  CHECK(!integer_function("sigmoid", 1e-9, 1.0 / 127));
}

}  // namespace vantage::test::graph_integer_functions_test
