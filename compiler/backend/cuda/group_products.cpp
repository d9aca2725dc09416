#include "compiler/backend/cuda/group_products.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

#include "compiler/backend/cuda/architecture.h"
#include "compiler/backend/cuda/expr_writer.h"
#include "compiler/backend/cuda/tensor_cores.h"

namespace vantage::cuda {

namespace {

// "bf16", "s8".
std::string ptx_type(ir::DType dtype) {
  const char* const kind = dtype == ir::kBFloat16 ? "bf" : dtype.is_float() ? "f" : "s";
  return fmt::format("{}{}", kind, dtype.bits());
}

}  // namespace

std::string call_name(const GroupProduct& product) {
  return fmt::format("vt::multiply_group<{}, {}, {}>", product.n, product.a_transposed, product.b_transposed);
}

std::string to_cuda(const GroupProduct& product) {
  const ir::DType sum = find_tensor_core_type(product.operand)->sum;
  const bool is_integer = sum.is_int();
  const int64_t sums = kGroupRows * product.n / kWarpgroupThreads;
  std::vector<std::string> operands, places;
  for (int64_t i = 0; i < sums; ++i) {
    places.push_back(fmt::format("%{}", i));
    operands.push_back(fmt::format("\"+{}\"(sums[{}])", is_integer ? 'r' : 'f', i));
  }
  const std::string instruction = fmt::format("wgmma.mma_async.sync.aligned.m64n{}k{}.{}.{}.{}", product.n,
                                              kGroupDepthBytes / product.operand.bytes(), ptx_type(sum),
                                              ptx_type(product.operand), ptx_type(product.operand));
  // The sums are added to; floats are not negated, and say which of their sides lie along the depth.
  const std::string flags =
      is_integer ? "p" : fmt::format("p, 1, 1, {}, {}", product.a_transposed ? 1 : 0, product.b_transposed ? 0 : 1);
  return fmt::format(
      "template <>\n"
      "VT_DEVICE void {}({}* sums, vt::matrix<{}> a, vt::matrix<{}> b) {{\n"
      "  asm volatile(\"{{.reg .pred p; setp.eq.b32 p, 0, 0; {} \"\n"
      "               \"{{{}}}, \"\n"
      "               \"%{}, %{}, {};}}\"\n"
      "               : {}\n"
      "               : \"l\"(a.bits), \"l\"(b.bits));\n"
      "}}\n",
      call_name(product), type_name(sum), type_name(product.operand), type_name(product.operand), instruction,
      fmt::join(places, ", "), sums, sums + 1, flags, fmt::join(operands, ", "));
}

}  // namespace vantage::cuda
