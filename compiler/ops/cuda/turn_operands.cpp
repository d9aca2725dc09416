#include "compiler/ops/cuda/turn_operands.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.h"
#include "compiler/ops/cuda/block_facts.h"

namespace vantage::ops {

using schedule::Schedule;

namespace {

// How many operands would have to be turned for a product.
int turns(const MatrixForm& form, const cuda::TileProduct& product) {
  return (form.a_transposed != product.a_transposed ? 1 : 0) + (form.b_transposed != product.b_transposed ? 1 : 0);
}

// The block that makes a tensor for this one alone: of a formula its own, of a parameter a copy that it gets here.
std::string maker_of(Schedule& s, const std::string& block, const ir::Buffer& operand) {
  for (const std::string& name : names_of_blocks(s.function())) {
    const auto written = schedule::written_by(block_named(s, name));
    if (std::ranges::find(written, operand) == written.end()) continue;
    if (readers_of(s, name).size() != 1 || !schedule::is_complete(block_named(s, name))) {
      fail("{} is no formula of {} alone", operand->name, block);
    }
    return name;
  }
  return block_added_by(s, [&] { s.cache_read(s.get_block(block), operand->name, "global"); });
}

// The last two dimensions in the other order.
void turn(Schedule& s, const std::string& block, const ir::Buffer& operand) {
  std::vector<std::string> from;
  for (size_t d = 0; d < operand->rank(); ++d) from.push_back(fmt::format("d{}", d));
  std::vector<std::string> to = from;
  std::swap(to[to.size() - 2], to.back());
  s.transform_layout(s.get_block(maker_of(s, block, operand)),
                     fmt::format("{} -> {}", fmt::join(from, ", "), fmt::join(to, ", ")));
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
  if (form.a_transposed != best->a_transposed) turn(s, block, form.product.sides[0].operand);
  if (form.b_transposed != best->b_transposed) turn(s, block, form.product.sides[1].operand);
  const auto result = matrix_form(s, block);
  if (!result) fail("{} is no product of matrices any more", block);
  return *result;
}

}  // namespace vantage::ops
