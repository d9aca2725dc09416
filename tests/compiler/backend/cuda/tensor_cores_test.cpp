// Products by tensor cores: schedules of warps and tiles compute what they should, as kernels, too.
#include "compiler/backend/cuda/tensor_cores.h"

#include "compiler/backend/cuda/externs.h"
#include "compiler/backend/cuda/lower.h"
#include "compiler/backend/cuda/program.h"
#include "compiler/backend/cuda/shared_banks.h"
#include "compiler/backend/cuda/split_kernels.h"
#include "compiler/ir/parse_function.h"
#include "compiler/ir/printer.h"
#include "compiler/schedule/schedule.h"
#include "compiler/te/te.h"
#include "tests/catch.h"
#include "tests/compiler/backend/cuda/on_processor.h"
#include "tests/compiler/backend/cuda/tile_products.h"
#include "tests/compiler/schedule/random_te.h"
#include "tests/driver/cuda/on_gpu.h"
#include "tests/support/effort.h"

namespace vantage::test::compiler_backend_cuda_tensor_cores_test {

using namespace vantage;
using namespace vantage::schedule;

namespace {

// Blocks of warps, each with a few tiles; what a block needs of a piece of the depth is fetched by all its threads.
struct Shape {
  int64_t warps_m = 2, warps_n = 2, tiles_m = 2, tiles_n = 2, tiles_k = 2;
  int64_t stages = 1;
};

// The last two loops of a block become one of tiles.
void take_tiles(Schedule& s, BlockRV block, const std::vector<int64_t>& sides, const std::string& intrinsic) {
  const auto own = s.get_loops(block);
  const auto rows = s.split(own[own.size() - 2], {std::nullopt, sides[0]});
  const auto columns = s.split(own.back(), {std::nullopt, sides[1]});
  s.reorder({rows[0], columns[0], rows[1], columns[1]});
  s.tensorize(rows[1], intrinsic);
}

Schedule scheduled(const ir::PrimFunc& function, const cuda::TileProduct& p, const Shape& shape) {
  Schedule s(function, cuda::tensor_core_intrinsics(p));
  const BlockRV product = s.get_block("C");
  const bool rounds = function.buffers().back()->name == "D";
  const auto loops = s.get_loops(product);
  const auto i = s.split(loops[0], {std::nullopt, shape.warps_m, shape.tiles_m, p.m});
  const auto j = s.split(loops[1], {std::nullopt, shape.warps_n, shape.tiles_n, p.n});
  const auto k = s.split(loops[2], {std::nullopt, shape.tiles_k, p.k});
  s.reorder({i[0], j[0], i[1], j[1], k[0], k[1], i[2], j[2], i[3], j[3], k[2]});
  s.bind(i[0], "blockIdx.y");
  s.bind(j[0], "blockIdx.x");
  s.bind(i[1], "threadIdx.z");
  s.bind(j[1], "threadIdx.y");
  const BlockRV stored = rounds ? s.get_block("D") : s.cache_write(product, "warp");
  if (rounds) s.set_scope(product, "warp");
  s.reverse_compute_at(stored, j[1]);
  for (const std::string name : {"A", "B"}) {
    const BlockRV fetched = s.cache_read(product, name, "shared");
    const BlockRV tiles = s.cache_read(product, name + "_shared", "warp");
    s.compute_at(tiles, k[1]);
    s.compute_at(fetched, k[0]);
    const auto own = s.get_loops(fetched);
    const int64_t lanes = 16 / p.operand.bytes();
    const auto parts = s.split(s.fuse({own[own.size() - 2], own.back()}),
                               {std::nullopt, shape.warps_m, shape.warps_n, cuda::kWarpThreads, lanes});
    s.bind(parts[1], "threadIdx.z");
    s.bind(parts[2], "threadIdx.y");
    s.bind(parts[3], "threadIdx.x");
    s.vectorize(parts[4]);
    // Rows that follow each other lie in different banks.
    s.storage_align(fetched, 0, lanes * 8, lanes);
    const bool is_a = name == "A";
    take_tiles(s, tiles, is_a ? p.a_shape() : p.b_shape(), p.name + (is_a ? ".load_a" : ".load_b"));
  }
  if (shape.stages > 1) s.annotate(k[0], "pipeline_stages", shape.stages);
  take_tiles(s, stored, {p.m, p.n}, p.name + (rounds ? ".store_half" : ".store"));
  const BlockRV zero = s.decompose_reduction(product, k[0]);
  s.tensorize(i[3], p.name + ".product");
  const auto zeros = s.get_loops(zero);
  s.tensorize(zeros[zeros.size() - 2], p.name + ".product");
  return s;
}

struct Case {
  std::string product;
  Sizes sizes;
  DType out;
  Shape shape;
};

// NVIDIA's compiler takes them as well.
std::vector<cuda::Module> check(const std::vector<Case>& cases) {
  std::vector<ScheduledProduct> products;
  for (const Case& c : cases) {
    const cuda::TileProduct& p = cuda::find_tile_product(c.product);
    const ir::PrimFunc function = matmul(c.sizes, p, c.out, fmt::format("f{}", products.size()));
    products.push_back({function, scheduled(function, p, c.shape)});
  }
  const std::vector<cuda::Module> modules = check_products(products);
  std::vector<cuda::Module> of_all;  // those that every architecture has
  for (size_t i = 0; i < cases.size(); ++i) {
    if (cuda::find_tile_product(cases[i].product).operand != kBFloat16) of_all.push_back(modules[i]);
  }
  if (const auto nvrtc = test::nvrtc_if_here()) {
    CHECK(test::complaint(*nvrtc, test::source_of(of_all), "sm_75") == "");
    for (const char* architecture : {"sm_80", "sm_90a"}) {
      CHECK(test::complaint(*nvrtc, test::source_of(modules), architecture) == "");
    }
  }
  return modules;
}

}  // namespace

TEST_CASE("what is no pipeline, and warps that are none, are refused", "[unit]") {
  const cuda::TileProduct& p = cuda::find_tile_product("tile.f16_nn");
  const ir::PrimFunc function = matmul({64, 64, 64}, p, kFloat32, "f");
  Schedule alone(function);
  const auto loops = alone.get_loops(alone.get_block("C"));
  alone.bind(loops[0], "threadIdx.x");
  alone.annotate(loops[2], "pipeline_stages", 3);
  CHECK(ERROR_OF(cuda::lower(alone.function())) ==
        "the loop k is to be a pipeline, but does not begin by bringing to shared memory what it then uses; compute_at "
        "what fills shared memory at this loop");
  Schedule one(function);
  one.annotate(one.get_loops(one.get_block("C"))[2], "pipeline_stages", 1);
  CHECK(ERROR_OF(cuda::lower(one.function())) == "the loop k is noted to have 1 stages; a pipeline has two or more");
  CHECK(ERROR_OF(cuda::lower(ir::parse_function(R"(@T.prim_func
def f(A: T.Buffer((4,), "float32")):
    for t in T.thread_binding(1, thread="threadIdx.x"):
        for k in T.serial(4, annotations={"pipeline_stages": "two"}):
            A[k] = T.float32(0)
)",
                                                "f"))) ==
        "the loop k is noted to have \"two\" stages; a pipeline has two or more");
  // Nothing else is bound to threadIdx.x than what stores a tile.
  Schedule s(matmul({16, 8, 16}, p, kFloat32, "f"), cuda::tensor_core_intrinsics(p));
  const BlockRV product = s.get_block("C");
  for (const char* name : {"A", "B"}) {
    s.cache_read(product, name, "shared");
    const BlockRV tiles = s.cache_read(product, std::string(name) + "_shared", "warp");
    s.tensorize(s.get_loops(tiles)[0], p.name + (std::string(name) == "A" ? ".load_a" : ".load_b"));
  }
  const BlockRV stored = s.cache_write(product, "warp");
  s.tensorize(s.get_loops(stored)[0], p.name + ".store");
  s.tensorize(s.get_loops(product)[0], p.name + ".product");
  // A kernel of one thread.
  const cuda::Module module = cuda::split_kernels(cuda::lower(s.function()));
  CHECK(ERROR_OF(cuda::write_kernel(module.kernels.at(0))) ==
        "f_kernel: tensor cores are used by warps of 32 threads, and 1 are bound to threadIdx.x; bind a loop of 32 "
        "iterations of what the block does to it, and loops over warps to threadIdx.y");
}

