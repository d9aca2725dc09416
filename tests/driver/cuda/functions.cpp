#include "tests/driver/cuda/functions.h"

#include "compiler/ir/parse_function.h"

namespace vantage::test {

namespace {

constexpr std::string_view kReversedText = R"(@T.prim_func
def reversed(A: T.Buffer((1000,), "int32"), B: T.Buffer((1000,), "int32")):
    S = T.alloc_buffer((1000,), "int32")
    for b in T.thread_binding(8, thread="blockIdx.x"):
        for t in T.thread_binding(125, thread="threadIdx.x"):
            S[b * 125 + t] = A[b * 125 + t] + 1
    for b_1 in T.thread_binding(10, thread="blockIdx.x"):
        for t_1 in T.thread_binding(100, thread="threadIdx.x"):
            B[b_1 * 100 + t_1] = S[999 - (b_1 * 100 + t_1)] * 3
)";

constexpr std::string_view kSharedText = R"(@T.prim_func
def shared(A: T.Buffer((20000,), "int32"), B: T.Buffer((20000,), "int32")):
    for t in T.thread_binding(100, thread="threadIdx.x"):
        S = T.allocate((20000,), "int32", scope="shared")
        for i in range(200):
            S[i * 100 + t] = A[i * 100 + t]
        for j in range(200):
            B[j * 100 + t] = S[19999 - (j * 100 + t)]
)";

constexpr std::string_view kCountText = R"(@T.prim_func
def count(X: T.Buffer((64,), "int32"), Y: T.Buffer((64,), "int32")):
    for t in T.thread_binding(64, thread="threadIdx.x"):
        Y[t] = Y[t] + X[t]
)";

constexpr std::string_view kStepsText = R"(@T.prim_func
def steps(X: T.Buffer((64,), "int32"), Y: T.Buffer((64,), "int32")):
    for i in range(5):
        for t in T.thread_binding(64, thread="threadIdx.x"):
            Y[t] = Y[t] + X[t] * i
)";

std::string scalars_text() {
  std::string params, body;
  for (const char* type : {"int8", "uint8", "bool", "int16", "uint16", "float16", "bfloat16", "int32", "uint32",
                           "float32", "int64", "float64", "int4"}) {
    params += fmt::format("{}{}_out: T.Buffer((1,), \"{}\"), {}_in: T.{}", params.empty() ? "" : ", ", type, type, type,
                          type);
    body += fmt::format("        {}_out[t] = {}_in\n", type, type);
  }
  return "@T.prim_func\ndef scalars(" + params + "):\n    for t in T.thread_binding(1, thread=\"threadIdx.x\"):\n" +
         body;
}

}  // namespace

const GpuPrograms& gpu_programs() {
  static const GpuPrograms kPrograms = [] {
    std::vector<ir::PrimFunc> functions;
    for (const std::string& text : {std::string(kReversedText), scalars_text(), std::string(kSharedText),
                                    std::string(kCountText), std::string(kStepsText)}) {
      functions.push_back(ir::parse_function(text, "functions"));
    }
    return GpuPrograms(std::move(functions));
  }();
  return kPrograms;
}

}  // namespace vantage::test
