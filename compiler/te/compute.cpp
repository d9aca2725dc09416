#include "compiler/te/compute.h"

#include <algorithm>
#include <unordered_map>

#include "base/error.h"

namespace vantage::te::detail {

std::vector<Var> make_axes(const std::vector<Expr>& shape) {
  static constexpr std::string_view kNames = "ijklmnop";
  std::vector<Var> axes;
  for (size_t d = 0; d < shape.size(); ++d) {
    const bool is_size = shape[d].defined() && shape[d].dtype().is_signed();  // another is refused with the output
    axes.emplace_back(d < kNames.size() ? std::string(1, kNames[d]) : fmt::format("i{}", d),
                      is_size ? shape[d].dtype() : ir::kIndex);
  }
  return axes;
}

namespace {

// What goes through an expression goes as deep into the stack.
constexpr int kDeepest = 2000;

std::vector<Expr> parts_of(const Expr& expr) {
  if (const auto* op = expr.as<ir::Binary>()) return {op->a, op->b};
  if (const auto* cast = expr.as<ir::Cast>()) return {cast->value};
  if (const auto* no = expr.as<ir::Not>()) return {no->value};
  if (const auto* choice = expr.as<ir::Select>()) return {choice->condition, choice->if_true, choice->if_false};
  if (const auto* load = expr.as<ir::Load>()) return load->indices;
  if (const auto* call = expr.as<ir::Call>()) return call->arguments;
  return {};
}

// How many expressions stand inside one another, found without recursion; what occurs twice is looked at once.
int depth_of(const Expr& root) {
  std::unordered_map<const ir::ExprNode*, int> depths;
  std::vector<Expr> open = {root};
  while (!open.empty()) {
    const Expr expr = open.back();
    int depth = 1;
    bool is_ready = true;
    for (const Expr& part : parts_of(expr)) {
      if (!part.defined()) continue;
      const auto known = depths.find(part.get());
      if (known == depths.end()) open.push_back(part);
      is_ready = is_ready && known != depths.end();
      if (known != depths.end()) depth = std::max(depth, known->second + 1);
    }
    if (!is_ready) continue;
    depths[expr.get()] = depth;
    open.pop_back();
  }
  return depths[root.get()];
}

}  // namespace

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
    if (!value.defined()) fail("the body of {} returns an expression without a value", operation->name);
    if (const int depth = depth_of(value); depth > kDeepest) {
      fail(
          "the body of {} has {} operations inside one another, expected at most {}; use a reduction, or tensors for "
          "parts of it",
          operation->name, depth, kDeepest);
    }
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
