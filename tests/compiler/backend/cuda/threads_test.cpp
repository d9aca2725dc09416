// Kernels of threads: barriers, cooperative fetching, and what is refused.
#include "compiler/backend/cuda/lower.h"

#include <array>

#include "compiler/backend/cuda/codegen.h"
#include "compiler/backend/cuda/passes/insert_barriers.h"
#include "compiler/backend/cuda/split_kernels.h"
#include "compiler/ir/parse_function.h"
#include "compiler/ir/printer.h"
#include "compiler/ir/verify.h"
#include "compiler/schedule/schedule.h"
#include "compiler/te/te.h"
#include "tests/catch.h"
#include "tests/compiler/schedule/random_te.h"

namespace vantage::test::compiler_backend_cuda_threads_test {

using namespace vantage;
using namespace vantage::schedule;

namespace {

size_t count(const std::string& text, std::string_view what) {
  size_t times = 0;
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++times;
  return times;
}

ir::PrimFunc matmul(int64_t n) {
  const te::Tensor a = te::placeholder({n, n}, kInt32, "A"), b = te::placeholder({n, n}, kInt32, "B");
  const te::ReduceAxis k = te::reduce_axis(n, "k");
  const te::Tensor c = te::compute(
      {n, n}, [&](const ir::Expr& i, const ir::Expr& j) { return te::sum(a(i, k) * b(k, j), {k}); }, "C");
  return te::create_prim_func({a, b, c}, "matmul");
}

// Blocks of 16 x 16 results by 4 x 4 threads, which fetch pieces of A and B together. Indices in bounds need not be
// multiples of anything.
Schedule cooperative(int64_t n) {
  Schedule s(matmul(n));
  const auto c = s.get_block("C");
  const auto loops = s.get_loops(c);
  const auto i = s.split(loops[0], {std::nullopt, 4, 4}), j = s.split(loops[1], {std::nullopt, 4, 4});
  const auto k = s.split(loops[2], {std::nullopt, 8});
  s.reorder({i[0], j[0], i[1], j[1], k[0], k[1], i[2], j[2]});
  s.bind(i[0], "blockIdx.y");
  s.bind(j[0], "blockIdx.x");
  s.bind(i[1], "threadIdx.y");
  s.bind(j[1], "threadIdx.x");
  s.reverse_compute_at(s.cache_write(c, "local"), j[1]);
  for (const char* name : {"A", "B"}) {
    const auto fetched = s.cache_read(c, name, "shared");
    s.compute_at(fetched, k[0]);
    auto own = s.get_loops(fetched);
    const auto both = s.fuse({own[own.size() - 2], own.back()});
    const auto parts = s.split(both, {std::nullopt, 4, 4});
    s.bind(parts[1], "threadIdx.y");
    s.bind(parts[2], "threadIdx.x");
  }
  return s;
}

void check(const ir::PrimFunc& original, const ir::PrimFunc& lowered) {
  std::mt19937_64 random(1);
  const auto arrays = test::random_arrays(original, random);
  REQUIRE(test::first_difference(original, test::run(original, arrays), test::run(lowered, arrays)) == "");
}

}  // namespace

TEST_CASE("threads fetch together what they share", "[unit]") {
  for (const int64_t n : {32, 21}) {
    Schedule s = cooperative(n);
    INFO(ir::to_text(s.function()));
    REQUIRE(ir::verify(s.function()) == std::vector<std::string>());
    const ir::PrimFunc lowered = cuda::lower(s.function());
    const std::string text = ir::to_text(lowered);
    INFO(text);
    check(matmul(n), lowered);
    // What a piece of k needs, of all threads; each waits before it fetches and before it computes.
    CHECK(text.find("A_shared = T.allocate((16, 8), \"int32\", scope=\"shared\")") != std::string::npos);
    CHECK(text.find("B_shared = T.allocate((8, 16), \"int32\", scope=\"shared\")") != std::string::npos);
    CHECK(count(text, "T.storage_sync") == 2);
  }
}

TEST_CASE("barriers are placed where they are missing", "[unit]") {
  const std::string text = R"(@T.prim_func
def tree_sum(A: T.Buffer((3, 16), "int32"), out: T.Buffer((3,), "int32")):
    for b in T.thread_binding(3, thread="blockIdx.x"):
        for t in T.thread_binding(16, thread="threadIdx.x"):
            S = T.allocate((16,), "int32", scope="shared")
            S[t] = A[b, t]
            for step in range(4):
                if t < T.int64(8) >> step:
                    S[t] = S[t] + S[t + (T.int64(8) >> step)]
            if t == 0:
                out[b] = S[0]
)";
  const ir::PrimFunc function = ir::parse_function(text, "tree_sum");
  const ir::PrimFunc safe = cuda::insert_barriers(function);
  const std::string got = ir::to_text(safe);
  INFO(got);
  // One in each step is behind what fills S, too; what thread 0 reads last it has written itself.
  CHECK(count(got, "T.storage_sync") == 1);
  // Those that are there are enough.
  CHECK(ir::to_text(cuda::insert_barriers(safe)) == got);
  std::mt19937_64 random(1);
  const auto arrays = test::random_arrays(function, random);
  const auto result = test::run(safe, arrays);
  for (int64_t b = 0; b < 3; ++b) {
    int32_t sum = 0;
    for (int64_t i = 0; i < 16; ++i) sum = static_cast<int32_t>(sum + arrays[0].integer(b * 16 + i));
    CHECK(result[1].integer(b) == sum);
  }
}

