// What a kernel's text does is what its function says: run as C++ on a processor, and taken by NVIDIA's compiler for
// several generations of GPUs.
#include "base/error.h"
#include "compiler/backend/cuda/lower.h"
#include "compiler/backend/cuda/split_kernels.h"
#include "compiler/ir/printer.h"
#include "tests/catch.h"
#include "tests/compiler/backend/cuda/on_processor.h"
#include "tests/compiler/backend/cuda/random_threads.h"
#include "tests/compiler/schedule/random_schedule.h"
#include "tests/compiler/schedule/random_te.h"
#include "tests/driver/cuda/on_gpu.h"
#include "tests/support/effort.h"

namespace vantage::test::compiler_backend_cuda_codegen_property_test {

using namespace vantage;
using namespace vantage::schedule;

namespace {

// A scheduled function, and what it makes of random arrays.
struct Case {
  ir::PrimFunc original, lowered;
  std::vector<Tensor> arrays, expected;
};

// Null where the schedule means nothing on a GPU.
std::optional<Case> random_case(std::mt19937_64& random, test::Tally& tally, int number) {
  Case result;
  result.original = test::random_te_function(random);
  result.original.name = fmt::format("f{}", number);
  result.arrays = test::random_arrays(result.original, random);
  ir::InterpreterOptions serial;
  serial.threads = false;
  result.expected = test::run(result.original, result.arrays, serial);
  Schedule s(result.original);
  for (int i = 0; i < 3; ++i) test::random_step(s, random, tally);
  test::take_random_threads(s, random);
  for (int i = 0; i < 3; ++i) test::random_step(s, random, tally);
  try {
    result.lowered = cuda::lower(s.function());
  } catch (const Error&) {
    return std::nullopt;
  }
  return result;
}

}  // namespace

TEST_CASE("kernels' text computes what random schedules say", "[property]") {
  std::mt19937_64 random(Catch::rngSeed());
  test::Tally tally;
  const auto nvrtc = test::nvrtc_if_here();
  // Many are compiled at once.
  constexpr int kBatch = 50;
  int kernels = 0, vectors = 0, barriers = 0;
  for (int first = 0; first < test::rounds(50); first += kBatch) {
    std::vector<Case> cases;
    std::vector<cuda::Module> modules;
    for (int i = first; i < first + kBatch; ++i) {
      auto one = random_case(random, tally, i);
      if (!one) continue;
      INFO("case " << i << "\n" << ir::to_text(one->lowered));
      modules.push_back(cuda::split_kernels(one->lowered));
      cases.push_back(std::move(*one));
    }
    const test::OnProcessor processor(modules);
    const test::OnGpu gpu(modules);
    for (size_t i = 0; i < cases.size(); ++i) {
      const std::string text = test::source_of({modules[i]});
      INFO(ir::to_text(cases[i].lowered) << text);
      REQUIRE(test::first_difference(cases[i].original, cases[i].expected, processor.run(i, cases[i].arrays)) == "");
      if (const auto got = gpu.run(i, cases[i].arrays)) {
        REQUIRE(test::first_difference(cases[i].original, cases[i].expected, *got) == "");
      }
      kernels += text.find("threadIdx") != std::string::npos ? 1 : 0;
      vectors += text.find("vt::load<") != std::string::npos ? 1 : 0;
      barriers += text.find("__syncthreads") != std::string::npos ? 1 : 0;
    }
    if (nvrtc == nullptr) continue;
    const std::string source = test::source_of(modules);
    for (const char* architecture : {"sm_75", "sm_80", "sm_90a"}) {
      CHECK(test::complaint(*nvrtc, source, architecture) == "");
    }
  }
  INFO(kernels << " with threads, " << vectors << " with vectors, " << barriers << " with barriers");
  CHECK(kernels >= 10);
  CHECK(vectors >= test::rounds(50) / 200);  // few have some
  CHECK(barriers >= 1);
}

}  // namespace vantage::test::compiler_backend_cuda_codegen_property_test
