// Functions as a person writes them, with what schedules seldom make around stores: conditions, variables, ranges that
// are in memory. As kernels they compute what the interpreter does.
#include "compiler/backend/cuda/externs.h"
#include "compiler/backend/cuda/lower.h"
#include "compiler/backend/cuda/plan.h"
#include "compiler/backend/cuda/split_kernels.h"
#include "compiler/ir/interpreter/interpreter.h"
#include "compiler/ir/parse_function.h"
#include "compiler/ir/printer.h"
#include "tests/catch.h"
#include "tests/compiler/backend/cuda/on_processor.h"
#include "tests/compiler/backend/cuda/random_text.h"
#include "tests/support/effort.h"

namespace vantage::test::compiler_backend_cuda_texts_test {

using namespace vantage;

namespace {

ir::PrimFunc function(size_t number, const std::string& text) {
  return ir::parse_function(fmt::format("@T.prim_func\ndef f{}{}", number, text), "test");
}

std::vector<test::Input> inputs_of(const ir::PrimFunc& f) {
  std::mt19937_64 random(7);
  std::vector<test::Input> inputs;
  for (const auto& parameter : f.params) {
    const auto& buffer = std::get<ir::Buffer>(parameter);
    Tensor::Shape shape;
    for (const ir::Expr& size : buffer->shape) shape.push_back(*ir::as_int(size));
    Tensor value(buffer->dtype, shape);
    for (int64_t e = 0; e < value.size(); ++e) value.set_number(e, static_cast<double>(random() % 17) - 8);
    inputs.emplace_back(std::move(value));
  }
  return inputs;
}

// `texts` are functions without their heads' names.
void check(const std::vector<std::string>& texts) {
  std::vector<ir::PrimFunc> lowered;
  std::vector<cuda::Module> modules;
  for (size_t i = 0; i < texts.size(); ++i) {
    INFO(texts[i]);
    lowered.push_back(cuda::lower(function(i, texts[i])));
    modules.push_back(cuda::split_kernels(lowered.back()));
  }
  const test::OnProcessor processor(modules);
  for (size_t i = 0; i < texts.size(); ++i) {
    const ir::PrimFunc f = function(i, texts[i]);
    INFO(texts[i] << test::source_of({modules[i]}));
    const auto inputs = inputs_of(f);
    ir::InterpreterOptions in_order;
    in_order.threads = false;
    const auto expected = test::run_interpreted(f, inputs, in_order);
    ir::InterpreterOptions options;
    options.externs = cuda::externs();
    CHECK(test::first_difference(f, expected, test::run_interpreted(lowered[i], inputs, options)) == "");
    CHECK(test::first_difference(f, expected, processor.run(i, inputs)) == "");
  }
}

}  // namespace

TEST_CASE("what is loaded at once is there for all who want it", "[unit]") {
  const std::string head = R"((A: T.Buffer((8, 16), "float32"), B: T.Buffer((8, 16), "float32")):
    for i in T.thread_binding(8, thread="threadIdx.x"):
        for j in range(4):
            for k in T.vectorized(4):
                B[i, j * 4 + k] = )";
  const std::string some = "T.if_then_else(i < 3, A[i, j * 4 + k], T.float32(0))";
  const std::string others = "T.if_then_else(i > 5, A[i, j * 4 + k], T.float32(9))";
  const std::string uneven = "T.if_then_else(k < 2, A[i, j * 4 + k], T.float32(5))";
  const std::string all = "A[i, j * 4 + k]";
  check({head + some + " + " + all + "\n", head + some + " + " + uneven + "\n", head + uneven + " + " + some + "\n",
         head + some + " - " + others + "\n", head + uneven + " - " + all + "\n", head + some + " * " + some + "\n"});
}

