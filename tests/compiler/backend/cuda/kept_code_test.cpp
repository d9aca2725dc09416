// Machine code that is kept: made once.
#include "compiler/backend/cuda/kept_code.h"

#include "base/error.h"
#include "tests/catch.h"
#include "tests/support/temporary.h"

namespace vantage::test::compiler_backend_cuda_kept_code_test {

using namespace vantage;

namespace {

// Counts what it is asked for.
class CountingNvrtc final : public cuda::Nvrtc {
 public:
  explicit CountingNvrtc(std::string version = "13.0") : version_(std::move(version)) {}

  std::string version() const override { return version_; }
  std::vector<std::string> architectures() const override { return {"sm_80"}; }
  cuda::GpuCode compile(const std::string& source, const std::string&,
                        const cuda::CompileOptions& options) const override {
    ++count;
    if (source == "wrong") throw ToolError("NVRTC 13.0: wrong", "line 1");
    return {"ptx of " + source,
            std::string("cubin\0\n{", 8) + options.architecture,
            {{"k", 32, 0, 4, 8, 1024}},
            {"something is serialized"}};
  }

  mutable int count = 0;

 private:
  const std::string version_;
};

void check_same(const cuda::GpuCode& a, const cuda::GpuCode& b) {
  CHECK(a.ptx == b.ptx);
  CHECK(a.cubin == b.cubin);
  CHECK(a.losses == b.losses);
  REQUIRE(a.kernels.size() == b.kernels.size());
  for (size_t i = 0; i < a.kernels.size(); ++i) {
    CHECK(a.kernels[i].name == b.kernels[i].name);
    CHECK(a.kernels[i].registers == b.kernels[i].registers);
    CHECK(a.kernels[i].stack_bytes == b.kernels[i].stack_bytes);
    CHECK(a.kernels[i].spill_store_bytes == b.kernels[i].spill_store_bytes);
    CHECK(a.kernels[i].spill_load_bytes == b.kernels[i].spill_load_bytes);
    CHECK(a.kernels[i].shared_bytes == b.kernels[i].shared_bytes);
  }
}

}  // namespace

TEST_CASE("kernels are compiled once for each source, architecture, option and version", "[unit]") {
  const test::TemporaryFolder folder;
  const auto counting = std::make_shared<CountingNvrtc>();
  const auto nvrtc = cuda::keeping_code(counting, folder.path() / "gpu-code");
  const cuda::GpuCode made = nvrtc->compile("a", "a", {.architecture = "sm_80"});
  CHECK(counting->count == 1);
  check_same(nvrtc->compile("a", "another name", {.architecture = "sm_80"}), made);
  CHECK(counting->count == 1);
  nvrtc->compile("b", "a", {.architecture = "sm_80"});
  nvrtc->compile("a", "a", {.architecture = "sm_90a"});
  CHECK(counting->count == 3);
  const auto newer = std::make_shared<CountingNvrtc>("13.1");
  cuda::keeping_code(newer, folder.path() / "gpu-code")->compile("a", "a", {.architecture = "sm_80"});
  CHECK(newer->count == 1);
  // Errors are not kept.
  for (int i = 0; i < 2; ++i) CHECK_THROWS_AS(nvrtc->compile("wrong", "a", {}), ToolError);
  CHECK(counting->count == 5);
}

}  // namespace vantage::test::compiler_backend_cuda_kept_code_test
