// Products by warpgroups, fed by the copy engine: schedules compute what they should, as kernels, too.
#include "base/tensor/compare.h"
#include "compiler/backend/cuda/externs.h"
#include "compiler/backend/cuda/lower.h"
#include "compiler/backend/cuda/program.h"
#include "compiler/backend/cuda/split_kernels.h"
#include "compiler/backend/cuda/tensor_cores.h"
#include "compiler/ir/parse_function.h"
#include "compiler/ir/printer.h"
#include "compiler/schedule/schedule.h"
#include "compiler/te/te.h"
#include "driver/cuda/gpu_tensor.h"
#include "tests/catch.h"
#include "tests/compiler/backend/cuda/on_processor.h"
#include "tests/compiler/backend/cuda/tile_products.h"
#include "tests/driver/cuda/on_gpu.h"
#include "tests/driver/cuda/some_gpu.h"
#include "tests/support/effort.h"
#include "tests/support/generator.h"

namespace vantage::test::compiler_backend_cuda_warpgroups_test {

using namespace vantage;
using namespace vantage::schedule;

namespace {

// Blocks of `groups` warpgroups, below each other, and steps of so many pieces of the depth.
struct Shape {
  int64_t groups = 2, pieces = 4, stages = 3;
};

// `outer`: loops of the product around its own, of which blocks are made.
Schedule scheduled(const ir::PrimFunc& function, const cuda::TileProduct& p, const Shape& shape) {
  Schedule s(function, cuda::tensor_core_intrinsics(p));
  const BlockRV product = s.get_block("C");
  const bool rounds = function.buffers().back()->name == "D";
  const bool is_conv = function.buffers().front()->rank() == 4;
  auto loops = s.get_loops(product);
  if (is_conv) {
    s.bind(s.fuse({loops[0], loops[1]}), "blockIdx.z");
    loops.erase(loops.begin(), loops.begin() + 2);
  }
  const auto i = s.split(loops[0], {std::nullopt, shape.groups, p.m});
  const auto j = s.split(loops[1], {std::nullopt, p.n});
  const auto k = s.split(loops[2], {std::nullopt, shape.pieces, p.k});
  LoopRV step = k[0];
  if (is_conv) {
    s.reorder({i[0], j[0], i[1], k[0], loops[3], loops[4], k[1], i[2], j[1], k[2]});
    step = s.fuse({k[0], loops[3], loops[4]});
  } else {
    s.reorder({i[0], j[0], i[1], k[0], k[1], i[2], j[1], k[2]});
  }
  s.bind(i[0], "blockIdx.y");
  s.bind(j[0], "blockIdx.x");
  s.bind(i[1], "threadIdx.y");
  const BlockRV stored = rounds ? s.get_block("D") : s.cache_write(product, "warpgroup");
  if (rounds) s.set_scope(product, "warpgroup");
  s.reverse_compute_at(stored, i[1]);
  for (const char* name : {is_conv ? "W" : "A", is_conv ? "padded" : "B"}) {
    s.compute_at(s.cache_read(product, name, "shared.swizzled"), step);
  }
  if (is_conv) s.compute_inline(s.get_block("padded"));
  if (shape.stages > 1) s.annotate(step, "pipeline_stages", shape.stages);
  const auto own = s.get_loops(stored);
  s.tensorize(s.split(own[own.size() - 2], {std::nullopt, p.m})[1], p.name + (rounds ? ".store_half" : ".store"));
  const BlockRV zero = s.decompose_reduction(product, step);
  s.tensorize(i[2], p.name + ".product");
  const auto zeros = s.get_loops(zero);
  s.tensorize(zeros[zeros.size() - 2], p.name + ".product");
  return s;
}

// Images lie innermost: both sides of the product are transposed, as a matrix that is stored by columns is.
ir::PrimFunc conv2d(int64_t size, int64_t in, int64_t out, int64_t batch) {
  const te::Tensor w = te::placeholder({3, 3, in, out}, kFloat16, "W");
  const te::Tensor a = te::placeholder({size, size, in, batch}, kFloat16, "A");
  const te::Tensor padded = te::compute(
      {size + 2, size + 2, in, batch},
      [&](ir::Expr y, ir::Expr x, ir::Expr c, ir::Expr n) {
        const ir::Expr inside = y >= 1 && y < size + 1 && x >= 1 && x < size + 1;
        return te::if_then_else(inside, a(y - 1, x - 1, c, n), ir::make_zero(kFloat16));
      },
      "padded");
  const te::ReduceAxis c = te::reduce_axis(in, "c"), ky = te::reduce_axis(3, "ky"), kx = te::reduce_axis(3, "kx");
  const te::Tensor sums = te::compute(
      {size, size, out, batch},
      [&](ir::Expr y, ir::Expr x, ir::Expr o, ir::Expr n) {
        return te::sum(cast(kFloat32, w(ky, kx, c, o)) * cast(kFloat32, padded(y + ky, x + kx, c, n)), {c, ky, kx});
      },
      "C");
  return te::create_prim_func({w, a, sums}, "conv2d");
}

struct Case {
  std::string product;
  ir::PrimFunc function;
  Shape shape;
  bool many_steps = true;
};

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  const auto add = [&](const std::string& product, const Sizes& sizes, DType out, const Shape& shape) {
    cases.push_back(
        {product, matmul(sizes, cuda::find_tile_product(product), out, fmt::format("f{}", cases.size())), shape});
  };
  add("group.f16_nt.n64", {128, 64, 256}, kFloat32, {2, 4, 3});
  add("group.f16_nt.n256", {64, 256, 128}, kFloat16, {1, 4, 3});
  add("group.f16_nn.n128", {64, 128, 320}, kFloat32, {1, 4, 4});
  add("group.f16_tn.n64", {128, 64, 256}, kFloat32, {2, 4, 3});
  add("group.f16_tt.n128", {64, 128, 256}, kFloat32, {1, 4, 3});
  add("group.bf16_nt.n64", {64, 64, 256}, kBFloat16, {1, 4, 3});
  add("group.bf16_tn.n128", {64, 128, 256}, kFloat32, {1, 4, 3});
  // Two columns of 128 bytes along the depth.
  add("group.f16_nt.n64", {64, 64, 512}, kFloat32, {1, 8, 3});
  add("group.i8_nt.n64", {128, 64, 512}, kInt32, {2, 4, 3});
  add("group.i8_nt.n128", {64, 128, 512}, kInt32, {1, 4, 3});
  // Shared memory of 48 KB to the byte, and what copies are counted by.
  add("group.f16_nt.n64", {64, 64, 256}, kFloat32, {1, 4, 3});
  // Fewer steps than stages.
  add("group.f16_nt.n64", {64, 64, 128}, kFloat32, {1, 4, 5});
  cases.push_back({"group.f16_tn.n64", conv2d(1, 64, 64, 64), {1, 4, 3}});
  return cases;
}

void check(const std::vector<Case>& cases) {
  std::vector<ScheduledProduct> products;
  for (const Case& c : cases) {
    products.push_back({c.function, scheduled(c.function, cuda::find_tile_product(c.product), c.shape)});
  }
  const std::vector<cuda::Module> modules = check_products(products);
  for (size_t i = 0; i < cases.size(); ++i) {
    const std::string text = test::source_of({modules[i]});
    INFO(text);
    // One barrier in an iteration of a pipeline is enough, where there are more of them than places.
    if (cases[i].many_steps) CHECK(text.find("__syncthreads") == text.rfind("__syncthreads"));
  }
  if (const auto nvrtc = test::nvrtc_if_here()) {
    CHECK(test::complaint(*nvrtc, test::source_of(modules), "sm_90a") == "");
  }
}

}  // namespace

