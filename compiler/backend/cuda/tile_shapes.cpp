#include "compiler/backend/cuda/tile_shapes.h"

#include <algorithm>

#include "base/error.h"
#include "compiler/backend/cuda/calls.h"
#include "compiler/backend/cuda/tensor_cores.h"
#include "compiler/ir/printer.h"
#include "compiler/ir/thread_axes.h"

namespace vantage::cuda {

using namespace ir;

namespace {

using Shape = std::vector<int64_t>;

const View& box_at(const Call& call, size_t i) {
  return *call.arguments[i].as<View>();
}

// Throws Error unless there are these boxes, and so many other arguments behind them.
void require_arguments(const Call& call, size_t boxes, size_t others = 0) {
  const auto is_box = [](const Expr& argument) { return argument.as<View>() != nullptr; };
  const auto& arguments = call.arguments;
  if (arguments.size() == boxes + others &&
      std::all_of(arguments.begin(), arguments.begin() + static_cast<long>(boxes), is_box)) {
    return;
  }
  fail("{} takes {} boxes of buffers and {} numbers, and is given {}", call.function, boxes, others,
       to_text(Expr(std::make_shared<Call>(call))));
}

bool is_flag(const Expr& value) {
  return is_int(value, 0) || is_int(value, 1);
}

std::string shown(const View& view) {
  return to_text(BufferRegion{view.buffer, view.box});
}

// Whether the box is one such tile: the last two dimensions of its buffer, and one of each of the others.
bool has_shape(const View& view, const Shape& shape) {
  const size_t rank = view.box.size();
  if (rank < 2) return false;
  for (size_t d = 0; d < rank; ++d) {
    if (!is_int(view.box[d].extent, d + 2 < rank ? 1 : shape[d + 2 - rank])) return false;
  }
  return true;
}

// `shapes`: those that there are, at least one.
void require_shape(const View& view, const std::vector<Shape>& shapes) {
  if (std::ranges::any_of(shapes, [&](const Shape& shape) { return has_shape(view, shape); })) return;
  std::string known;
  for (const Shape& shape : shapes) known += fmt::format("{}{} x {}", known.empty() ? "" : " or ", shape[0], shape[1]);
  fail("{} is no tile that tensor cores take: such a one of {} has {} elements in the last two dimensions", shown(view),
       name(view.buffer->dtype), known);
}

void require_scope(const View& view, std::string_view scope) {
  if (view.buffer->scope == scope) return;
  fail("{} is of scope \"{}\", and this call takes what is in \"{}\"; bring it there first", shown(view),
       view.buffer->scope, scope);
}

// In an order that threads see.
bool is_plain_shared(const View& view) {
  return is_shared(view.buffer->scope) && view.buffer->scope != kSwizzledScope;
}

// The tiles of those products.
template <typename Has, typename ShapeOf>
std::vector<Shape> shapes_of(Has has, ShapeOf shape_of) {
  std::vector<Shape> shapes;
  for (const TileProduct& product : tile_products()) {
    if (!has(product)) continue;
    const Shape shape = shape_of(product);
    if (std::ranges::find(shapes, shape) == shapes.end()) shapes.push_back(shape);
  }
  return shapes;
}

// What products are added up in.
void require_sums(const View& view) {
  const bool by_group = view.buffer->scope == kWarpgroupScope;
  if (!by_group) require_scope(view, kWarpScope);
  const auto has = [&](const TileProduct& p) { return p.by_group == by_group && p.sum == view.buffer->dtype; };
  const auto shapes = shapes_of(has, [](const TileProduct& p) { return Shape{p.m, p.n}; });
  if (shapes.empty()) fail("{}: tensor cores add up no products in {}", shown(view), name(view.buffer->dtype));
  require_shape(view, shapes);
}

// A side of a product, which a tile of it is loaded for or which is multiplied.
void require_side(const View& view, bool is_left, bool transposed, bool by_group) {
  const DType type = view.buffer->dtype;
  const auto has = [&](const TileProduct& p) {
    return p.by_group == by_group && p.operand == type && (is_left ? p.a_transposed : p.b_transposed) == transposed;
  };
  const auto shapes = shapes_of(has, [&](const TileProduct& p) { return is_left ? p.a_shape() : p.b_shape(); });
  if (shapes.empty()) {
    fail("{}: tensor cores have no product of {} whose {} side is {}", shown(view), name(type),
         is_left ? "left" : "right", transposed ? "transposed" : "not transposed");
  }
  require_shape(view, shapes);
}

void require_load(const Call& call) {
  require_arguments(call, 2);
  const View &tile = box_at(call, 0), &from = box_at(call, 1);
  const bool transposed = call.function == kLoadTileATransposed || call.function == kLoadTileBTransposed;
  const bool is_left = call.function == kLoadTileA || call.function == kLoadTileATransposed;
  require_scope(tile, kWarpScope);
  require_side(tile, is_left, transposed, false);
  if (!is_plain_shared(from)) require_scope(from, "shared");
  require_side(from, is_left, transposed, false);
}

// Throws Error for a product that tensor cores do not make.
void require_types(const View& sums, const View& a, const View& b) {
  const DType operand = a.buffer->dtype, sum = sums.buffer->dtype;
  const TensorCoreType* type = find_tensor_core_type(operand);
  if (type != nullptr && type->sum == sum && b.buffer->dtype == operand) return;
  std::string known;
  for (const TensorCoreType& other : tensor_core_types()) {
    known += fmt::format("{}{} to {}", known.empty() ? "" : ", ", name(other.operand), name(other.sum));
  }
  fail("{} is {} and adds up products of {} and {}; tensor cores have {}", shown(sums), name(sum), name(operand),
       name(b.buffer->dtype), known);
}

void require_product(const Call& call) {
  require_arguments(call, 3, 2);
  const View &sums = box_at(call, 0), &a = box_at(call, 1), &b = box_at(call, 2);
  const bool by_group = sums.buffer->scope == kWarpgroupScope;
  if (!is_flag(call.arguments[3]) || !is_flag(call.arguments[4])) {
    fail("{}: whether a side is transposed is 0 or 1, and {} and {} are given", call.function,
         to_text(call.arguments[3]), to_text(call.arguments[4]));
  }
  require_types(sums, a, b);
  require_sums(sums);
  for (const View* side : {&a, &b}) {
    require_scope(*side, by_group ? kSwizzledScope : kWarpScope);
    require_side(*side, side == &a, is_int(call.arguments[side == &a ? 3 : 4], 1), by_group);
  }
  // A warpgroup's right side is as wide as its sums.
  const size_t columns = is_int(call.arguments[4], 1) ? 2 : 1;
  if (!is_int(b.box[b.box.size() - columns].extent, *as_int(sums.box.back().extent))) {
    fail("{} is multiplied to columns of {}, which has others", shown(b), shown(sums));
  }
}

}  // namespace

void require_tiles(const Call& call) {
  if (call.function == kFillTile) {
    require_arguments(call, 1);
    return require_sums(box_at(call, 0));
  }
  if (call.function == kMultiplyTiles) return require_product(call);
  if (call.function != kStoreTile) return require_load(call);
  require_arguments(call, 2);
  const View &to = box_at(call, 0), &sums = box_at(call, 1);
  require_sums(sums);
  if (to.buffer->scope != "global" && !is_plain_shared(to)) {
    fail("{} is of scope \"{}\", and tiles are stored to what a block's threads share: \"shared\", or a parameter",
         shown(to), to.buffer->scope);
  }
  const size_t rank = sums.box.size();
  require_shape(to, {{*as_int(sums.box[rank - 2].extent), *as_int(sums.box[rank - 1].extent)}});
}

}  // namespace vantage::cuda
