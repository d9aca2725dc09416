// From functions to kernels and launches; what kernels cannot do; what blocks of threads take of a GPU.
#include "base/error.h"
#include "compiler/backend/cuda/architecture.h"
#include "compiler/backend/cuda/plan.h"
#include "compiler/backend/cuda/ptx_loops.h"
#include "compiler/backend/cuda/shared_banks.h"
#include "compiler/backend/cuda/split_kernels.h"
#include "compiler/ir/parse_function.h"
#include "compiler/ir/printer.h"
#include "tests/catch.h"
#include "tests/compiler/backend/cuda/on_processor.h"

namespace vantage::test::compiler_backend_cuda_kernels_test {

using namespace vantage;

namespace {

cuda::Module module_of(const std::string& text) {
  return cuda::split_kernels(ir::parse_function("@T.prim_func\n" + text, "test"));
}

std::string code_of(const std::string& text) {
  const cuda::Module module = module_of(text);
  return cuda::write_kernel(module.kernels.at(0)).text;
}

int64_t ways(const std::string& text) {
  const cuda::Module module = module_of(text);
  const cuda::Kernel& kernel = module.kernels.at(0);
  int64_t most = 0;
  for (const cuda::BankUse& use : cuda::bank_uses(kernel, cuda::write_kernel(kernel).shared_accesses)) {
    most = std::max(most, use.ways);
  }
  return most;
}

}  // namespace

TEST_CASE("what stands beside kernels is the host's where it launches them, and one thread's where it computes",
          "[unit]") {
  const std::vector<cuda::Module> modules = {
      module_of(R"(def f(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), s: T.Buffer((1,), "int32")):
    T_0 = T.allocate((64,), "int32")
    s[0] = 0
    for i in range(64):
        s[0] = s[0] + A[i]
    for round in range(3):
        for t in T.thread_binding(64, thread="threadIdx.x"):
            T_0[t] = A[t] + s[0] + round
        for t_1 in T.thread_binding(64, thread="threadIdx.x"):
            B[t_1] = T_0[63 - t_1]
)")};
  REQUIRE(modules[0].kernels.size() == 3);
  const cuda::Plan plan = cuda::plan_calls(modules[0]);
  REQUIRE(plan.temporaries.size() == 1);
  CHECK(plan.temporaries[0].bytes == 256);
  REQUIRE(plan.launches.size() == 7);
  CHECK(plan.launches[0].threads() == 1);
  CHECK(plan.launches[1].threads() == 64);
  CHECK(ir::to_text(plan.launches[5].values.at(0)) == "2");
  const test::OnProcessor processor(modules);
  Tensor a(kInt32, {64}), b(kInt32, {64}), s(kInt32, {1});
  for (int64_t i = 0; i < 64; ++i) a.set_integer(i, i);
  const auto results = processor.run(0, std::vector<Tensor>{a, b, s});
  for (int64_t i = 0; i < 64; ++i) CHECK(results[1].integer(i) == 63 - i + 2016 + 2);
}

TEST_CASE("sizes are known when kernels are launched", "[unit]") {
  const cuda::Module module =
      module_of(R"(def f(n: T.int32, A: T.Buffer((n,), "float32"), B: T.Buffer((n,), "float32")):
    for b in T.thread_binding((n + 63) // 64, thread="blockIdx.x"):
        for t in T.thread_binding(64, thread="threadIdx.x"):
            if b * 64 + t < n:
                B[b * 64 + t] = A[b * 64 + t] * T.float32(2)
)");
  CHECK(cuda::write_kernel(module.kernels.at(0)).text == R"(// Grid ((n + 63) / 64, 1, 1), block (64, 1, 1).
extern "C" __global__ void __launch_bounds__(64) f_kernel(
    float* __restrict__ B, const float* __restrict__ A, const int n) {
  const int b = blockIdx.x;
  const int t = threadIdx.x;
  if (b * 64 + t < n) {
    B[(long long)(b * 64 + t)] = A[(long long)(b * 64 + t)] * 2.0F;
  }
}
)");
  const ir::Var n = std::get<ir::Var>(module.host.params[0]);
  CHECK(cuda::plan_calls(module, {{n.get(), ir::make_int(kInt32, 130)}}).launches.at(0).grid[0] == 3);
  CHECK(ERROR_OF(cuda::plan_calls(module)) == "f: (n + 63) // 64 has no value, as n is not given");
}

TEST_CASE("a buffer that a loop of the host allocates is one, as large as it is at most", "[unit]") {
  const std::vector<cuda::Module> modules = {module_of(R"(def f(A: T.Buffer((16,), "int32")):
    for i in range(4):
        S = T.allocate((i * 4 + 4,), "int32")
        for t in T.thread_binding(i * 4 + 4, thread="threadIdx.x"):
            S[t] = t + i
        for u in T.thread_binding(i * 4 + 4, thread="threadIdx.x"):
            A[u] = A[u] + S[i * 4 + 3 - u]
)")};
  const cuda::Plan plan = cuda::plan_calls(modules[0]);
  REQUIRE(plan.temporaries.size() == 1);
  CHECK(plan.temporaries[0].bytes == 16 * 4);
  CHECK(plan.launches.size() == 8);
  const test::OnProcessor processor(modules);
  const auto results = processor.run(0, std::vector<Tensor>{Tensor(kInt32, {16})});
  for (int64_t u = 0; u < 16; ++u) {
    int64_t sum = 0;
    for (int64_t i = u / 4; i < 4; ++i) sum += i * 4 + 3 - u + i;
    CHECK(results[0].integer(u) == sum);
  }
}

TEST_CASE("a scalar of a kernel without a value is named", "[unit]") {
  const cuda::Module module = module_of(R"(def f(A: T.Buffer((64,), "float32"), x: T.float32, k: T.int32):
    for t in T.thread_binding(64, thread="threadIdx.x"):
        A[t] = x
    for u in T.thread_binding(64, thread="threadIdx.x"):
        if u < k:
            A[u] = A[u] + x
)");
  CHECK(ERROR_OF(cuda::plan_calls(module)) ==
        "f: the variable x, which a kernel takes, has no value, as x is not given");
  const ir::Var x = std::get<ir::Var>(module.host.params[1]), k = std::get<ir::Var>(module.host.params[2]);
  ir::VarMap values = {{x.get(), ir::make_float(kFloat32, 0.5)}};
  CHECK(ERROR_OF(cuda::plan_calls(module, values)) ==
        "f: the variable k, which a kernel takes, has no value, as k is not given");
  values[k.get()] = ir::make_int(kInt32, 3);
  CHECK(cuda::plan_calls(module, values).launches.size() == 2);
}

TEST_CASE("what a kernel or its host cannot do is refused by name", "[unit]") {
  CHECK(ERROR_OF(module_of(R"(def f(A: T.Buffer((64,), "int32"), n: T.Buffer((1,), "int32")):
    for i in range(n[0]):
        for t in T.thread_binding(64, thread="threadIdx.x"):
            A[t] = A[t] + i
)")) == "f: where the loop i ends is needed to launch a kernel, but is read from a tensor, which lies in the GPU's "
        "memory; bind a loop around it to an index of threads");
  CHECK(ERROR_OF(code_of(R"(def f(n: T.int32, A: T.Buffer((64,), "int32")):
    for t in T.thread_binding(64, thread="threadIdx.x"):
        L = T.allocate((n,), "int32", scope="local")
        L[0] = A[t]
        A[t] = L[0] + 1
)")) == "L is n elements of local memory in a kernel, which must be a number when the kernel is compiled; give its "
        "loops constant extents, or its scope global outside of the kernel");
  CHECK(ERROR_OF(code_of(R"(def f(n: T.int32, A: T.Buffer((64,), "int32")):
    for t in T.thread_binding(64, thread="threadIdx.x"):
        S = T.allocate((n,), "int32", scope="shared")
        S[t] = A[t]
        A[t] = S[t] + 1
)")) == "S is n elements of shared memory, which must be a number when the kernel is compiled; give the loops that "
        "fill it constant extents");
  CHECK(ERROR_OF(code_of(R"(def f(A: T.Buffer((64,), "float32")):
    for t in T.thread_binding(64, thread="threadIdx.x"):
        A[t] = T.call_pure_extern("float32", "my_gelu", A[t])
)")) == "my_gelu is a function of the host's, which a kernel of a GPU cannot call; compute that part on the processor");
}

TEST_CASE("an allocation has its alignment, and a thread as much memory as there is", "[unit]") {
  const auto code = [](const std::string& allocation) {
    return code_of(R"(def f(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    for t in T.thread_binding(64, thread="threadIdx.x"):
        S = T.allocate()" +
                   allocation + R"()
        S[t] = A[t]
        B[t] = S[t]
)");
  };
  CHECK_THAT(code(R"((64,), "float32", scope="shared", align=256)"),
             ContainsSubstring("alignas(256) __shared__ float"));
  CHECK_THAT(code(R"((64,), "float32", scope="local", align=64)"), ContainsSubstring("alignas(64) float"));
  CHECK_THAT(code(R"((131072,), "float32", scope="local")"), ContainsSubstring("[131072]"));
  CHECK(ERROR_OF(code(R"((131073,), "float32", scope="local")")) ==
        "with the 131073 elements of S in local memory each thread has more than the 524288 bytes that there are for "
        "one; make what it holds smaller, or compute it where less of it is needed at once");
  CHECK_THAT(ERROR_OF(code_of(R"(def f(B: T.Buffer((64,), "float32")):
    for t in T.thread_binding(64, thread="threadIdx.x"):
        S = T.allocate((100000,), "float32", scope="local")
        S[t] = B[t]
        R = T.allocate((50000,), "float32", scope="local")
        R[t] = S[t]
        B[t] = R[t]
)")),
             ContainsSubstring("with the 50000 elements of R in local memory"));
  CHECK(ERROR_OF(code_of(R"(def f(B: T.Buffer((64,), "float32")):
    for t in T.thread_binding(64, thread="threadIdx.x"):
        S = T.allocate((2147483647, 2147483647), "float32", scope="shared")
        S[t, 0] = B[t]
)")) == "S is 4611686014132420609 elements of shared memory, which no GPU has");
}

TEST_CASE("names that C++ or CUDA has are not a kernel's variables", "[unit]") {
  const std::string text = code_of(R"(def f(float: T.Buffer((64,), "int32"), half: T.Buffer((64,), "int32")):
    for threadIdx in T.thread_binding(64, thread="threadIdx.x"):
        double: T.int32 = float[threadIdx]
        half[threadIdx] = double
)");
  CHECK(text.find("const int threadIdx_1 = threadIdx.x;") != std::string::npos);
  CHECK(text.find("const int double_1 = float_1[threadIdx_1];") != std::string::npos);
  CHECK(text.find("half_1[threadIdx_1] = double_1;") != std::string::npos);
}

TEST_CASE("more shared memory than a kernel may declare is the launch's to give", "[unit]") {
  const std::string text = R"(def f(A: T.Buffer((16384,), "float32"), B: T.Buffer((64,), "float32")):
    for t in T.thread_binding(64, thread="threadIdx.x"):
        S = T.allocate((16384,), "float32", scope="shared")
        R = T.allocate((64,), "float32", scope="shared")
        for i in range(256):
            S[i * 64 + t] = A[i * 64 + t]
        R[t] = S[t]
        B[t] = R[t]
)";
  const std::vector<cuda::Module> modules = {module_of(text)};
  const cuda::KernelCode code = cuda::write_kernel(modules[0].kernels.at(0));
  CHECK(code.is_dynamic);
  CHECK(code.shared_bytes == 65536 + 256);
  CHECK(code.text.find("alignas(128) extern __shared__ unsigned char shared_memory[];") != std::string::npos);
  CHECK(code.text.find("float* const R = reinterpret_cast<float*>(shared_memory + 65536);") != std::string::npos);
  Tensor a(kFloat32, {16384}), b(kFloat32, {64});
  for (int64_t i = 0; i < a.size(); ++i) a.set_number(i, static_cast<double>(i));
  CHECK(test::OnProcessor(modules).run(0, std::vector<Tensor>{a, b})[1].number(63) == 63);
  if (const auto nvrtc = test::nvrtc_if_here()) {
    CHECK(test::complaint(*nvrtc, test::source_of(modules), "sm_80") == "");
  }
}

TEST_CASE("threads of a warp meet in the banks of shared memory as often as they must", "[unit]") {
  const auto transposed = [](int columns) {
    return fmt::format(R"(def f(A: T.Buffer((32, 32), "float32"), B: T.Buffer((32, 32), "float32")):
    for y in T.thread_binding(32, thread="threadIdx.y"):
        for x in T.thread_binding(32, thread="threadIdx.x"):
            S = T.allocate((32, {}), "float32", scope="shared")
            S[y, x] = A[y, x]
            T.storage_sync("shared")
            B[y, x] = S[x, y]
)",
                       columns);
  };
  CHECK(ways(transposed(32)) == 32);
  CHECK(ways(transposed(33)) == 1);
  CHECK(ways(transposed(40)) == 8);
  const auto wide = [](int stride) {
    return fmt::format(R"(def f(A: T.Buffer((4096,), "float32"), B: T.Buffer((4096,), "float32")):
    for x in T.thread_binding(32, thread="threadIdx.x"):
        S = T.allocate((4096,), "float32", scope="shared")
        for v in T.vectorized(4):
            S[x * {0} + v] = A[x * {0} + v]
)",
                       stride);
  };
  // What neighbours load together takes half as many rounds; apart, they are asked for quarter by quarter.
  const auto loads = [](const std::string& place) {
    const cuda::Module module = module_of(fmt::format(
        R"(def f(A: T.Buffer((4096,), "float32"), B: T.Buffer((4096,), "float32")):
    for x in T.thread_binding(32, thread="threadIdx.x"):
        S = T.allocate((4096,), "float32", scope="shared")
        S[x] = A[x]
        for v in T.vectorized(4):
            B[x * 4 + v] = S[{} * 4 + v]
)",
        place));
    const cuda::Kernel& kernel = module.kernels.at(0);
    return cuda::bank_uses(kernel, cuda::write_kernel(kernel).shared_accesses).back();
  };
  CHECK(loads("x").rounds == 4);
  CHECK(loads("(x % 8)").rounds == 4);
  CHECK(loads("(x // 8)").rounds == 2);
  CHECK(loads("(x // 2)").rounds == 2);
  CHECK(loads("(x // 2 % 8)").rounds == 2);
  CHECK(loads("(x % 2 + x // 16 * 2)").rounds == 2);
  CHECK(loads("(x // 8 * 8)").rounds == 4);
  CHECK(loads("(x // 8 * 8)").ways == 1);
  CHECK(loads("0").rounds == 2);
  // Sixteen bytes a thread: a quarter of a warp at a time.
  CHECK(ways(wide(4)) == 1);
  CHECK(ways(wide(8)) == 2);
  CHECK(ways(wide(32)) == 8);
  CHECK(ways(wide(36)) == 1);
  // All ask for one word.
  CHECK(ways(R"(def f(B: T.Buffer((32,), "float32")):
    for x in T.thread_binding(32, thread="threadIdx.x"):
        S = T.allocate((1,), "float32", scope="shared")
        B[x] = S[0]
)") == 1);
}

TEST_CASE("a multiprocessor has as many blocks as its registers, shared memory and threads allow", "[unit]") {
  const cuda::Architecture& a100 = cuda::find_architecture("sm_80");
  cuda::Occupancy full = cuda::occupancy(a100, {256, 32, 0});
  CHECK(full.blocks == 8);
  CHECK(full.share() == 1.0);
  cuda::Occupancy half = cuda::occupancy(a100, {256, 64, 0});
  CHECK(half.blocks == 4);
  CHECK(half.limit == "registers");
  CHECK(half.share() == 0.5);
  CHECK(cuda::occupancy(a100, {64, 32, 48 * 1024}).blocks == 3);
  CHECK(cuda::occupancy(a100, {64, 32, 48 * 1024}).limit == "shared memory");
  CHECK(cuda::occupancy(a100, {32, 16, 0}).limit == "blocks");
  CHECK(cuda::architecture_of(87).name == "sm_86");
  CHECK(cuda::architecture_of(90).name == "sm_90a");
  CHECK(ERROR_OF(cuda::architecture_of(61)) ==
        "a GPU of compute capability 6.1 is older than what kernels are made for, sm_75");
  CHECK(ERROR_OF(cuda::find_architecture("sm_81")) ==
        "'sm_81' is no architecture of a GPU that Vantage knows; did you mean 'sm_80', 'sm_86' or 'sm_89'?");
  CHECK(ERROR_OF(cuda::require_fits(a100, "k", {2048, 0, 0})) ==
        "k: a block has 2048 threads, and sm_80 runs at most 1024; bind loops of fewer iterations to threadIdx, and "
        "let each thread do more");
  CHECK(ERROR_OF(cuda::require_fits(a100, "k", {256, 0, 200000})) ==
        "k: a block takes 200000 bytes of shared memory, and sm_80 has 166912; compute what fills it at an inner "
        "loop, or make the block's tile smaller");
  CHECK(ERROR_OF(cuda::require_fits(a100, "k", {1024, 128, 0})) ==
        "k: 1024 threads of 128 registers are 32 warps, and sm_80 has registers for 16; keep fewer values in local "
        "memory, or bind fewer threads");
  // Each quarter of a multiprocessor has registers of its own: five warps, where all of them together are 21.
  CHECK(cuda::occupancy(a100, {32, 96, 0}).warps == 20);
  CHECK(cuda::occupancy(a100, {640, 96, 0}).blocks == 1);
  CHECK(cuda::occupancy(a100, {672, 96, 0}).blocks == 0);
  CHECK_NOTHROW(cuda::require_fits(a100, "k", {640, 96, 0}));
  CHECK_THAT(ERROR_OF(cuda::require_fits(a100, "k", {672, 96, 0})),
             ContainsSubstring("are 21 warps, and sm_80 has registers for 20;"));
  CHECK(cuda::occupancy(a100, {0, 32, 0}).warps == 0);
}

TEST_CASE("an architecture without an entry has the limits of the nearest one below it", "[unit]") {
  CHECK(cuda::nearest_architecture("sm_80").shared_bytes == 164 * 1024);
  CHECK(cuda::nearest_architecture("sm_90").name == "sm_90");
  CHECK(cuda::nearest_architecture("sm_87").name == "sm_87");
  CHECK(cuda::nearest_architecture("sm_87").threads == cuda::find_architecture("sm_86").threads);
  CHECK(cuda::nearest_architecture("sm_103").threads == 2048);
  CHECK(cuda::nearest_architecture("sm_103a").blocks == 32);
  CHECK(cuda::nearest_architecture("sm_121").threads == 1536);
  CHECK_THAT(ERROR_OF(cuda::nearest_architecture("sm_61")), ContainsSubstring("6.1 is older than"));
  for (const char* name : {"gfx90a", "sm_", "sm_x", "sm_90ab", "sm_9.0", "sm_-90", "sm_90A", ""}) {
    CHECK_THAT(ERROR_OF(cuda::nearest_architecture(name)), ContainsSubstring("is no architecture of a GPU"));
  }
}

TEST_CASE("a launch has no more blocks and threads along an index than there can be", "[unit]") {
  CHECK_NOTHROW(cuda::require_extents("k", {INT32_MAX, 65535, 65535}, {1024, 1, 1}));
  CHECK_NOTHROW(cuda::require_extents("k", {1, 1, 1}, {1, 1024, 1}));
  CHECK_NOTHROW(cuda::require_extents("k", {1, 1, 1}, {16, 1, 64}));
  CHECK(ERROR_OF(cuda::require_extents("k", {int64_t{INT32_MAX} + 1, 1, 1}, {1, 1, 1})) ==
        "k has 2147483648 blocks along x, more than the 2147483647 of a grid; split the loop, and bind its parts to "
        "two indices");
  CHECK_THAT(ERROR_OF(cuda::require_extents("k", {1, 65536, 1}, {1, 1, 1})),
             ContainsSubstring("k has 65536 blocks along y, more than the 65535 of a grid"));
  CHECK_THAT(ERROR_OF(cuda::require_extents("k", {1, 1, 65536}, {1, 1, 1})),
             ContainsSubstring("k has 65536 blocks along z, more than the 65535 of a grid"));
  CHECK(ERROR_OF(cuda::require_extents("k", {1, 1, 1}, {1, 1, 65})) ==
        "k has 65 threads along z, more than the 64 of a block; split the loop, and let each thread do more");
  CHECK_THAT(ERROR_OF(cuda::require_extents("k", {1, 1, 1}, {1025, 1, 1})),
             ContainsSubstring("k has 1025 threads along x, more than the 1024 of a block"));
}

TEST_CASE("the loop of a kernel that multiplies most is found in its PTX", "[unit]") {
  const auto loops = cuda::busiest_loops(R"(.version 9.0
.visible .entry first(
	.param .u64 a
)
{
	.reg .pred 	%p<2>;
	ld.param.u64 	%rd1, [a];
$L__BB0_1:
	ld.shared.v4.f32 	{%f1, %f2, %f3, %f4}, [%r1];
$L__BB0_2:
	fma.rn.f32 	%f5, %f1, %f2, %f5;
	fma.rn.f32 	%f6, %f3, %f4, %f6;
	@%p2 bra 	$L__BB0_3;
	ld.global.nc.f32 	%f7, [%rd2];
$L__BB0_3:
	@%p1 bra 	$L__BB0_2;
	@%p2 bra 	$L__BB0_1;
	ret;
}
.visible .entry second()
{
	{ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r1, %r2, %r3, %r4}, [%r5];}
	{.reg .pred p; setp.eq.b32 p, 0, 0; wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1, %f2}, %rd1, %rd2, p, 1, 1, 0, 0;}
	mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1, %f2, %f3, %f4}, {%r1, %r2, %r3, %r4}, {%r6, %r7}, {%f1, %f2, %f3, %f4};
	ret;
}
)");
  REQUIRE(loops.size() == 2);
  CHECK(loops[0].kernel == "first");
  CHECK(loops[0].instructions == 5);
  CHECK(loops[0].multiplies == 2);
  CHECK(loops[0].shared_loads == 0);
  CHECK(loops[0].global_loads == 1);
  CHECK(loops[0].branches == 1);
  CHECK(loops[1].instructions == 5);
  CHECK(loops[1].multiplies == 2);
  CHECK(loops[1].shared_loads == 1);
  CHECK(loops[0].products == 2);
  CHECK(loops[0].operand == kFloat32);
  CHECK(loops[1].products == 64 * 8 * 16 / 128 + 16 * 8 * 16 / 32);
  CHECK(loops[1].operand == kFloat16);
  // Of five instructions of a warp, two multiply: a clock each where a quarter of a multiprocessor has 32 units, and
  // two where it has 16.
  CHECK(cuda::share_of_peak(loops[0], 90) == 0.4);
  CHECK(cuda::share_of_peak(loops[0], 80) == 0.8);
  CHECK(!cuda::share_of_peak(loops[1], 100));
}

TEST_CASE("what an instruction multiplies is of its type", "[unit]") {
  const auto loop = [](const std::string& lines) {
    return cuda::busiest_loops(".visible .entry a()\n{\n" + lines + "ret;\n}\n").at(0);
  };
  const auto bytes = loop(
      "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%r1}, {%r2}, {%r3}, {%r1};\n"
      "mad.wide.u32 %rd1, %r2, 4, %rd2;\nmad.lo.s32 %r5, %r6, %r7, %r8;\n");
  CHECK(bytes.multiplies == 2);
  CHECK(bytes.products == 128);
  CHECK(bytes.operand == kInt8);
  const auto four = loop("dp4a.s32.s32 %r1, %r2, %r3, %r1;\n");
  CHECK(four.products == 4);
  CHECK(!four.operand);
  CHECK(!cuda::share_of_peak(four, 80));
  const auto brain = loop("wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 {%f1}, %rd1, %rd2, p, 1, 1, 0, 0;\n");
  CHECK(brain.products == 2048);
  CHECK(brain.operand == kBFloat16);
  CHECK(cuda::share_of_peak(brain, 90) == 1.0);
}

TEST_CASE("what ptxas says of kernels is read", "[unit]") {
  const std::string log = R"(ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'a' for 'sm_80'
ptxas info    : Function properties for a
ptxas         .     16 bytes stack frame, 12 bytes spill stores, 8 bytes spill loads
ptxas info    : Used 18 registers, used 1 barriers, 256 bytes smem, 368 bytes cmem[0]
ptxas info    : Compiling entry function 'b' for 'sm_80'
ptxas info    : Used 255 registers, 352 bytes cmem[0]
)";
  const auto kernels = cuda::parse_ptxas(log);
  REQUIRE(kernels.size() == 2);
  CHECK(kernels[0].name == "a");
  CHECK(kernels[0].registers == 18);
  CHECK(kernels[0].stack_bytes == 16);
  CHECK(kernels[0].spill_store_bytes == 12);
  CHECK(kernels[0].spill_load_bytes == 8);
  CHECK(kernels[0].shared_bytes == 256);
  CHECK(kernels[1].registers == 255);
  CHECK(kernels[1].shared_bytes == 0);
  CHECK(cuda::parse_losses(log).empty());
  const std::string loss =
      "ptxas info    : (C7510) Potential Performance Loss: wgmma.mma_async instructions are serialized";
  CHECK(cuda::parse_losses(log + loss + "\nmore") ==
        std::vector<std::string>{"wgmma.mma_async instructions are serialized"});
}

}  // namespace vantage::test::compiler_backend_cuda_kernels_test