TEST_CASE("warpgroups multiply what the copy engine brings", "[unit]") {
  check(all_cases());
}

TEST_CASE("random products by warpgroups compute what they should", "[property]") {
  std::mt19937_64 random = test::generator(20261127);
  const auto draw = [&](int64_t from, int64_t to) {
    return from + static_cast<int64_t>(random() % static_cast<uint64_t>(to - from + 1));
  };
  std::vector<cuda::TileProduct> products;
  for (const cuda::TileProduct& p : cuda::tile_products()) {
    if (p.by_group && p.n == 64) products.push_back(p);
  }
  std::vector<Case> cases;
  for (int i = 0; i < test::rounds(4); ++i) {
    const cuda::TileProduct& p = products[random() % products.size()];
    const Shape shape = {draw(1, 2), 4, draw(3, 5)};
    const int64_t steps = draw(1, 5);
    const Sizes sizes = {shape.groups * p.m, p.n, shape.pieces * p.k * steps};
    const DType out = p.sum == kFloat32 && draw(0, 1) == 1 ? p.operand : p.sum;
    cases.push_back({p.name, matmul(sizes, p, out, fmt::format("f{}", cases.size())), shape, steps > shape.stages});
  }
  check(cases);
}

TEST_CASE("warpgroups are refused where there are none", "[unit]") {
  cuda::require_warpgroups(cuda::find_architecture("sm_90a"), "f");
  for (const char* other : {"sm_80", "sm_90", "sm_100", "sm_92"}) {
    CHECK(ERROR_OF(cuda::require_warpgroups(cuda::nearest_architecture(other), "f")) ==
          fmt::format("f: products of warpgroups and copies of boxes are instructions of sm_90a, and {} has none; take "
                      "those of warps (tile.*) and memory of scope \"shared\"",
                      other));
  }
  const auto nvrtc = test::nvrtc_if_here();
  if (nvrtc == nullptr) return;
  const Case c = all_cases().front();
  const ir::PrimFunc s = scheduled(c.function, cuda::find_tile_product(c.product), c.shape).function();
  CHECK_THAT(ERROR_OF(cuda::compile(s, {.architecture = "sm_80"}, *nvrtc)),
             ContainsSubstring("f0_kernel: products of"));
}

