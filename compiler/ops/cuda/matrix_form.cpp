#include "compiler/ops/cuda/matrix_form.h"

#include <algorithm>

#include "base/error.h"
#include "base/math.h"
#include "compiler/ir/structural.h"
#include "compiler/ir/substitute.h"
#include "compiler/ops/cuda/block_facts.h"
#include "compiler/ops/cuda/pad_product.h"
#include "compiler/ops/cuda/transpose_schedule.h"

namespace vantage::ops {

using namespace ir;
using schedule::LoopRV;
using schedule::Schedule;

namespace {

// Bytes that a multiprocessor of a large GPU fetches in a cycle, cycles of a step that has little to do, and those
// until another kernel has run.
constexpr double kFetchedBytes = 64, kShortestStep = 250, kCutOut = 4000;

// The matrix of a side: which of two axes its last dimension is, and the one before it.
std::optional<bool> is_transposed(const ProductForm::Side& side, const Var& row, const Var& column) {
  const size_t rank = side.indices.size();
  if (rank < 2) return std::nullopt;
  const auto is = [&](size_t d, const Var& axis) { return Var::of(side.indices[d]).same_as(axis); };
  for (size_t d = 0; d + 2 < rank; ++d) {
    if (uses_var(side.indices[d], row) || uses_var(side.indices[d], column)) return std::nullopt;
  }
  if (is(rank - 2, row) && is(rank - 1, column)) return false;
  if (is(rank - 2, column) && is(rank - 1, row)) return true;
  return std::nullopt;
}

}  // namespace

std::string MatrixForm::kind() const {
  const std::string_view type = cuda::find_tensor_core_type(operand())->name;
  return fmt::format("{}_{}{}", type, a_transposed ? 't' : 'n', b_transposed ? 't' : 'n');
}

std::optional<MatrixForm> matrix_form(Schedule& s, const std::string& name) {
  const auto product = product_form(s, name);
  if (!product || product->reduce.empty()) return std::nullopt;
  const DType operand = product->sides[0].operand->dtype;
  if (product->sides[1].operand->dtype != operand) return std::nullopt;
  const cuda::TensorCoreType* type = cuda::find_tensor_core_type(operand);
  if (type == nullptr || type->sum != product->sums) return std::nullopt;
  const Block block = block_named(s, name);
  for (const ProductForm::Axis& m : product->sides[0].axes) {
    for (const ProductForm::Axis& n : product->sides[1].axes) {
      for (const ProductForm::Axis& k : product->reduce) {
        const auto var = [&](const ProductForm::Axis& axis) { return block.axes[axis.number].var; };
        const auto a = is_transposed(product->sides[0], var(m), var(k));
        const auto b = is_transposed(product->sides[1], var(k), var(n));
        if (a && b) return MatrixForm{*product, m, n, k, *a, *b};
      }
    }
  }
  return std::nullopt;
}

std::vector<LoopRV> other_loops(const MatrixForm& form, const std::vector<LoopRV>& loops) {
  std::vector<LoopRV> result;
  for (const ProductForm::Axis& axis : form.product.batch) result.push_back(loops[axis.number]);
  for (const ProductForm::Side& side : form.product.sides) {
    for (const ProductForm::Axis& axis : side.axes) {
      if (axis.number != form.m.number && axis.number != form.n.number) result.push_back(loops[axis.number]);
    }
  }
  return result;
}

Fit fit_of(const MatrixForm& form, const MatrixTile& tile) {
  Fit result = Fit::kWhole;
  for (const auto& [axis, multiple] : {Multiple{form.m, tile.rows}, {form.n, tile.columns}, {form.k, tile.depth}}) {
    if (axis.extent % multiple == 0) continue;
    if (!axis.is_index || 2 * axis.extent < multiple) return Fit::kNone;
    result = Fit::kPadded;
  }
  return result;
}

double cycles_of(const MatrixForm& form, const MatrixTile& tile, int64_t multiprocessors, double products_per_cycle) {
  int64_t tiles = ceil_div(form.m.extent, tile.rows) * ceil_div(form.n.extent, tile.columns);
  int64_t steps = ceil_div(form.k.extent, tile.depth);
  for (const ProductForm::Axis& axis : form.product.batch) tiles *= axis.extent;
  for (const ProductForm::Side& side : form.product.sides) {
    for (const ProductForm::Axis& axis : side.axes) {
      if (axis.number != form.m.number && axis.number != form.n.number) tiles *= axis.extent;
    }
  }
  for (const ProductForm::Axis& axis : form.product.reduce) {
    if (axis.number != form.k.number) steps *= axis.extent;
  }
  const auto bytes = static_cast<double>(tile.depth * form.operand().bytes());  // of a row
  const double multiplied = static_cast<double>(tile.rows * tile.columns) * bytes / (2 * products_per_cycle);
  const double fetched = static_cast<double>(tile.rows + tile.columns) * bytes / kFetchedBytes;
  const double step = std::max(kShortestStep, multiplied + fetched);
  const bool cuts_out = form.m.extent % tile.rows != 0 || form.n.extent % tile.columns != 0;
  return static_cast<double>(ceil_div(tiles, multiprocessors) * steps) * step + (cuts_out ? kCutOut : 0);
}

MatrixForm padded(Schedule& s, const std::string& name, const MatrixForm& form, const MatrixTile& tile) {
  pad_product(s, name, {{form.m, tile.rows}, {form.n, tile.columns}, {form.k, tile.depth}});
  const auto result = matrix_form(s, name);
  if (!result) fail("{} is no product of matrices any more", name);
  return *result;
}

void inline_into_copy(Schedule& s, const Buffer& operand) {
  for (const std::string& block : names_of_blocks(s.function())) {
    const auto written = schedule::written_by(block_named(s, block));
    if (written.size() != 1 || written.front() != operand) continue;
    if (is_transpose(s, block)) return;
    attempt_steps(s, [&](Schedule& tried) { tried.compute_inline(tried.get_block(block)); });
    return;
  }
}

StoredTiles keep_sums(Schedule& s, const std::string& name, const std::string& scope, DType rounded) {
  const std::vector<std::string> readers = readers_of(s, name);
  if (readers.size() == 1) {
    const Block reader = block_named(s, readers.front());
    const Store* store = schedule::single_store(reader);
    const auto* cast = store == nullptr ? nullptr : store->value.as<Cast>();
    const auto* sums = cast == nullptr ? nullptr : cast->value.as<Load>();
    if (sums != nullptr && rounded.is_narrow_float() && cast->dtype == rounded &&
        std::ranges::equal(sums->buffer->shape, store->buffer->shape,
                           [](const Expr& a, const Expr& b) { return structural_equal(a, b); })) {
      s.set_scope(s.get_block(name), scope);
      return {readers.front(), true};
    }
  }
  return {block_added_by(s, [&] { s.cache_write(s.get_block(name), scope); }), false};
}

void take_tiles(Schedule& s, const std::string& block, int64_t rows, int64_t columns, const std::string& intrinsic) {
  const std::vector<LoopRV> loops = s.get_loops(s.get_block(block));
  const auto r = s.split(loops[loops.size() - 2], {std::nullopt, rows});
  const auto c = s.split(loops.back(), {std::nullopt, columns});
  s.reorder({r[0], c[0], r[1], c[1]});
  s.tensorize(r[1], intrinsic);
}

}  // namespace vantage::ops