TEST_CASE("what a warp does together stays apart from what its first thread does", "[unit]") {
  // B is fetched by one thread, and the tiles' calls stand right behind that.
  const std::string text = R"(@T.prim_func
def f(A: T.Buffer((16, 16), "float16"), B: T.Buffer((16, 8), "float16"), C: T.Buffer((16, 8), "float32"), D: T.Buffer((1,), "float32")):
    for b in T.thread_binding(1, thread="blockIdx.x"):
        C_warp = T.allocate((16, 8), "float32", scope="warp")
        B_warp = T.allocate((16, 8), "float16", scope="warp")
        A_warp = T.allocate((16, 16), "float16", scope="warp")
        B_shared = T.allocate((16, 8), "float16", scope="shared")
        A_shared = T.allocate((16, 16), "float16", scope="shared")
        for i in range(8):
            for t in T.thread_binding(32, thread="threadIdx.x"):
                A_shared[i * 2 + t // 16, t % 16] = A[i * 2 + t // 16, t % 16]
        for i_1, j in T.grid(16, 8):
            B_shared[i_1, j] = B[i_1, j]
        T.cuda.load_tile_b(B_warp[0:16, 0:8], B_shared[0:16, 0:8])
        T.cuda.load_tile_a(A_warp[0:16, 0:16], A_shared[0:16, 0:16])
        T.cuda.fill_tile(C_warp[0:16, 0:8])
        T.cuda.multiply_tiles(C_warp[0:16, 0:8], A_warp[0:16, 0:16], B_warp[0:16, 0:8], 0, 0)
        T.cuda.store_tile(C[0:16, 0:8], C_warp[0:16, 0:8])
        D[0] = T.float32(1)
)";
  const ir::PrimFunc function = ir::parse_function(text, "f", cuda::call_touches());
  const ir::PrimFunc lowered = cuda::lower(function);
  std::mt19937_64 random(1);
  auto arrays = test::random_arrays(function, random);
  for (Tensor& array : arrays) {
    for (int64_t e = 0; e < array.size(); ++e) array.set_number(e, static_cast<double>(random() % 16) - 8);
  }
  ir::InterpreterOptions options;
  options.externs = cuda::externs();
  const auto expected = test::run(lowered, arrays, options);
  const std::vector<cuda::Module> modules = {cuda::split_kernels(lowered)};
  const std::string code = test::source_of(modules);
  INFO(ir::to_text(lowered) << code);
  CHECK(test::first_difference(function, expected, test::OnProcessor(modules).run(0, arrays)) == "");
  // The warp waits for its first thread before it takes what that has fetched.
  CHECK(code.find("__syncthreads") < code.find("vt::load_tile_b("));
  const size_t end = code.rfind("}", code.find("__syncthreads"));
  CHECK(code.find("B_shared[i_1 * 8 + j]") < end);
}