TEST_CASE("a device has boxes of tensors copied", "[unit]") {
  std::vector<ir::PrimFunc> schedules;
  std::vector<Case> cases;
  for (Case& c : all_cases()) {
    if (c.product == "group.f16_nt.n64" || c.product == "group.bf16_nt.n64" || c.function.name == "conv2d")
      cases.push_back(std::move(c));
  }
  for (const Case& c : cases)
    schedules.push_back(scheduled(c.function, cuda::find_tile_product(c.product), c.shape).function());
  const GpuPrograms programs(std::move(schedules));
  const auto run_all = [&](const driver::CudaOptions& options) {
    const auto device = driver::Cuda::open("cuda:", options);
    for (size_t i = 0; i < cases.size(); ++i) {
      const std::vector<Tensor> arrays = small_arrays(cases[i].function);
      const std::vector<Tensor> expected = test::run(cases[i].function, arrays);
      std::vector<std::unique_ptr<driver::GpuTensor>> tensors;
      std::vector<const DLTensor*> pointers;
      for (const Tensor& array : arrays) {
        tensors.push_back(std::make_unique<driver::GpuTensor>(*device, array));
        pointers.push_back(tensors.back()->tensor());
      }
      const auto loaded = device->load(programs.get(i, options), pointers);
      loaded->run();
      CHECK_FALSE(difference(expected.back(), tensors.back()->read()));
    }
  };
  run_all(stand_in_apart());
  // Machine code for warpgroups needs a GPU that has them.
  if (has_real_gpu() &&
      cuda::architecture_of(driver::Cuda::open("cuda:", some_gpu())->info().capability).has_warpgroups) {
    run_all(some_gpu());
  }
}

TEST_CASE("memory that is swizzled is filled by boxes, in a pipeline, and read by warpgroups", "[unit]") {
  const cuda::TileProduct& p = cuda::find_tile_product("group.f16_nt.n64");
  const auto lowered = [&](const ir::PrimFunc& function) {
    return ERROR_OF(cuda::write_kernel(cuda::split_kernels(cuda::lower(function)).kernels.at(0)));
  };
  const ir::PrimFunc function = matmul({64, 64, 256}, p, kFloat32, "f");
  CHECK(lowered(scheduled(function, p, {1, 4, 1}).function()) ==
        "A_swizzled is filled by copies of boxes, which a pipeline waits for; note pipeline_stages at the loop around "
        "them");
  CHECK(lowered(scheduled(function, p, {1, 4, 2}).function()) ==
        "the loop k_0 is to have two stages, and products of warpgroups, which run beside it, take a third");
  // A piece of the depth that is no whole row.
  CHECK_THAT(lowered(scheduled(function, p, {1, 2, 3}).function()),
             ContainsSubstring("64 rows of 32 elements; rows are a multiple of 8, and what lies in one of 128 bytes"));
  // What is no copy of a tensor.
  const std::string text = R"(@T.prim_func
def f(A: T.Buffer((64, 64), "float16"), C: T.Buffer((64, 64), "float16")):
    for b in T.thread_binding(1, thread="blockIdx.x"):
        S = T.allocate((64, 64), "float16", scope="shared.swizzled")
        for i, j in T.grid(64, 64):
            S[{}] = {}
        for t in T.thread_binding(64, thread="threadIdx.x"):
            C[t, 0] = {}
)";
  const auto refused = [&](const std::string& index, const std::string& value, const std::string& read) {
    return lowered(ir::parse_function(fmt::format(fmt::runtime(text), index, value, read), "f", cuda::call_touches()));
  };
  const std::string zero = "T.float16(0)";
  CHECK_THAT(
      refused("i, j", "A[i, j] + A[i, j]", zero),
      ContainsSubstring("S of scope shared.swizzled is filled by copies of boxes of a tensor, but A[i, j] + A[i, "
                        "j] is no element of a tensor"));
  CHECK_THAT(refused("i, j", "A[j, i]", zero), ContainsSubstring("a box of A lies in another order"));
  CHECK_THAT(refused("i, j", "A[i, j % 8 * 8 + j // 8]", zero), ContainsSubstring("does not go on by one element"));
  CHECK_THAT(refused("i, j", "A[i, j // 2]", zero), ContainsSubstring("j // 2 does not go on by one element"));
  CHECK_THAT(refused("i, j", "T.if_then_else(i < 7, A[i, j], T.float16(0))", zero),
             ContainsSubstring("i < 7 is more than being inside of A"));
  CHECK_THAT(refused("i, j", "T.if_then_else(i >= 1, A[i - 1, j], T.float16(1))", zero),
             ContainsSubstring("T.float16(1) stands outside, where a copy has 0"));
  // Loops that go through an element's row in another order.
  const std::string turned = R"(@T.prim_func
