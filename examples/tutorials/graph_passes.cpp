// Passes over a network: constants folded, common calls made one, operators fused; a pass of one's own; and an observer
// that says what each of them did. docs/tutorials/graph_passes.md explains each step. What is printed is compared with
// the CHECK lines by LLVM's FileCheck.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <random>

#include "base/error.h"
#include "base/tensor/compare.h"
#include "base/tensor/random.h"
#include "compiler/graph/evaluate.h"
#include "compiler/graph/passes/eliminate_common.h"
#include "compiler/graph/passes/fold_constants.h"
#include "compiler/graph/passes/fuse.h"
#include "compiler/graph/passes/pass_list.h"
#include "compiler/graph/passes/remove_dead_code.h"
#include "compiler/graph/rewrite.h"
#include "compiler/graph/text.h"

using namespace vantage;
using namespace vantage::graph;

namespace {

Tensor random_numbers(Tensor::Shape shape, uint64_t seed) {
  std::mt19937_64 random(seed);
  Tensor tensor(kFloat32, std::move(shape));
  fill(tensor, random, -2, 2);
  return tensor;
}

// A convolution, a sum of constants, and two sums that are the same.
Graph example() {
  Graph g("example");
  const Value x = g.input("x", {kFloat32, {1, 8, 10, 10}});
  const Value weight = g.constant(random_numbers({8, 8, 3, 3}, 1), "weight");
  const Value c = g.constant(random_numbers({8, 1, 1}, 2), "c");
  const Value conv = g.call("conv2d", {x, weight}, {}, "conv");
  const Value doubled = g.call("add", {c, c}, {}, "doubled");
  const Value first = g.call("add", {conv, doubled}, {}, "first");
  const Value second = g.call("add", {conv, doubled}, {}, "second");
  g.set_outputs({g.call("relu", {g.call("multiply", {first, second})})});
  return g;
}

void show(std::string_view what, const Graph& graph) {
  fmt::print("{}:\n{}\n", what, to_text(graph));
}

// A pass of one's own: a value times itself becomes its second power.
Graph squares_as_powers(Graph graph) {
  Rewrite rewrite(graph);
  for (uint32_t n = 0; n < graph.nodes().size(); ++n) {
    const Node& node = graph.nodes()[n];
    const bool is_square = node.is_call("multiply") && node.inputs[0] == node.inputs[1];
    if (!is_square || !node.types[0].dtype.is_float()) {
      rewrite.copy(n);
      continue;
    }
    Tensor two(node.types[0].dtype, {1});
    two.set_number(0, 2);
    const Value exponent = rewrite.graph().constant(std::move(two), "two");
    rewrite.replace(n, {rewrite.graph().call("power", {rewrite.at(node.inputs[0]), exponent}, {}, node.name)});
  }
  return std::move(rewrite).finish();
}

// The list with a clock around each pass. Times go to standard error: they are never the same twice.
std::vector<GraphPass> timed(std::vector<GraphPass> passes) {
  for (GraphPass& pass : passes) {
    pass.run = [run = pass.run, name = pass.name](Graph graph) {
      const auto begin = std::chrono::steady_clock::now();
      Graph result = run(std::move(graph));
      const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - begin;
      fmt::print(stderr, "{:<32} {:8.1f} us\n", name, took.count());
      return result;
    };
  }
  return passes;
}

}  // namespace

int main() {
  const Graph before = example();
  show("Before", before);
  // CHECK-LABEL: Before:
  // CHECK: [[C:%[a-z]+]] = constant float32[8, 1, 1]
  // CHECK: [[CONV:%[a-z]+]] = conv2d(%x, {{.*}}) : float32[1, 8, 8, 8]
  // CHECK-NEXT: add([[C]], [[C]])
  // CHECK-COUNT-2: add([[CONV]], {{.*}})

  const Graph folded = fold_constants(before);
  show("Constants folded", folded);
  // CHECK-LABEL: Constants folded:
  // CHECK: [[CONV]] = conv2d(
  // CHECK-NEXT: [[SUM:%[a-z]+]] = constant float32[8, 1, 1]
  // CHECK-NEXT: add([[CONV]], [[SUM]])
  // CHECK-NEXT: add([[CONV]], [[SUM]])
  const Graph common = remove_dead_code(eliminate_common_subexpressions(folded));
  show("Common calls made one, and what nobody needs dropped", common);
  // CHECK-LABEL: Common calls made one
  // CHECK-NOT: [[C]] = constant
  // CHECK: [[FIRST:%[a-z]+]] = add([[CONV]], [[SUM]])
  // CHECK-NEXT: multiply([[FIRST]], [[FIRST]])
  show("Fused", fuse_operators(common));
  // CHECK-LABEL: Fused:
  // CHECK: graph [[FUSED:[a-z0-9_]+]](
  // CHECK-NEXT: conv2d(
  // CHECK-NEXT: add(
  // CHECK-NEXT: multiply(
  // CHECK-NEXT: relu(
  // CHECK: graph example(
  // CHECK: @[[FUSED]](%x, %weight, [[SUM]])
  // CHECK-NOT: conv2d(

  std::vector<GraphPass> passes = simplifying_passes();
  passes.push_back({"squares_as_powers", "values times themselves as powers", squares_as_powers});
  passes.push_back({"fuse_operators", "what can be computed together as functions",
                    [](Graph graph) { return fuse_operators(std::move(graph)); }});
  fmt::print("All passes, with one of our own:\n");
  const Graph after = passes::run_passes(before, timed(passes), [](const passes::Step& step) {
    const std::string text = step.text();
    fmt::print("{:<32} {:>2} lines   {}\n", step.name, std::count(text.begin(), text.end(), '\n'), step.meaning);
  });
  show("\nAfter them", after);
  // CHECK-LABEL: All passes
  // CHECK: squares_as_powers
  // CHECK-NEXT: fuse_operators
  // CHECK-LABEL: After them:
  // CHECK-NOT: multiply(
  // CHECK: = power({{.*}})

  const Inputs inputs = {{"x", random_numbers({1, 8, 10, 10}, 3)}};
  const auto difference = vantage::difference(evaluate(before, inputs)[0], evaluate(after, inputs)[0]);
  if (difference) fail("the passes changed the result: {}", *difference);
  fmt::print("Plain loops get the same before and after.\n");
  return 0;
}