TEST_CASE("tiles are taken as they were loaded, once by a warp", "[unit]") {
  const auto refused = [](const std::string& body) {
    const std::string head =
        "@T.prim_func\ndef f(A: T.Buffer((512, 16), \"float16\"), B: T.Buffer((16, 8), \"float16\"), C: T.Buffer((16, "
        "8), "
        "\"float32\")):\n";
    const cuda::Module module =
        cuda::split_kernels(cuda::lower(ir::parse_function(head + body, "f", cuda::call_touches())));
    return ERROR_OF(cuda::write_kernel(module.kernels.at(0)));
  };
  const std::string fetched = R"(    for b in T.thread_binding(1, thread="blockIdx.x"):
        C_warp = T.allocate((16, 8), "float32", scope="warp")
        B_warp = T.allocate((16, 8), "float16", scope="warp")
        A_warp = T.allocate((16, 16), "float16", scope="warp")
        B_shared = T.allocate((16, 8), "float16", scope="shared")
        A_shared = T.allocate((512, 16), "float16", scope="shared")
        for i in range(256):
            for t in T.thread_binding(32, thread="threadIdx.x"):
                A_shared[i * 2 + t // 16, t % 16] = A[i * 2 + t // 16, t % 16]
        for i_1 in range(4):
            for t_1 in T.thread_binding(32, thread="threadIdx.x"):
                B_shared[i_1 * 4 + t_1 // 8, t_1 % 8] = B[i_1 * 4 + t_1 // 8, t_1 % 8]
        T.cuda.fill_tile(C_warp[0:16, 0:8])
        T.cuda.load_tile_b(B_warp[0:16, 0:8], B_shared[0:16, 0:8])
)";
  CHECK(refused(fetched + R"(        T.cuda.load_tile_a(A_warp[0:16, 0:16], A_shared[0:16, 0:16])
        T.cuda.multiply_tiles(C_warp[0:16, 0:8], A_warp[0:16, 0:16], B_warp[0:16, 0:8], 1, 0)
        T.cuda.store_tile(C[0:16, 0:8], C_warp[0:16, 0:8])
)") == "A_warp[0:16, 0:16] is multiplied as a tile that cuda.load_tile_a_transposed brings, but cuda.load_tile_a "
       "brought it; take the load_a and load_b of the same product");
  CHECK(
      refused(fetched + R"(        T.cuda.multiply_tiles(C_warp[0:16, 0:8], A_warp[0:16, 0:16], B_warp[0:16, 0:8], 0, 0)
        T.cuda.store_tile(C[0:16, 0:8], C_warp[0:16, 0:8])
)") == "A_warp[0:16, 0:16] is multiplied as a tile that cuda.load_tile_a brings, but nothing was loaded there; take "
       "the load_a and load_b of the same product");
  std::string halves = fetched + R"(        T.cuda.load_tile_a(A_warp[0:16, 0:16], A_shared[0:16, 0:16])
        T.cuda.multiply_tiles(C_warp[0:16, 0:8], A_warp[0:16, 0:16], B_warp[0:16, 0:8], 0, 0)
        T.cuda.store_tile(C[0:16, 0:8], C_warp[0:16, 0:8])
)";
  halves.replace(halves.find("float32"), 7, "float16");
  CHECK(refused(halves) == "C_warp[0:16, 0:8]: tensor cores add up no products in float16");
  std::string wholes = halves;
  const std::string sums = "C_warp = T.allocate((16, 8), \"";
  wholes.replace(wholes.find(sums) + sums.size(), 7, "int32");
  CHECK(refused(wholes) ==
        "C_warp[0:16, 0:8] is int32 and adds up products of float16 and float16; tensor cores have float16 to "
        "float32, bfloat16 to float32, int8 to int32");
  // A condition of single threads around what their warp does.
  CHECK_THAT(
      refused(fetched + R"(        T.cuda.load_tile_a(A_warp[0:16, 0:16], A_shared[0:16, 0:16])
        for t_2 in T.thread_binding(32, thread="threadIdx.x"):
            if t_2 < 16:
                if T.by_warp(t_2 == 0):
                    T.cuda.multiply_tiles(C_warp[0:16, 0:8], A_warp[0:16, 0:16], B_warp[0:16, 0:8], 0, 0)
        T.cuda.store_tile(C[0:16, 0:8], C_warp[0:16, 0:8])
)"),
      ContainsSubstring("cuda.multiply_tiles stands under a condition or in a loop that differs among the threads"));
  CHECK_THAT(refused(fetched + R"(        for t_2 in T.thread_binding(32, thread="threadIdx.x"):
            T.cuda.load_tile_a(A_warp[0:16, 0:16], A_shared[t_2 * 16:t_2 * 16 + 16, 0:16])
        T.cuda.multiply_tiles(C_warp[0:16, 0:8], A_warp[0:16, 0:16], B_warp[0:16, 0:8], 0, 0)
        T.cuda.store_tile(C[0:16, 0:8], C_warp[0:16, 0:8])
)"),
             ContainsSubstring("a warp does it once, and loops over warps are bound to threadIdx.y or .z"));
}