def f(A: T.Buffer((64, 64), "float16"), C: T.Buffer((64, 64), "float16")):
    for b in T.thread_binding(1, thread="blockIdx.x"):
        S = T.allocate((64, 64), "float16", scope="shared.swizzled")
        for i, j, k in T.grid(64, 8, 8):
            S[i, j * 8 + k] = A[i, k * 8 + j]
        for t in T.thread_binding(64, thread="threadIdx.x"):
            C[t, 0] = T.float16(0)
)";
  CHECK_THAT(lowered(ir::parse_function(turned, "f", cuda::call_touches())),
             ContainsSubstring("a box of A lies in another order"));
  // What the kernel itself writes.
  const std::string own = R"(@T.prim_func
def f(A: T.Buffer((256, 64), "float16"), B: T.Buffer((4, 128), "float16")):
    for t in T.thread_binding(128, thread="threadIdx.x"):
        A[t, 0] = T.float16(1)
        for k in T.serial(4, annotations={"pipeline_stages": 2}):
            S = T.allocate((64, 64), "float16", scope="shared.swizzled")
            if t == 0:
                for i, j in T.grid(64, 64):
                    S[i, j] = A[k * 64 + i, j]
            B[k, t] = T.float16(1)
)";
  CHECK_THAT(lowered(ir::parse_function(own, "f", cuda::call_touches())),
             ContainsSubstring("f_kernel: boxes of A are copied in the kernel that writes it"));
  // A copy that is not always made would be waited for in vain.
  const std::string guarded = R"(@T.prim_func
def f(A: T.Buffer((256, 64), "float16"), C: T.Buffer((64, 64), "float32")):
    for t in T.thread_binding(128, thread="threadIdx.x"):
        sums = T.allocate((64, 64), "float32", scope="warpgroup")
        if T.by_warp(t == 0):
            T.cuda.fill_tile(sums[0:64, 0:64])
        for k in T.serial(4, annotations={"pipeline_stages": 3}):
            S = T.allocate((64, 64), "float16", scope="shared.swizzled")
            if t == 0:
                if k < 3:
                    for i, j in T.grid(64, 64):
                        S[i, j] = A[k * 64 + i, j]
            if T.by_warp(t == 0):
                T.cuda.multiply_tiles(sums[0:64, 0:64], S[0:64, 0:16], S[0:64, 0:16], 0, 1)
        if T.by_warp(t == 0):
            T.cuda.store_tile(C[0:64, 0:64], sums[0:64, 0:64])
)";
  CHECK(lowered(ir::parse_function(guarded, "f", cuda::call_touches())) ==
        "copies of boxes of a pipeline are awaited in each of its iterations, and these are made only where k < 3");
  // Threads do not read it.
  const std::string read = R"(@T.prim_func
def f(A: T.Buffer((256, 64), "float16"), C: T.Buffer((4, 64), "float16")):
    for b in T.thread_binding(1, thread="blockIdx.x"):
        for k in T.serial(4, annotations={"pipeline_stages": 2}):
            S = T.allocate((64, 64), "float16", scope="shared.swizzled")
            for i, j in T.grid(64, 64):
                S[i, j] = A[k * 64 + i, j]
            for t in T.thread_binding(64, thread="threadIdx.x"):
                C[k, t] = S[t, 0]
)";
  CHECK(lowered(ir::parse_function(read, "f", cuda::call_touches())) ==
        "S of scope shared.swizzled has its elements in an order that threads do not see; only products of warpgroups "
        "read it");
}

}  // namespace vantage::test::compiler_backend_cuda_warpgroups_test