TEST_CASE("a loop that begins with a barrier needs none before it", "[unit]") {
  const auto barriers = [](const std::string& body) {
    const std::string head = "@T.prim_func\ndef f(A: T.Buffer((16,), \"int32\"), B: T.Buffer((16,), \"int32\")):\n";
    const std::string kernel =
        "    for t in T.thread_binding(16, thread=\"threadIdx.x\"):\n"
        "        S = T.allocate((16,), \"int32\", scope=\"shared\")\n";
    const ir::PrimFunc function = ir::parse_function(head + kernel + body, "f");
    const ir::PrimFunc safe = cuda::insert_barriers(function);
    std::mt19937_64 random(1);
    test::run(safe, test::random_arrays(function, random));  // finds races
    return count(ir::to_text(safe), "T.storage_sync");
  };
  // Each iteration waits for the one before; the first for what is before the loop.
  CHECK(barriers(R"(        S[t] = A[t]
        for i in range(4):
            for j in range(2):
                S[15 - t] = A[t] + i + j
                B[t] = S[t]
)") == 2);
  // Barriers of iterations that may not come, or that come behind what must wait.
  CHECK(barriers(R"(        S[t] = A[t]
        for i in range(4):
            B[t] = S[(t + i) % 16]
)") == 1);
  CHECK(barriers(R"(        S[t] = A[t]
        for i in range(4):
            B[t] = S[15 - t]
            T.storage_sync("shared")
            S[t] = A[t] + i
            T.storage_sync("shared")
)") == 3);
  CHECK(barriers(R"(        S[t] = A[t]
        for i in range(4):
            if i > 1:
                T.storage_sync("shared")
            B[t] = S[15 - t]
)") == 2);
}

TEST_CASE("virtual threads differ where they must, and do once what is alike", "[unit]") {
  const std::string head = "@T.prim_func\ndef f(A: T.Buffer((64,), \"int32\"), B: T.Buffer((64,), \"int32\")):\n";
  // S is the same for both; L is not, as the loop that fills it runs longer for one of them.
  const ir::PrimFunc function = ir::parse_function(head + R"(    for v in T.vthread(2):
        for t in T.thread_binding(16, thread="threadIdx.x"):
            S = T.allocate((16,), "int32", scope="shared")
            L = T.allocate((1,), "int32", scope="local")
            S[t] = A[t]
            L[0] = S[15 - t]
            for i in range(v + 1):
                L[0] = L[0] + 1
            B[v * 16 + t] = L[0]
)",
                                                   "f");
  const ir::PrimFunc lowered = cuda::lower(function);
  const std::string text = ir::to_text(lowered);
  INFO(text);
  CHECK(text.find("S = T.allocate((16,)") != std::string::npos);
  CHECK(text.find("L = T.allocate((2, 1)") != std::string::npos);
  CHECK(count(text, "S[t] = A[t]") == 1);
  CHECK(count(text, "T.vthread") == 0);
  std::mt19937_64 random(1);
  const auto arrays = test::random_arrays(function, random);
  const auto result = test::run(lowered, arrays);
  for (int64_t i = 0; i < 32; ++i) {
    CHECK(result[1].integer(i) == static_cast<int32_t>(arrays[0].integer(15 - i % 16) + i / 16 + 1));
  }
  CHECK(ERROR_OF(cuda::lower(ir::parse_function(head + R"(    for v in T.vthread(2):
        for t in T.thread_binding(v + 1, thread="threadIdx.x"):
            B[v * 16 + t] = A[t]
)",
                                                "f"))) ==
        "the loop t is bound to threadIdx.x and has another extent in each virtual thread of the loop v; give it one "
        "that holds for all, with a condition inside");
}

TEST_CASE("elements of several dimensions, counted as one, are different ones", "[unit]") {
  // The number of threads divides none of the sizes, and shares another divisor with each.
  for (const auto& [i, j, k] : {std::array<int64_t, 3>{7, 6, 4}, {5, 39, 12}, {4, 12, 20}, {3, 10, 2}, {9, 5, 7}}) {
    const te::Tensor a = te::placeholder({i, j, k}, kInt32, "A");
    const te::Tensor b = te::compute(
        {i, j, k}, [&](const ir::Expr& x, const ir::Expr& y, const ir::Expr& z) { return a(x, y, z) + 1; }, "B");
    const ir::PrimFunc function = te::create_prim_func({a, b}, "f");
    Schedule s(function);
    const auto parts = s.split(s.fuse(s.get_loops(s.get_block("B"))), {std::nullopt, 32});
    s.bind(parts[0], "blockIdx.x");
    s.bind(parts[1], "threadIdx.x");
    INFO(ir::to_text(s.function()));
    check(function, cuda::lower(s.function()));
  }
}

TEST_CASE("variables of a thread decide nothing about who comes to a barrier", "[unit]") {
  const auto lowered = [](const std::string& body) {
    const std::string head = R"(@T.prim_func
def f(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    for t in T.thread_binding(64, thread="threadIdx.x"):
        S = T.allocate((64,), "float32", scope="shared")
)";
    return ir::to_text(cuda::lower(ir::parse_function(head + body, "f")));
  };
  const std::string barrier = "T.storage_sync(\"shared\")";
  const auto barriers = [&](const std::string& text) {
    size_t count = 0;
    for (size_t at = text.find(barrier); at != std::string::npos; at = text.find(barrier, at + 1)) ++count;
    return count;
  };
  // By what is computed of the thread.
  CHECK(barriers(lowered(R"(        x: T.int32 = 63 - t
        S[x] = A[t]
        B[t] = S[t]
)")) == 1);
  // A thread's own element needs none; that of the next thread does, though it is x + 1 for either.
  CHECK(barriers(lowered(R"(        x: T.int32 = t % 64
        S[x] = A[t]
        B[t] = S[x]
)")) == 0);
  CHECK(barriers(lowered(R"(        x: T.int32 = t // 2
        S[t] = A[t]
        B[t] = S[x + 1]
)")) == 1);
  // A value from memory, kept over a barrier that is there.
  CHECK(barriers(lowered(R"(        x: T.float32 = A[t]
        S[t] = x
        T.storage_sync("shared")
        B[t] = S[63 - t] + x
)")) == 1);
  const auto refused = [&](const std::string& body) { return ERROR_OF(lowered(body)); };
  CHECK_THAT(refused(R"(        x: T.int32 = t // 2
        S[t] = A[t]
        if x < 3:
            T.storage_sync("shared")
        B[t] = S[63 - t]
)"),
             ContainsSubstring("wait for each other inside of a condition"));
  CHECK_THAT(refused(R"(        x: T.int32 = t // 2
        S[x] = A[t]
        B[t] = S[t]
)"),
             ContainsSubstring("may touch the same element of S at the same time"));
}

TEST_CASE("threads that have nothing to do touch nothing", "[unit]") {
  const std::string text = R"(@T.prim_func
def f(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32")):
    for b in T.thread_binding(4, thread="blockIdx.x"):
        for t in T.thread_binding(64, thread="threadIdx.x"):
            S = T.allocate((16,), "int32", scope="shared")
            if t < 16:
                S[15 - t] = A[b * 16 + t]
            if t >= 16 and t < 32:
                B[b * 16 + t - 16] = S[t - 16]
)";
  const ir::PrimFunc lowered = cuda::lower(ir::parse_function(text, "f"));
  CHECK_THAT(ir::to_text(lowered), ContainsSubstring("T.storage_sync(\"shared\")"));
  // One thread more, and two blocks write one element.
  const size_t at = text.find("t < 32");
  CHECK_THAT(ERROR_OF(cuda::lower(ir::parse_function(std::string(text).replace(at, 6, "t < 33"), "f"))),
             ContainsSubstring("several blocks of the kernel"));
}

TEST_CASE("what no barrier can order is refused", "[unit]") {
  const auto refused = [](const std::string& body) {
    const std::string head = "@T.prim_func\ndef f(A: T.Buffer((64,), \"int32\"), B: T.Buffer((64,), \"int32\")):\n";
    return ERROR_OF(cuda::lower(ir::parse_function(head + body, "f")));
  };
  CHECK(refused(R"(    for t in T.thread_binding(64, thread="threadIdx.x"):
        S = T.allocate((64,), "int32", scope="shard")
        S[t] = A[t]
        B[t] = S[t]
)") == "S is in memory of scope 'shard', which a GPU has not; did you mean 'shared'?");
  CHECK(ERROR_OF(cuda::lower(ir::parse_function(R"(@T.prim_func
def f(A: T.Buffer((64,), "int32", scope="shared")):
    for t in T.thread_binding(64, thread="threadIdx.x"):
        A[t] = t
)",
                                                "f"))) ==
        "the parameter A is in memory of scope 'shared', expected 'global'");
  const ir::PrimFunc by_warp = cuda::lower(ir::parse_function(R"(@T.prim_func
def f(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32")):
    for t in T.thread_binding(64, thread="threadIdx.x"):
        S = T.allocate((64,), "int32", scope="warp")
        S[t] = A[t]
        B[t] = S[t]
)",
                                                              "f"));
  CHECK_THAT(ERROR_OF(cuda::write_kernel(cuda::split_kernels(by_warp).kernels.at(0))),
             ContainsSubstring("S of scope warp has its elements in registers of many threads"));
  CHECK(refused(R"(    for t in T.thread_binding(64, thread="threadIdx.a"):
        B[t] = A[t]
)") == "the loop t is bound to 'threadIdx.a', expected blockIdx.x, .y, .z or threadIdx.x, .y, .z");
  CHECK(refused(R"(    for b in T.thread_binding(4, thread="blockIdx.x"):
        for t in T.thread_binding(16, thread="threadIdx.x"):
            B[b * 15 + t] = A[b * 16 + t]
)") == "several blocks of the kernel of the loop b may touch the same element of B, and write it; blocks cannot wait "
       "for each other: give each its own elements, or make another kernel");
  CHECK(refused(R"(    for t in T.thread_binding(16, thread="threadIdx.x"):
        S = T.allocate((64,), "int32", scope="shared")
        S[t // 2] = A[t]
        B[t] = S[t]
)") == "several threads of the kernel of the loop t may touch the same element of S at the same time, and write it; "
       "give each thread its own elements: bind loops that fill shared memory to the threads' indices, and set its "
       "scope before compute_at");
  CHECK(refused(R"(    for t in T.thread_binding(16, thread="threadIdx.x"):
        S = T.allocate((64,), "int32", scope="shared")
        for i in range(4):
            S[t * 3 + i] = 0
        for i_1 in range(4):
            S[t * 3 + i_1] = S[t * 3 + i_1] + A[t]
        B[t] = S[t]
)") == "several threads of the kernel of the loop t may update the same element of S, so that it holds something more "
       "than once; give each thread its own elements: bind loops that fill shared memory to the threads' indices, and "
       "set its scope before compute_at");
  // Of the elements of others there is nothing to bring to shared memory.
  for (const char* index : {"t % 8", "(t ^ 5) & 7", "(t * 4) % 16"}) {
    INFO(index);
    CHECK(refused(fmt::format("    for t in T.thread_binding(16, thread=\"threadIdx.x\"):\n        B[{}] = A[t]\n",
                              index)) ==
          "several threads of the kernel of the loop t may touch the same element of B at the same time, and write it; "
          "give each thread its own elements");
  }
  // As much as would take long is not tried.
  CHECK_THAT(ERROR_OF(cuda::lower(ir::parse_function(R"(@T.prim_func
def f(A: T.Buffer((262144,), "int32"), B: T.Buffer((262144,), "int32")):
    for b in T.thread_binding(256, thread="blockIdx.x"):
        for t in T.thread_binding(1024, thread="threadIdx.x"):
            B[(b * 1024 + t) ^ 5] = A[b * 1024 + t]
)",
                                                     "f"))),
             ContainsSubstring("may touch the same element of B"));
  CHECK(refused(R"(    L = T.allocate((16,), "int32", scope="local")
    for t in T.thread_binding(16, thread="threadIdx.x"):
        L[t] = A[t]
    for t_1 in T.thread_binding(16, thread="threadIdx.x"):
        B[t_1] = L[t_1]
)") == "L is in local memory, which lasts as long as one kernel, but it is used outside of that of the loop t");
  CHECK(refused(R"(    for b in T.thread_binding(4, thread="blockIdx.x"):
        L = T.allocate((16,), "int32", scope="local")
        for t in T.thread_binding(16, thread="threadIdx.x"):
            L[t] = A[t]
        for t_1 in T.thread_binding(16, thread="threadIdx.x"):
            B[b * 16 + t_1] = L[15 - t_1]
)") == "L is read by other threads than the one that made it, which alone sees it in local memory; set its scope to "
       "\"shared\", or compute it inside of the loop that is bound to threadIdx.x");
  CHECK(refused(R"(    for t in T.thread_binding(32, thread="threadIdx.x"):
        S = T.allocate((32,), "int32", scope="shared")
        if t < 16:
            S[t] = A[t]
            T.storage_sync("shared")
            B[t] = S[15 - t]
)") == "threads of the kernel of the loop t wait for each other inside of a condition or loop that differs between "
       "them, where not all of them come; move that out of it");
  // Each block fills a part of what one of them reads.
  CHECK(refused(R"(    for t in T.thread_binding(16, thread="threadIdx.x"):
        S = T.allocate((16,), "int32", scope="shared")
        for b in T.thread_binding(16, thread="blockIdx.x"):
            S[b] = A[b]
        B[t] = S[t]
)") == "S is read by other blocks than the one that made it, and each block has shared memory of its own; compute it "
       "inside of the loop that is bound to blockIdx.x");
  CHECK(
      refused(R"(    for t in T.thread_binding(16, thread="threadIdx.x"):
        B[t] = A[t]
    for b in T.thread_binding(2, thread="blockIdx.x"):
        for t_1 in T.thread_binding(16, thread="threadIdx.x"):
            B[b * 16 + t_1] = A[t_1]
        for t_2 in T.thread_binding(8, thread="threadIdx.x"):
            B[b * 16 + t_2] = A[t_2]
)") ==
      "the loops t_1 and t_2 are both bound to threadIdx.x, but have the extents 16 and 8; they are one index and must "
      "agree");
}

TEST_CASE("what is fetched ahead must be there already", "[unit]") {
  const std::string head = "@T.prim_func\ndef f(A: T.Buffer((16, 32), \"int32\"), B: T.Buffer((16, 32), \"int32\")):\n";
  const auto refused = [&](const std::string& body) {
    return ERROR_OF(cuda::lower(ir::parse_function(head + body, "f")));
  };
  CHECK(refused(R"(    for t in T.thread_binding(32, thread="threadIdx.x"):
        for i in T.serial(8, annotations={"pipeline_stages": 2}):
            S = T.allocate((32,), "int32", scope="shared")
            S[t] = A[i, t]
            A[i + 1, t] = S[31 - t] + 1
)") == "the loop i is to be a pipeline, but what it fetches ahead is from A, which its iterations write; an iteration "
       "would read what an earlier one has yet to write");
  CHECK(refused(R"(    for t in T.thread_binding(32, thread="threadIdx.x"):
        for i in T.serial(8, annotations={"pipeline_stages": 2}):
            S = T.allocate((32,), "int32", scope="shared")
            S[t] = A[i, t]
            for j in T.serial(2, annotations={"pipeline_stages": 2}):
                R = T.allocate((32,), "int32", scope="shared")
                R[t] = A[j, t]
                B[i, t] = S[31 - t] + R[31 - t]
)") == "the loop j is to be a pipeline inside of that of the loop i; one of them can be");
}

}  // namespace vantage::test::compiler_backend_cuda_threads_test
