// Functions as programs for a GPU: what a call launches with what, and the machine code.
#include "compiler/backend/cuda/program.h"

#include "compiler/backend/cuda/lower.h"
#include "compiler/backend/cuda/split_kernels.h"
#include "compiler/ir/parse_function.h"
#include "tests/catch.h"

namespace vantage::test::compiler_backend_cuda_program_test {

using namespace vantage;

namespace {

using Kind = native::GpuArgument::Kind;

// One that multiplies by a scalar, from memory of its own, in as many steps as are asked for.
constexpr std::string_view kText = R"(@T.prim_func
def scale(A: T.Buffer((n, 32), "float32"), B: T.Buffer((n, 32), "float32"), f: T.float32, n: T.int32):
    S = T.alloc_buffer((n, 32), "float32")
    for b in T.thread_binding(n, thread="blockIdx.x"):
        for t in T.thread_binding(32, thread="threadIdx.x"):
            S[b, t] = A[b, t] * f
    for i in range(n):
        for u in T.thread_binding(32, thread="threadIdx.x"):
            B[i, u] = S[i, u]
)";

// One whose block takes 200000 bytes of shared memory.
constexpr std::string_view kLargeText = R"(@T.prim_func
def large(A: T.Buffer((50000,), "int32")):
    for t in T.thread_binding(100, thread="threadIdx.x"):
        S = T.allocate((50000,), "int32", scope="shared")
        for i in range(500):
            S[i * 100 + t] = A[i * 100 + t]
        for j in range(500):
            A[j * 100 + t] = S[49999 - (j * 100 + t)]
)";

ir::PrimFunc function(std::string_view text = kText) {
  return ir::parse_function(text, "scale");
}

ir::VarMap values_of(const ir::PrimFunc& f, int64_t n) {
  ir::VarMap values;
  for (const ir::Param& param : f.params) {
    const auto* var = std::get_if<ir::Var>(&param);
    if (var == nullptr) continue;
    values[var->get()] = var->name() == "n" ? ir::make_int(var->dtype(), n) : ir::make_float(var->dtype(), 0.5);
  }
  return values;
}

native::GpuProgram planned(const ir::PrimFunc& f, const ir::VarMap& values) {
  return cuda::plan_program(cuda::split_kernels(cuda::lower(f)), values);
}

// Makes nothing, of as many registers as are wanted, and keeps for what it was asked.
class RecordingNvrtc final : public cuda::Nvrtc {
 public:
  int64_t registers = 32;
  mutable std::vector<std::string> compiled;

  std::string version() const override { return "13.0"; }
  std::vector<std::string> architectures() const override { return {}; }
  cuda::GpuCode compile(const std::string&, const std::string& name,
                        const cuda::CompileOptions& options) const override {
    compiled.push_back(options.architecture);
    return {"", "", {{.name = name + "_kernel", .registers = registers}}};
  }
};

std::shared_ptr<const cuda::Nvrtc> nvrtc_here() {
  try {
    return cuda::Nvrtc::load();
  } catch (const Error& error) {
    WARN("not compiled: " << error.what());
    return nullptr;
  }
}

}  // namespace

TEST_CASE("a program has tensors for parameters, and every launch with its arguments", "[unit]") {
  const ir::PrimFunc f = function();
  const native::GpuProgram program = planned(f, values_of(f, 3));
  CHECK(program.signature.name == "scale");
  REQUIRE(program.signature.parameters.size() == 2);
  CHECK(native::describe(program.signature.parameters[0]) == "float32[3, 32]");
  CHECK(program.signature.parameters[0].strides == std::vector<std::string>{"32", "1"});
  CHECK(program.signature.parameters[0].alignment == 16);
  CHECK(!program.signature.parameters[0].is_written);
  CHECK(program.signature.parameters[1].is_written);
  CHECK(program.temporaries == std::vector<uint64_t>{3 * 32 * 4});
  REQUIRE(program.kernels.size() == 2);
  REQUIRE(program.launches.size() == 4);
  CHECK(program.launches[0].grid == std::array<uint32_t, 3>{3, 1, 1});
  CHECK(program.launches[0].block == std::array<uint32_t, 3>{32, 1, 1});
  const auto has = [](const native::GpuLaunch& launch, const native::GpuArgument& argument) {
    return std::count(launch.arguments.begin(), launch.arguments.end(), argument) > 0;
  };
  CHECK(has(program.launches[0], {Kind::kParameter, 0}));
  CHECK(has(program.launches[0], {Kind::kTemporary, 0}));
  CHECK(has(program.launches[0], {Kind::kScalar, 0x3f000000}));  // 0.5
  for (uint64_t i = 0; i < 3; ++i) {
    CHECK(program.launches[1 + i].kernel == 1);
    CHECK(has(program.launches[1 + i], {Kind::kParameter, 1}));
    CHECK(has(program.launches[1 + i], {Kind::kScalar, i}));
  }
}

