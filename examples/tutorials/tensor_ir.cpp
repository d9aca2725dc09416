// The tensor IR by hand: a function written as text, verified, interpreted, and transformed step by step.
// docs/tutorials/tensor_ir.md explains each step.
#include <fmt/format.h>

#include "base/error.h"
#include "base/tensor/compare.h"
#include "compiler/backend/cpu/lower.h"
#include "compiler/compiler.h"
#include "examples/support/run_program.h"

using namespace vantage;

namespace {

// y = max(A . x + b, 0)
constexpr const char* kDense = R"(@T.prim_func
def dense(A: T.Buffer((64, 32), "float32"), x: T.Buffer((32,), "float32"), b: T.Buffer((64,), "float32"), y: T.Buffer((64,), "float32")):
    s = T.alloc_buffer((64,), "float32")
    for i, k in T.grid(64, 32):
        with T.block("s"):
            vi = T.axis.spatial(64, i)
            vk = T.axis.reduce(32, k)
            T.reads(A[vi, vk], x[vk])
            T.writes(s[vi])
            with T.init():
                s[vi] = T.float32(0)
            s[vi] = s[vi] + A[vi, vk] * x[vk]
    for j in range(64):
        with T.block("y"):
            vj = T.axis.spatial(64, j)
            T.reads(s[vj], b[vj])
            T.writes(y[vj])
            y[vj] = T.max(s[vj] + b[vj], T.float32(0))
)";

// What is wrong with a text: in its form, or in what it does.
void show_refused(std::string text, const std::string& from, const std::string& to) {
  text.replace(text.find(from), from.size(), to);
  try {
    require_valid(ir::parse_function(text, "dense.py"));
  } catch (const Error& error) {
    fmt::print("With '{}': {}\n", to, error.what());
  }
}

// Prints a step, and runs it beside the function that was written.
class Steps {
 public:
  explicit Steps(const ir::PrimFunc& function)
      : inputs_(examples::random_tensors(function, -8, 8)), expected_(examples::interpreted(function, inputs_)) {}

  void show(const std::string& step, const ir::PrimFunc& function) const {
    const auto got = examples::interpreted(function, inputs_);
    if (const auto difference = vantage::difference(expected_.at("y"), got.at("y"))) fail("{}: {}", step, *difference);
    fmt::print("{}:\n{}The interpreter gets the same from it.\n\n", step, to_text(function));
  }

 private:
  // Whole numbers, so that no order of a sum rounds.
  examples::Tensors inputs_, expected_;
};

}  // namespace

int main() try {
  const ir::PrimFunc function = ir::parse_function(kDense, "dense.py");
  require_valid(function);
  const Steps steps(function);
  fmt::print("As it is written:\n{}\n", to_text(function));

  show_refused(kDense, "A[vi, vk] * x[vk]", "A[vi, vk] * z[vk]");
  show_refused(kDense, "A[vi, vk] * x[vk]", "A[vi, vk + 1] * x[vk]");
  show_refused(kDense, "vk = T.axis.reduce(32, k)", "vk = T.axis.spatial(32, k)");
  fmt::print("\n");

  schedule::Schedule s(function);
  const auto sums = s.get_block("s");
  const auto loops = s.get_loops(sums);  // i k
  const auto rows = s.split_by_factor(loops[0], 16);
  steps.show("Rows split by 16", s.function());
  s.reorder({rows[0], loops[1], rows[1]});
  steps.show("The sum outside of 16 rows", s.function());
  s.reverse_compute_at(s.get_block("y"), rows[0]);
  steps.show("Results as soon as their sums are there", s.function());
  s.decompose_reduction(sums, loops[1]);
  steps.show("Initial values in front of the sum", s.function());
  s.set_scope(sums, "local");
  s.vectorize(rows[1]);
  s.parallel(rows[0]);
  steps.show("Sums in registers, rows in lanes and on threads", s.function());

  const ir::PrimFunc lowered = cpu::lower(s.function());
  steps.show("Lowered for a processor, without blocks", lowered);
  return 0;
} catch (const Error& error) {
  fmt::print(stderr, "error: {}\n", error.what());
  return 1;
}