TEST_CASE("what is no tile of a product, or lies where it cannot, is refused", "[unit]") {
  // The statements of a warp, on such tiles.
  const auto refused = [](const std::string& tiles, const std::string& body, int threads = 32) {
    const std::string text =
        "@T.prim_func\ndef f(A: T.Buffer((64, 64), \"float16\"), C: T.Buffer((64, 64), \"float32\")):\n"
        "    for t in T.thread_binding(" +
        std::to_string(threads) + ", thread=\"threadIdx.x\"):\n" + tiles +
        "        if T.by_warp(t == 0):\n            T.cuda." + body + "\n";
    const cuda::Module module = cuda::split_kernels(cuda::lower(ir::parse_function(text, "f", cuda::call_touches())));
    return ERROR_OF(cuda::write_kernel(module.kernels.at(0)));
  };
  const auto tile = [](const std::string& name, const std::string& shape, const std::string& dtype,
                       const std::string& scope) {
    return fmt::format("        {} = T.allocate({}, \"{}\", scope=\"{}\")\n", name, shape, dtype, scope);
  };
  const std::string no_tile = " is no tile that tensor cores take: such a one of ";
  const std::string wide = tile("X", "(16, 16)", "float32", "warp");
  CHECK(refused(wide, "fill_tile(X[0:16, 0:16])") ==
        "X[0:16, 0:16]" + no_tile + "float32 has 16 x 8 elements in the last two dimensions");
  CHECK(refused(tile("X", "(2, 16, 8)", "float32", "warp"), "fill_tile(X[0:2, 0:16, 0:8])") ==
        "X[0:2, 0:16, 0:8]" + no_tile + "float32 has 16 x 8 elements in the last two dimensions");
  CHECK(refused(tile("X", "(64, 32)", "float32", "warpgroup"), "fill_tile(X[0:64, 0:32])", 128) ==
        "X[0:64, 0:32]" + no_tile + "float32 has 64 x 64 or 64 x 128 or 64 x 256 elements in the last two dimensions");
  CHECK(refused(tile("X", "(16, 8)", "float32", "local"), "fill_tile(X[0:16, 0:8])") ==
        "X[0:16, 0:8] is of scope \"local\", and this call takes what is in \"warp\"; bring it there first");
  const std::string shared = tile("S", "(64, 64)", "float16", "shared");
  const std::string left = tile("X", "(16, 16)", "float16", "warp"), narrow = tile("X", "(16, 8)", "float16", "warp");
  CHECK(refused(shared + narrow, "load_tile_a(X[0:16, 0:8], S[0:16, 0:8])") ==
        "X[0:16, 0:8]" + no_tile + "float16 has 16 x 16 elements in the last two dimensions");
  CHECK(refused(shared + left, "load_tile_a(X[0:16, 0:16], S[0:32, 0:8])") ==
        "S[0:32, 0:8]" + no_tile + "float16 has 16 x 16 elements in the last two dimensions");
  CHECK(refused(left, "load_tile_a(X[0:16, 0:16], A[0:16, 0:16])") ==
        "A[0:16, 0:16] is of scope \"global\", and this call takes what is in \"shared\"; bring it there first");
  CHECK(refused(tile("S", "(64, 64)", "float16", "shared.swizzled") + left,
                "load_tile_a(X[0:16, 0:16], S[0:16, 0:16])") ==
        "S[0:16, 0:16] is of scope \"shared.swizzled\", and this call takes what is in \"shared\"; bring it there "
        "first");
  CHECK(refused(tile("S", "(64, 64)", "int8", "shared") + tile("X", "(32, 16)", "int8", "warp"),
                "load_tile_a_transposed(X[0:32, 0:16], S[0:32, 0:16])") ==
        "X[0:32, 0:16]: tensor cores have no product of int8 whose left side is transposed");
  const std::string sums = tile("X", "(16, 8)", "float32", "warp");
  CHECK(refused(tile("X", "(16,)", "float16", "warp"), "fill_tile(X[0:16])") ==
        "X[0:16]: tensor cores add up no products in float16");
  CHECK(refused(sums, "fill_tile(3)") ==
        "cuda.fill_tile takes 1 boxes of buffers and 0 numbers, and is given "
        "T.cuda.fill_tile(3)");
  CHECK_THAT(refused(sums, "multiply_tiles(X[0:16, 0:8], X[0:16, 0:8], X[0:16, 0:8])"),
             ContainsSubstring("takes 3 boxes of buffers and 2 numbers"));
  for (const char* scope : {"local", "shared.swizzled"}) {
    CHECK(refused(sums + tile("L", "(64, 64)", "float32", scope), "store_tile(L[0:16, 0:8], X[0:16, 0:8])") ==
          fmt::format("L[0:16, 0:8] is of scope \"{}\", and tiles are stored to what a block's threads share: "
                      "\"shared\", or a parameter",
                      scope));
  }
  CHECK(refused(sums, "store_tile(C[0:16, 0:16], X[0:16, 0:8])") ==
        "C[0:16, 0:16]" + no_tile + "float32 has 16 x 8 elements in the last two dimensions");
}