TEST_CASE("what stands around a store says which threads do it", "[unit]") {
  check({R"((A: T.Buffer((64,), "float32"), C: T.Buffer((1,), "float32")):
    for i in T.thread_binding(64, thread="threadIdx.x"):
        if i == 3:
            C[0] = A[5]
)",
         R"((A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32"), C: T.Buffer((2,), "float32")):
    for i in T.thread_binding(64, thread="threadIdx.x"):
        B[i] = A[i] * T.float32(2)
        if i == 63:
            C[0] = T.float32(1)
            C[1] = A[0]
)",
         R"((A: T.Buffer((8,), "float32"), C: T.Buffer((8,), "float32")):
    for b in T.thread_binding(8, thread="blockIdx.x"):
        for i in T.thread_binding(8, thread="threadIdx.x"):
            with T.block("C"):
                vi = T.axis.spatial(8, b)
                T.where(i == 7)
                T.reads(A[vi])
                T.writes(C[vi])
                C[vi] = A[vi] + T.float32(1)
)",
         R"((A: T.Buffer((64,), "float32"), C: T.Buffer((64,), "float32")):
    for i in T.thread_binding(8, thread="threadIdx.x"):
        for t in range(i * 8, i * 8 + 8):
            C[t] = A[t] + T.float32(1)
)",
         R"((A: T.Buffer((8,), "float32"), C: T.Buffer((8,), "float32")):
    for i in T.thread_binding(8, thread="threadIdx.x"):
        for t in range(i, i + 1):
            C[t] = A[t]
)",
         R"((A: T.Buffer((256,), "float32"), B: T.Buffer((256,), "float32")):
    for b in T.thread_binding(4, thread="blockIdx.x"):
        for i in T.thread_binding(64, thread="threadIdx.x"):
            x: T.int32 = b * 64 + i
            B[x] = A[x] * T.float32(2)
)",
         R"((A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    for i in T.thread_binding(16, thread="threadIdx.x"):
        x: T.int32 = i * 4
        for k in T.vectorized(4):
            y: T.float32 = A[x + k]
            B[x + k] = y * y
)",
         R"((A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), C: T.Buffer((64,), "int32")):
    for i in T.thread_binding(64, thread="threadIdx.x"):
        own = T.allocate((1,), "int32", scope="local")
        own[0] = i ^ 1
        w: T.int32 = own[0]
        for t in range(w, w + 1):
            if t > 30:
                B[i] = A[i] + t
                if i == 40:
                    C[7] = own[0]
)"});
}

TEST_CASE("what was read of memory is not read again, nor taken to be there still", "[unit]") {
  const std::string head = R"((A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32")):
    for i in T.thread_binding(64, thread="threadIdx.x"):
)";
  check({head + R"(        A[i] = A[i] + 9
        for t in range(A[i]):
            A[i] = A[i] - 1
            B[i] = B[i] + 1
)",
         head + R"(        for t in T.serial(A[i], A[i] + 1):
            A[i] = 5
            B[i] = t
)",
         head + R"(        if A[i] < 0:
            A[i] = A[i] + 100
            B[i] = T.max(A[i], 0)
        else:
            A[i] = -1
            B[i] = T.max(A[i], 0)
)"});
}

TEST_CASE("an element that is fetched twice is as the second one says", "[unit]") {
  const std::string head =
      R"((A: T.Buffer((9, 16), "float32"), C: T.Buffer((9, 16), "float32"), B: T.Buffer((9, 16), "float32")):
    for i in T.thread_binding(16, thread="threadIdx.x"):
        for t in T.serial(9, annotations={"pipeline_stages": 3}):
            s = T.allocate((2, 16), "float32", scope="shared")
)";
  const std::string use = "            B[t, i] = s[0, i] + s[1, i]\n";
  check({head + R"(            for u in range(2):
                s[u, i] = A[t, i]
            for u_1 in range(2):
                if i < 9:
                    s[u_1, i] = C[t, i] + T.float32(1)
)" + use,
         head + R"(            for u in range(2):
                for again in range(3):
                    s[u, i] = A[(t + again) % 9, i]
)" + use});
}

TEST_CASE("iterations of a vectorized loop that depend on each other are done in order", "[unit]") {
  const std::string head = R"((A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    for t in T.thread_binding(16, thread="threadIdx.x"):
        for v in T.vectorized(4):
)";
  check({
      head + "            B[t * 4 + v] = B[t * 4] + A[t * 4 + v]\n",
      head + "            B[t * 4 + v] = A[t * 4 + v] - B[t * 4 + T.max(v - 1, 0)]\n",
      head + "            if A[t * 4] > T.float32(0):\n                A[t * 4 + v] = A[t * 4 + v] - T.float32(5)\n",
      head + "            B[t * 4 + v] = A[t * 4 + v]\n            B[t * 4 + 3 - v] = T.float32(7)\n",
      head + "            B[t] = A[t * 4 + v]\n            A[t * 4 + v] = B[t] + T.float32(1)\n",
      head + "            B[t * 4 + v // 2] = A[t * 4 + v]\n            A[t * 4 + v] = B[t * 4 + v // 2]\n",
      head + "            B[t * 4 + v] = A[t * 4 + v] + T.float32(1)\n"
             "            A[t * 4 + v] = B[t * 4 + v] * T.float32(2)\n",
  });
}

