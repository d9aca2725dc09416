// What a kernel's text does is what its function says: run as C++ on a processor, and taken by NVIDIA's compiler for
// several generations of GPUs.
#include "compiler/backend/cuda/split_kernels.h"
#include "compiler/ir/printer.h"
#include "tests/catch.h"
#include "tests/compiler/backend/cuda/on_processor.h"
#include "tests/compiler/backend/cuda/random_threads.h"
#include "tests/driver/cuda/on_gpu.h"
#include "tests/support/effort.h"

namespace vantage::test::compiler_backend_cuda_codegen_property_test {

using namespace vantage;

TEST_CASE("kernels' text computes what random schedules say", "[property]") {
  std::mt19937_64 random(Catch::rngSeed());
  const auto nvrtc = test::nvrtc_if_here();
  // Many are compiled at once.
  constexpr int kBatch = 20;
  int held = 0, kernels = 0, vectors = 0, barriers = 0, asynchronous = 0;
  for (int first = 0; first < test::rounds(kBatch); first += kBatch) {
    std::vector<test::ThreadedCase> cases;
    std::vector<cuda::Module> modules;
    for (int i = first; i < first + kBatch; ++i) {
      auto one = test::random_threaded_case(random, fmt::format("f{}", i));
      if (!one) continue;
      INFO(ir::to_text(one->lowered));
      modules.push_back(cuda::split_kernels(one->lowered));
      cases.push_back(std::move(*one));
    }
    held += static_cast<int>(cases.size());
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
      asynchronous += text.find("vt::copy_async<") != std::string::npos ? 1 : 0;
    }
    if (nvrtc == nullptr) continue;
    const std::string source = test::source_of(modules);
    for (const char* architecture : {"sm_75", "sm_80", "sm_90a"}) {
      CHECK(test::complaint(*nvrtc, source, architecture) == "");
    }
  }
  WARN(held << " of " << test::rounds(kBatch) << " schedules hold: " << kernels << " with threads, " << vectors
            << " with vectors, " << barriers << " with barriers, " << asynchronous
            << " with copies beside the threads");
  CHECK(kernels >= kBatch / 5);
  CHECK(vectors >= test::rounds(kBatch) / 200);  // few have some
  CHECK(barriers >= 1);
  CHECK(asynchronous >= test::rounds(kBatch) / 500);
}

}  // namespace vantage::test::compiler_backend_cuda_codegen_property_test