TEST_CASE("warps multiply tiles by tensor cores", "[unit]") {
  const std::vector<Case> cases = {
      {"tile.f16_nn", {64, 64, 128}, kFloat32, {2, 2, 2, 4, 4}},
      {"tile.f16_nn", {64, 64, 64}, kFloat16, {2, 1, 2, 8, 4}},
      {"tile.f16_nt", {32, 32, 64}, kFloat32, {1, 2, 2, 2, 4}},
      {"tile.f16_tn", {64, 64, 64}, kFloat32, {1, 2, 4, 4, 2}},
      {"tile.f16_tt", {64, 64, 128}, kFloat16, {1, 2, 4, 4, 4, 2}},
      {"tile.i8_nt", {64, 32, 256}, kInt32, {2, 2, 2, 2, 4}},
      {"tile.f16_nn", {64, 64, 256}, kFloat32, {2, 2, 2, 4, 4, 3}},
      {"tile.f16_nt", {32, 32, 192}, kFloat32, {1, 2, 2, 2, 4, 4}},
      {"tile.bf16_nt", {32, 32, 64}, kFloat32, {1, 2, 2, 2, 4}},
      {"tile.bf16_tn", {64, 64, 64}, kBFloat16, {1, 2, 4, 4, 2}},
  };
  const std::vector<cuda::Module> modules = check(cases);
  for (size_t i = 0; i < cases.size(); ++i) {
    const std::string text = test::source_of({modules[i]});
    INFO(text);
    CHECK(text.find("vt::multiply_tiles(") != std::string::npos);
    if (cases[i].shape.stages == 1) CHECK(text.find("if (") == std::string::npos);
    // One in an iteration of a pipeline is enough.
    if (cases[i].shape.stages > 1) CHECK(text.find("__syncthreads") == text.rfind("__syncthreads"));
    CHECK((text.find("vt::copy_async<16>(") != std::string::npos) == (cases[i].shape.stages > 1));
    const cuda::Kernel& kernel = modules[i].kernels[0];
    for (const cuda::BankUse& use : cuda::bank_uses(kernel, cuda::write_kernel(kernel).shared_accesses)) {
      INFO(use.access.text);
      CHECK(use.ways == 1);
    }
  }
}

