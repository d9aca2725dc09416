// Commands where there is a GPU, from the text of a kernel to what is printed: the libraries that stand in for NVIDIA's
// lie in one folder, by the names of NVIDIA's.
#include <cstdlib>

#include "base/json.h"
#include "base/temporary.h"
#include "base/tensor/compare.h"
#include "base/tensor/npy.h"
#include "tests/catch.h"
#include "tests/support/cli.h"
#include "tests/support/variable.h"

namespace vantage::test::cli_gpu_commands_test {

using namespace vantage;

namespace {

// While this lives commands find a GPU of this capability. What one of them compiled the next one finds as well.
struct GpuForCommands {
  explicit GpuForCommands(const std::string& capability = "80") : capability_("STAND_IN_CAPABILITY", capability) {}
  std::string file(const char* name) const { return folder_.path() / name; }

 private:
  static std::string cache() {
    static const TemporaryDirectory folder;
    return folder.path();
  }

  static std::string sanitizer_options() {
    const char* given = std::getenv("ASAN_OPTIONS");
    return given == nullptr ? "" : std::string(given) + ":";
  }

  const TemporaryDirectory folder_;
  // What the address sanitizer says goes to a file: kernels' threads have stacks that it warns of.
  const test::Variable sanitizer_{"ASAN_OPTIONS", sanitizer_options() + "log_path=" + file("sanitizer")};
  const test::Variable libraries_{"LD_LIBRARY_PATH", VANTAGE_STAND_IN_GPU};
  const test::Variable cache_{"VANTAGE_CACHE_DIR", cache()};
  const test::Variable capability_;
};

std::string must_run(const std::vector<std::string>& arguments) {
  const auto result = test::run_cli(arguments);
  INFO(result.err);
  REQUIRE(result.status == 0);
  CHECK(result.err == "");
  return result.out;
}

}  // namespace

TEST_CASE("commands run a network on a GPU", "[unit]") {
  const GpuForCommands gpu;
  CHECK_THAT(must_run({"run", "lenet", "--target", "cuda:", "--check"}),
             ContainsSubstring("All 8 steps make what their operators' plain loops make."));
  const Json steps = Json::parse(must_run({"run", "lenet", "--target", "cuda:", "--layers", "--json"}));
  CHECK(steps.at("layers").size() == 8);
  for (const Json& step : steps.at("layers")) {
    CHECK(step.at("device") == "gpu");
    CHECK(step.at("ms").get<double>() > 0);
  }
  const Json repeated = Json::parse(must_run({"run", "lenet", "--target", "cuda:", "--repeat", "3", "--json"}));
  CHECK(repeated.at("gpu_run_ms").at("median").get<double>() > 0);

  const std::string archive = gpu.file("lenet.tar"), on_gpu = gpu.file("gpu.npy"), on_cpu = gpu.file("cpu.npy");
  CHECK_THAT(must_run({"compile", "lenet", "--target", "cuda:", "--architecture", "sm_80,sm_90a", "--processor", "host",
                       "-o", archive}),
             ContainsSubstring("8 functions"));
  CHECK_THAT(must_run({"run", archive, "--random", "4", "--target", "cuda:", "--output", on_gpu}),
             ContainsSubstring("lenet on cuda:"));
  CHECK_THAT(must_run({"run", archive, "--random", "4", "--processor", "cpu:", "--output", on_cpu}),
             ContainsSubstring("lenet on cpu:"));
  CHECK(difference(read_npy(on_cpu), read_npy(on_gpu), {1e-5, 1e-5}).value_or("") == "");
}

TEST_CASE("commands compare a GPU's kernels with NVIDIA's libraries", "[unit]") {
  const auto compare = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "compare");
    arguments.insert(arguments.end(), {"--repeat", "1", "--min-ms", "0", "--json"});
    const Json rows = Json::parse(must_run(arguments));
    CHECK(rows.size() == 2);
    for (const Json& row : rows) {
      CHECK(row.at("ok") == true);
      CHECK(row.at("seconds").get<double>() > 0);
    }
  };
  for (const auto& [type, capability] :
       {std::pair{"float32", "80"}, {"bfloat16", "80"}, {"float16", "90"}, {"int8", "90"}}) {
    INFO(type << " " << capability);
    const GpuForCommands gpu(capability);
    compare({"matmul", "--m", "64", "--k", "128", "--n", "64", "--dtype", type, "--targets", "cuda:,cublas:"});
  }
  const GpuForCommands gpu;
  compare({"conv", "--in-channels", "16", "--out-channels", "16", "--height", "6", "--width", "6", "--dtype", "float16",
           "--targets", "cuda:,cudnn:"});
}

TEST_CASE("a GPU that faults leaves a command's other devices", "[unit]") {
  const GpuForCommands gpu;
  const test::Variable fault("STAND_IN_FAULT_AT", "1");
  const std::vector<std::string> compare = {"compare", "matmul", "--m", "64", "--k", "64", "--n", "64", "--targets"};
  auto both = compare, alone = compare;
  both.emplace_back("cuda:,cpu:");
  alone.emplace_back("cuda:");
  const std::string message = "error: cuda: the kernel matmul_kernel: CUDA_ERROR_ILLEGAL_ADDRESS";
  const auto result = test::run_cli(both);
  CHECK(result.status == 2);
  CHECK(result.err.starts_with(message));
  CHECK_THAT(result.out, ContainsSubstring("cpu:") && ContainsSubstring("right") && !ContainsSubstring("cuda:"));
  both.emplace_back("--json");
  const auto rows = test::run_cli(both);
  CHECK(rows.status == 2);
  CHECK(Json::parse(rows.out).size() == 1);
  test::check_refused(alone, message);
  test::check_refused({"run", "lenet", "--target", "cuda:"}, "CUDA_ERROR_ILLEGAL_ADDRESS");
}

TEST_CASE("commands say what a GPU lacks", "[unit]") {
  const GpuForCommands gpu;
  const std::vector<std::string> run = {"run", "lenet", "--target", "cuda:"};
  const auto refused = [&](const char* knob, const char* value, const std::string& message) {
    const test::Variable own(knob, value);
    test::check_refused(run, message);
  };
  refused("STAND_IN_MEMORY", "100000", "bytes of memory left");
  refused("STAND_IN_DEVICES", "0", "NVIDIA's driver is here, and finds no GPU");
  refused("STAND_IN_CAPABILITY", "60", "a GPU of compute capability 6.0 is older than what kernels are made for");
  refused("STAND_IN_CRASH_AT", "2", "the process that held the GPU was ended by signal 6");
  test::check_refused({"run", "lenet", "--target", "cuda:1"}, "there is 1 of NVIDIA's GPUs here");
  const std::string archive = gpu.file("lenet.tar");
  must_run({"compile", "lenet", "--target", "cuda:", "--architecture", "sm_90a", "-o", archive});
  test::check_refused({"run", archive, "--random", "1"},
                      "has code for sm_90a, and the GPU is sm_80; compile it for that one (vantage compile --target "
                      "cuda: --architecture sm_80)");
}

}  // namespace vantage::test::cli_gpu_commands_test
