#include "compiler/te/compute.h"

#include "base/error.h"

namespace vantage::te::detail {

std::vector<Var> make_axes(size_t rank, DType dtype) {
  static constexpr std::string_view kNames = "ijklmnop";
  std::vector<Var> axes;
  for (size_t d = 0; d < rank; ++d) {
    axes.emplace_back(d < kNames.size() ? std::string(1, kNames[d]) : fmt::format("i{}", d), dtype);
  }
  return axes;
}

std::vector<Tensor> make_compute(const std::vector<Expr>& shape, std::vector<Var> axes, const Body& body,
                                 std::string name) {
  auto operation = std::make_shared<Operation>();
  operation->kind = Operation::Kind::kCompute;
  operation->name = std::move(name);
  operation->axes = std::move(axes);
  operation->values = body.values;
  operation->reduction = body.reduction;
  std::vector<OutputType> types;
  for (const Expr& value : body.reduction != nullptr ? body.reduction->values : body.values) {
    types.push_back({shape, value.dtype()});
  }
  return outputs_of(operation, types);
}

void wrong_rank(const std::string& name, size_t rank, size_t arity) {
  fail("{} has {} dimensions, but its body takes {} indices", name, rank, arity);
}

void not_one_value(const std::string& name, size_t values) {
  fail("{} makes {} values, expected 1; use compute_tuple for several", name, values);
}

}  // namespace vantage::te::detail
