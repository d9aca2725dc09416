#include "compiler/backend/cuda/group_products.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

#include "compiler/backend/cuda/architecture.h"

namespace vantage::cuda {

std::string call_name(const GroupProduct& product) {
  return fmt::format("vt::multiply_group<{}, {}, {}>", product.n, product.a_transposed, product.b_transposed);
}

std::string to_cuda(const GroupProduct& product) {
  const int64_t sums = kGroupRows * product.n / kWarpgroupThreads;
  std::vector<std::string> operands, places;
  for (int64_t i = 0; i < sums; ++i) {
    places.push_back(fmt::format("%{}", i));
    operands.push_back(fmt::format("\"+{}\"(sums[{}])", product.is_integer ? 'r' : 'f', i));
  }
  const char* const sum = product.is_integer ? "int" : "float";
  const char* const operand = product.is_integer ? "signed char" : "half";
  const std::string instruction = product.is_integer
                                      ? fmt::format("wgmma.mma_async.sync.aligned.m64n{}k32.s32.s8.s8", product.n)
                                      : fmt::format("wgmma.mma_async.sync.aligned.m64n{}k16.f32.f16.f16", product.n);
  // The sums are added to; floats are not negated, and say which of their sides lie along the depth.
  const std::string flags =
      product.is_integer ? "p"
                         : fmt::format("p, 1, 1, {}, {}", product.a_transposed ? 1 : 0, product.b_transposed ? 0 : 1);
  return fmt::format(
      "template <>\n"
      "VT_DEVICE void {}({}* sums, vt::matrix<{}> a, vt::matrix<{}> b) {{\n"
      "  asm volatile(\"{{.reg .pred p; setp.eq.b32 p, 0, 0; {} \"\n"
      "               \"{{{}}}, \"\n"
      "               \"%{}, %{}, {};}}\"\n"
      "               : {}\n"
      "               : \"l\"(a.bits), \"l\"(b.bits));\n"
      "}}\n",
      call_name(product), sum, operand, operand, instruction, fmt::join(places, ", "), sums, sums + 1, flags,
      fmt::join(operands, ", "));
}

}  // namespace vantage::cuda