TEST_CASE("random products by warps compute what they should", "[property]") {
  std::mt19937_64 random(Catch::rngSeed());
  const auto draw = [&](int64_t from, int64_t to) {
    return from + static_cast<int64_t>(random() % static_cast<uint64_t>(to - from + 1));
  };
  std::vector<cuda::TileProduct> products;
  for (const cuda::TileProduct& p : cuda::tile_products()) {
    if (!p.by_group) products.push_back(p);
  }
  std::vector<Case> cases;
  for (int i = 0; i < test::rounds(8); ++i) {
    const cuda::TileProduct& p = products[random() % products.size()];
    const Shape shape = {draw(1, 2), draw(1, 2), draw(1, 3), draw(1, 4), draw(1, 3), draw(1, 4)};
    const Sizes sizes = {shape.warps_m * shape.tiles_m * p.m * draw(1, 2),
                         shape.warps_n * shape.tiles_n * p.n * draw(1, 2), shape.tiles_k * p.k * draw(1, 4)};
    const DType out = p.sum == kFloat32 && draw(0, 1) == 1 ? p.operand : p.sum;
    cases.push_back({p.name, sizes, out, shape});
  }
  check(cases);
}

TEST_CASE("products that an architecture lacks are refused", "[unit]") {
  const cuda::TileProduct& p = cuda::find_tile_product("tile.bf16_nt");
  const ir::PrimFunc s = scheduled(matmul({32, 32, 64}, p, kFloat32, "f"), p, {1, 2, 2, 2, 4}).function();
  const cuda::Kernel kernel = cuda::split_kernels(cuda::lower(s)).kernels.at(0);
  const cuda::KernelCode code = cuda::write_kernel(kernel);
  const auto refused = [&](const char* architecture) {
    return ERROR_OF(cuda::require_instructions(cuda::find_architecture(architecture), kernel.name, code));
  };
  const std::string expected =
      "f_kernel: products of bfloat16 on tensor cores are instructions of sm_80 and later, and sm_75 has none; take "
      "another type";
  CHECK(refused("sm_75") == expected);
  cuda::require_instructions(cuda::find_architecture("sm_80"), kernel.name, code);
  if (const auto nvrtc = test::nvrtc_if_here()) {
    CHECK(ERROR_OF(cuda::compile(s, {.architecture = "sm_75"}, *nvrtc)) == expected);
  }
}

}  // namespace vantage::test::compiler_backend_cuda_tensor_cores_test