TEST_CASE("a program knows which tensors' contents matter when it is called", "[unit]") {
  const auto is_read = [](const std::string& body) {
    const ir::PrimFunc f = function(
        "@T.prim_func\ndef f(A: T.Buffer((64,), \"int32\"), B: T.Buffer((64,), \"int32\")):\n"
        "    for t in T.thread_binding(32, thread=\"threadIdx.x\"):\n" +
        body);
    return cuda::plan_program(cuda::split_kernels(f)).is_read;
  };
  using Read = std::vector<bool>;
  CHECK(is_read("        B[t] = A[t]\n") == Read{true, false});
  CHECK(is_read("        B[t] = B[t] + A[t]\n") == Read{true, true});
  CHECK(is_read("        B[t] = 1\n") == Read{false, false});
  // Sums that begin in memory, in a statement of their own or in the first iteration.
  CHECK(is_read("        B[t] = 0\n"
                "        for k in range(64):\n"
                "            B[t] = B[t] + A[k]\n") == Read{true, false});
  CHECK(is_read("        for k, r in T.grid(8, 8):\n"
                "            if k == 0 and r == 0:\n"
                "                B[t] = 0\n"
                "            B[t] = B[t] + A[k * 8 + r]\n") == Read{true, false});
  // Those that do not.
  CHECK(is_read("        for k in range(64):\n"
                "            if k == 1:\n"
                "                B[t] = 0\n"
                "            B[t] = B[t] + A[k]\n") == Read{true, true});
  CHECK(is_read("        for k in range(32):\n"
                "            if k == 0:\n"
                "                B[t + k] = 0\n"
                "            B[t + k] = B[t + k] + A[k]\n") == Read{true, true});
  CHECK(is_read("        for k in range(32):\n"
                "            if A[k] > 0:\n"
                "                if k == 0:\n"
                "                    B[t] = 0\n"
                "                B[t] = B[t] + 1\n") == Read{true, true});
  CHECK(is_read("        for k in range(32):\n"
                "            for j in range(k, 32):\n"
                "                if k == 0:\n"
                "                    B[t + j] = 0\n"
                "                B[t + j] = B[t + j] + 1\n") == Read{false, true});
  CHECK(is_read("        if t < 8:\n"
                "            B[t] = 0\n"
                "        B[t] = B[t] + 1\n") == Read{false, true});
  CHECK(is_read("        for k in range(32):\n"
                "            B[t + k] = 0\n"
                "        B[t] = B[t] + 1\n") == Read{false, true});
  CHECK(is_read("        B[A[t]] = 0\n"
                "        A[t] = 1\n"
                "        B[0] = B[A[t]]\n") == Read{true, true});
  CHECK(is_read("        B[t] = 0\n"
                "        A[t] = B[31 - t]\n") == Read{false, true});
}

TEST_CASE("what a program lacks is named", "[unit]") {
  const ir::PrimFunc f = function();
  CHECK_THAT(ERROR_OF(planned(f, {})),
             ContainsSubstring("scale: n of the buffer A must be a number when it is compiled for a GPU; give n a"));
  const ir::PrimFunc wide = function(R"(@T.prim_func
def wide(A: T.Buffer((70000,), "int32")):
    for b in T.thread_binding(70000, thread="blockIdx.y"):
        A[b] = 1
)");
  CHECK_THAT(ERROR_OF(planned(wide, {})),
             ContainsSubstring("wide_kernel has 70000 blocks along y, more than the 65535 of a grid"));
  const ir::PrimFunc deep = function(R"(@T.prim_func
def deep(A: T.Buffer((65,), "int32")):
    for t in T.thread_binding(65, thread="threadIdx.z"):
        A[t] = 1
)");
  CHECK_THAT(ERROR_OF(planned(deep, {})),
             ContainsSubstring("deep_kernel has 65 threads along z, more than the 64 of a block"));
}

