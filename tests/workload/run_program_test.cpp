#include "workload/run_program.h"

#include "compiler/backend/vta/lower.h"
#include "compiler/ops/elementwise/search.h"
#include "driver/open/open.h"
#include "tests/catch.h"

namespace vantage::test::workload_run_program_test {

using namespace vantage;
using namespace vantage::workload;

TEST_CASE("a program runs on the bytes of its tensors, by name", "[unit]") {
  const auto config = isa::Config::vta_default();
  const ops::Elementwise layer = ops::combination(16, isa::AluOp::kAdd, std::nullopt, 0, -128, 127);
  const Program program = vta::compile(
      ops::schedule_elementwise(layer, ops::search_elementwise(layer, config).tiling, config).function(), config);
  const auto device = driver::open_accelerator("fsim:", config);
  std::vector<std::byte> a(16), b(16), large(17);
  for (size_t i = 0; i < 16; ++i) a[i] = static_cast<std::byte>(i), b[i] = static_cast<std::byte>(2 * i);
  const auto run = run_program(*device, program, "sum", {{"A", a}, {"B", b}}, {"recorded", {}});
  CHECK(run.result.ok());
  CHECK(run.outputs.size() == 1);
  for (size_t i = 0; i < 16; ++i) CHECK(run.outputs.at("C")[i] == static_cast<std::byte>(3 * i));
  CHECK(run.bundle.value().name == "recorded");
  // What is not given is zero.
  const auto half = run_program(*device, program, "sum", {{"A", a}});
  CHECK(half.outputs.at("C") == a);
  CHECK_FALSE(half.bundle);
  CHECK(ERROR_OF(run_program(*device, program, "sum", {{"A", large}})) ==
        "sum: 17 bytes are given for the tensor A, which has 16");
  CHECK(ERROR_OF(run_program(*device, program, "sum", {{"X", a}})) == "sum: the program has no tensor X");
}

}  // namespace vantage::test::workload_run_program_test