TEST_CASE("kernels whose threads touch apart as only trying shows do what they say", "[unit]") {
  const std::string head = "(A: T.Buffer((64,), \"int32\"), B: T.Buffer((64,), \"int32\")):\n";
  const std::string threads = head + "    for t in T.thread_binding(64, thread=\"threadIdx.x\"):\n";
  const std::string blocks = head + R"(    for b in T.thread_binding(2, thread="blockIdx.x"):
        for t in T.thread_binding(32, thread="threadIdx.x"):
)";
  check({
      threads + R"(        if t % 2 == 0:
            B[t // 2] = A[t]
        else:
            B[t // 2 + 32] = A[t]
)",
      threads + "        B[t ^ 5] = A[t]\n",
      threads + "        B[(t * 3) % 64] = A[t]\n",
      threads + "        if A[t] > 0:\n            B[(t * 5 + 1) % 64] = A[t]\n",
      blocks + R"(            if b == 0:
                B[t] = A[t]
            else:
                B[t + 32] = A[t + 32] + 1
)",
      head + R"(    for t in T.thread_binding(8, thread="threadIdx.x"):
        for i in range(t + 1):
            B[t * (t + 1) // 2 + i] = A[i]
)",
  });
}

TEST_CASE("random kernels by hand do what the interpreter does", "[property]") {
  std::mt19937_64 random(Catch::rngSeed());
  constexpr size_t kBatch = 64;
  size_t held = 0;
  for (int round = 0; round < test::rounds(4); ++round) {
    std::vector<std::string> texts;
    for (size_t n = 0; n < kBatch; ++n) {
      std::string text = test::random_kernel_text(random);
      // What no barrier can order, as an analysis sees it, is refused.
      try {
        cuda::lower(function(0, text));
        texts.push_back(std::move(text));
      } catch (const Error&) {
      }
    }
    check(texts);
    held += texts.size();
  }
  CHECK(held >= static_cast<size_t>(test::rounds(4)) * kBatch / 4);
}

TEST_CASE("names of macros and of functions that kernels call are others'", "[unit]") {
  std::string head = "(";
  for (const char* name : {"fmaf", "NAN", "NULL", "VT_UNARY"}) {
    head += fmt::format("{}{}: T.Buffer((64,), \"float32\")", head == "(" ? "" : ", ", name);
  }
  check({head + R"():
    for vt in T.thread_binding(64, thread="threadIdx.x"):
        INFINITY = T.allocate((1,), "float32", scope="local")
        INFINITY[0] = fmaf[vt]
        for sin in range(3):
            INFINITY[0] = INFINITY[0] + NAN[vt] * T.floor(NULL[vt])
        VT_UNARY[vt] = INFINITY[0]
)"});
}

TEST_CASE("places beyond 32 bits are counted in 64", "[unit]") {
  const ir::PrimFunc f = function(0, R"((A: T.Buffer((70000,), "float16"), C: T.Buffer((70000,), "float16")):
    B = T.allocate((70000, 70000), "float16")
    for i in T.thread_binding(70000, thread="blockIdx.x"):
        for t in T.thread_binding(400, thread="threadIdx.x"):
            for j in range(175):
                B[i, j * 400 + t] = A[i]
    for i_1 in T.thread_binding(70000, thread="blockIdx.x"):
        C[i_1] = B[i_1, i_1]
)");
  const cuda::Module module = cuda::split_kernels(cuda::lower(f));
  CHECK(cuda::plan_calls(module).temporaries.at(0).bytes == int64_t{70000} * 70000 * 2);
  for (const cuda::Kernel& kernel : module.kernels) {
    CHECK_THAT(cuda::write_kernel(kernel).text, ContainsSubstring("int64_t(") || ContainsSubstring("long long"));
  }
}

}  // namespace vantage::test::compiler_backend_cuda_texts_test