TEST_CASE("limits are looked at before machine code is made, and registers thereafter", "[unit]") {
  RecordingNvrtc nvrtc;
  const ir::PrimFunc many = function(R"(@T.prim_func
def many(A: T.Buffer((64, 32), "int32")):
    for t in T.thread_binding(64, thread="threadIdx.y"):
        for u in T.thread_binding(32, thread="threadIdx.x"):
            A[t, u] = 1
)");
  CHECK_THAT(ERROR_OF(cuda::compile(many, {.architecture = "sm_80"}, nvrtc)),
             ContainsSubstring("many_kernel: a block has 2048 threads, and sm_80 runs at most 1024"));
  CHECK_THAT(ERROR_OF(cuda::compile(function(kLargeText), {.architecture = "sm_80"}, nvrtc)),
             ContainsSubstring("a block takes 200000 bytes of shared memory, and sm_80 has"));
  CHECK_THAT(ERROR_OF(cuda::compile(function(kLargeText), {.architecture = "gpu"}, nvrtc)),
             ContainsSubstring("'gpu' is no architecture of a GPU"));
  CHECK(nvrtc.compiled.empty());
  // Those that Vantage does not know by name.
  const ir::PrimFunc f = function();
  for (const char* name : {"sm_87", "sm_103", "sm_121"}) {
    CHECK(cuda::compile(f, {.architecture = name}, nvrtc, values_of(f, 3)).architecture == name);
  }
  CHECK(nvrtc.compiled == std::vector<std::string>{"sm_87", "sm_103", "sm_121"});
  CHECK_THAT(ERROR_OF(cuda::compile(function(kLargeText), {.architecture = "sm_87"}, nvrtc)),
             ContainsSubstring("a block takes 200000 bytes of shared memory, and sm_87 has"));
  nvrtc.registers = 300000;
  CHECK_THAT(ERROR_OF(cuda::compile(f, {.architecture = "sm_80"}, nvrtc, values_of(f, 3))),
             ContainsSubstring("scale_kernel: 32 threads of 300000 registers are 1 warps"));
}

TEST_CASE("a library that is no NVRTC, or too old, is passed over for the next one", "[unit]") {
  CHECK_THAT(ERROR_OF(cuda::Nvrtc::load({"/nowhere/libnvrtc.so", "/nowhere/other.so"})),
             ContainsSubstring("none of /nowhere/libnvrtc.so, /nowhere/other.so can be loaded"));
  CHECK(ERROR_OF(cuda::Nvrtc::load({"/nowhere/libnvrtc.so", "libm.so.6"})) ==
        "NVRTC: libm.so.6 has no nvrtcVersion; it is older than CUDA 11.2");
  if (nvrtc_here() == nullptr) return;
  std::vector<std::string> libraries = cuda::Nvrtc::usual_libraries();
  libraries.insert(libraries.begin(), "libm.so.6");
  CHECK(cuda::Nvrtc::load(libraries)->version() == nvrtc_here()->version());
}

TEST_CASE("what kernels take is known of code that the compiler remembers", "[unit]") {
  const auto nvrtc = cuda::Nvrtc::load({VANTAGE_FORGETFUL_LIBNVRTC});
  const cuda::GpuCode code = nvrtc->compile("extern \"C\" __global__ void a() {}", "a", {.architecture = "sm_80"});
  REQUIRE(code.kernels.size() == 1);
  CHECK(code.kernels[0].registers == 18);
  CHECK(nvrtc->compile("", "nothing", {.architecture = "sm_80"}).kernels.empty());
}

TEST_CASE("a program has machine code and PTX of its kernels", "[unit]") {
  const auto nvrtc = nvrtc_here();
  if (nvrtc == nullptr) return;
  const ir::PrimFunc f = function();
  const native::GpuProgram program = cuda::compile(f, {.architecture = "sm_90"}, *nvrtc, values_of(f, 3));
  CHECK(program.architecture == "sm_90");
  CHECK(program.toolkit == nvrtc->version());
  CHECK(
      program.cubin.starts_with("\x7f"
                                "ELF"));
  CHECK_THAT(program.ptx, ContainsSubstring(".target sm_90"));
  for (const native::GpuKernel& kernel : program.kernels) {
    CHECK_THAT(program.ptx, ContainsSubstring(".entry " + kernel.name + "("));
  }
  const ir::PrimFunc large = function(kLargeText);
  CHECK_THAT(ERROR_OF(cuda::compile(large, {.architecture = "sm_80"}, *nvrtc)),
             ContainsSubstring("a block takes 200000 bytes of shared memory, and sm_80 has"));
  CHECK(cuda::compile(large, {.architecture = "sm_90"}, *nvrtc).kernels[0].is_given);
}

}  // namespace vantage::test::compiler_backend_cuda_program_test
