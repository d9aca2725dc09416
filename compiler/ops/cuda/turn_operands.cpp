#include "compiler/ops/cuda/turn_operands.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "base/error.h"
#include "compiler/ir/structural.h"
#include "compiler/ops/cuda/block_facts.h"

namespace vantage::ops {

using schedule::Schedule;

namespace {

// How many operands would have to be turned for a product.
int turns(const MatrixForm& form, const cuda::TileProduct& product) {
  return (form.a_transposed != product.a_transposed ? 1 : 0) + (form.b_transposed != product.b_transposed ? 1 : 0);
}

// A copy reads and writes each element once more, which about so many products of it by ordinary instructions take.
constexpr int64_t kFewestUsesOfCopied = 32;

// Whether a product reads every element of a side, and often.
bool is_worth_copying(const Schedule& s, const std::string& block, const ProductForm& form, size_t side) {
  if (form.sides[1 - side].extent() < kFewestUsesOfCopied) return false;
  const std::vector<ir::Expr>& shape = form.sides[side].operand->shape;
  const ir::Block own = block_named(s, block);
  for (size_t d = 0; d < shape.size(); ++d) {
    const ir::Var index = ir::Var::of(form.sides[side].indices[d]);
    if (!index.defined()) return false;
    const auto axis = std::ranges::find_if(own.axes, [&](const ir::Axis& a) { return a.var.same_as(index); });
    if (axis == own.axes.end() || !ir::structural_equal(axis->domain.extent, shape[d])) return false;
  }
  return true;
}

// The formula that makes an operand for this block alone; none where there is none.
std::optional<std::string> formula_of(const Schedule& s, const ir::Buffer& operand) {
  const std::vector<ir::Buffer> parameters = s.function().buffers();
  if (std::ranges::find(parameters, operand) != parameters.end()) return std::nullopt;
  for (const std::string& name : names_of_blocks(s.function())) {
    const ir::Block made = block_named(s, name);
    const auto written = schedule::written_by(made);
    if (std::ranges::find(written, operand) == written.end()) continue;
    if (readers_of(s, name).size() == 1 && schedule::is_complete(made)) return name;
  }
  return std::nullopt;
}

// The last two dimensions in the other order.
void turn(Schedule& s, const std::string& block, const ProductForm& form, size_t side) {
  const ir::Buffer operand = form.sides[side].operand;
  std::optional<std::string> maker = formula_of(s, operand);
  if (!maker) {
    if (!is_worth_copying(s, block, form, side)) fail("{} is not used so often that it would be turned", operand->name);
    maker = block_added_by(s, [&] { s.cache_read(s.get_block(block), operand->name, "global"); });
  }
  std::vector<std::string> from;
  for (size_t d = 0; d < operand->rank(); ++d) from.push_back(fmt::format("d{}", d));
  std::vector<std::string> to = from;
  std::swap(to[to.size() - 2], to.back());
  s.transform_layout(s.get_block(*maker), fmt::format("{} -> {}", fmt::join(from, ", "), fmt::join(to, ", ")));
}

}  // namespace

MatrixForm turn_operands(Schedule& s, const std::string& block, const MatrixForm& form) {
  const cuda::TileProduct* best = nullptr;
  for (const cuda::TileProduct& product : cuda::tile_products()) {
    if (product.operand != form.operand()) continue;
    if (best == nullptr || turns(form, product) < turns(form, *best)) best = &product;
  }
  if (best == nullptr) fail("{} multiplies {}, which tensor cores do not", block, name(form.operand()));
  if (turns(form, *best) == 0) return form;
  if (form.a_transposed != best->a_transposed) turn(s, block, form.product, 0);
  if (form.b_transposed != best->b_transposed) turn(s, block, form.product, 1);
  const auto result = matrix_form(s, block);
  if (!result) fail("{} is no product of matrices any more", block);
  return *result;
}

}  // namespace vantage::ops
