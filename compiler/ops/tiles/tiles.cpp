#include "compiler/ops/tiles/tiles.h"

#include "base/error.h"
#include "base/math.h"
#include "compiler/ops/sizes.h"

namespace vantage::ops {

namespace {

using te::Expr;
using te::Var;

constexpr const char* kImagesOrRows = "[n, c, h, w] or [n, c]: images, or rows";
constexpr const char* kTiles = "[n / batch, c / block, h, w, batch, block]";

std::vector<AttributeField> tile_fields() {
  return {{.name = "batch", .meaning = "images of a tile", .standard = int64_t{1}},
          {.name = "block", .meaning = "channels of a tile", .standard = int64_t{1}, .is_required = true}};
}

struct Tile {
  int64_t batch, block;

  explicit Tile(const Attributes& attributes) : batch(attributes.integer("batch")), block(attributes.integer("block")) {
    if (batch < 1 || block < 1) fail("batch is {} and block is {}, expected at least 1", batch, block);
  }
  Tensor::Shape packed(const Tensor::Shape& s) const {
    return {
        ceil_div(s[0], batch), ceil_div(s[1], block), s.size() == 4 ? s[2] : 1, s.size() == 4 ? s[3] : 1, batch, block};
  }
};

void require_images(const Tensor::Shape& shape, const std::string& what) {
  if (shape.size() != 2 && shape.size() != 4) fail("{}, expected {}", what, kImagesOrRows);
}

// Calls visit(element of the images, element of the tiles) for each that is in both.
template <typename Visit>
void for_each_element(const Tensor::Shape& images, const Tensor::Shape& tiles, const Visit& visit) {
  const int64_t h = tiles[2], w = tiles[3], batch = tiles[4], block = tiles[5];
  for (int64_t n = 0, from = 0; n < images[0]; ++n) {
    for (int64_t c = 0; c < images[1]; ++c) {
      const int64_t tile = n / batch * tiles[1] + c / block, lane = n % batch * block + c % block;
      for (int64_t pixel = 0; pixel < h * w; ++pixel) {
        visit(from++, (tile * h * w + pixel) * batch * block + lane);
      }
    }
  }
}

Operator pack_tiles() {
  Operator op;
  op.name = "pack_tiles";
  op.meaning = "images as tiles, with zeros in what is no image and no channel";
  op.inputs = {{"x", kImagesOrRows}};
  op.attributes = tile_fields();
  op.pattern = Pattern::kInjective;
  op.infer = [](const OperatorCall& call) {
    const TensorType& x = call.inputs[0];
    require_images(x.shape, "x is " + describe(x));
    return std::vector{TensorType{x.dtype, Tile(call.attributes).packed(x.shape)}};
  };
  op.define = [infer = op.infer](const OperatorCall& call, const std::vector<te::Tensor>& in) {
    const Tile tile(call.attributes);
    const Tensor::Shape x = call.inputs[0].shape;
    return std::vector{te::compute(
        sizes(infer(call)[0].shape),
        [&](const std::vector<Var>& i) {
          const Expr n = i[0] * tile.batch + i[4], c = i[1] * tile.block + i[5];
          std::vector<Expr> at = {n, c};
          if (x.size() == 4) at.insert(at.end(), {i[2], i[3]});
          const Expr value = in[0].at(std::move(at));
          const bool whole_images = x[0] % tile.batch == 0, whole_channels = x[1] % tile.block == 0;
          if (whole_images && whole_channels) return value;
          const Expr inside = whole_images ? c < x[1] : whole_channels ? n < x[0] : n < x[0] && c < x[1];
          return te::if_then_else(inside, value, ir::make_const(value.dtype(), 0));
        },
        "pack_tiles")};
  };
  op.reference = [infer = op.infer](const OperatorCall& call, const std::vector<const Tensor*>& in) {
    const TensorType type = infer(call)[0];
    Tensor y(type.dtype, type.shape);
    for_each_element(in[0]->shape(), type.shape, [&](int64_t from, int64_t to) { y.set(to, in[0]->get(from)); });
    return std::vector{std::move(y)};
  };
  return op;
}

Operator unpack_tiles() {
  Operator op;
  op.name = "unpack_tiles";
  op.meaning = "the inverse of pack_tiles";
  op.inputs = {{"x", kTiles}};
  op.attributes = {{.name = "shape", .meaning = "of the images, or rows", .standard = Integers{}, .is_required = true}};
  op.pattern = Pattern::kInjective;
  op.infer = [](const OperatorCall& call) {
    const TensorType& x = call.inputs[0];
    require_rank(x, 6, "x", kTiles);
    const Integers& shape = call.attributes.integers("shape");
    require_images(shape, "shape is " + to_text(Attribute(shape)));
    require_integers(shape, shape.size(), 1, "shape");
    const bool same_pixels =
        shape.size() == 4 ? x.shape[2] == shape[2] && x.shape[3] == shape[3] : x.shape[2] == 1 && x.shape[3] == 1;
    if (!same_pixels || x.shape[0] != ceil_div(shape[0], x.shape[4]) || x.shape[1] != ceil_div(shape[1], x.shape[5])) {
      fail("x is {}, which are no tiles of shape {}", describe(x), to_text(Attribute(shape)));
    }
    return std::vector{TensorType{x.dtype, shape}};
  };
  op.define = [](const OperatorCall& call, const std::vector<te::Tensor>& in) {
    const Tensor::Shape x = call.inputs[0].shape;
    return std::vector{te::compute(
        sizes(call.attributes.integers("shape")),
        [&](const std::vector<Var>& i) {
          const Expr zero = ir::make_int(ir::kIndex, 0);
          return in[0](ir::floor_div(i[0], x[4]), ir::floor_div(i[1], x[5]), i.size() == 4 ? Expr(i[2]) : zero,
                       i.size() == 4 ? Expr(i[3]) : zero, ir::floor_mod(i[0], x[4]), ir::floor_mod(i[1], x[5]));
        },
        "unpack_tiles")};
  };
  op.reference = [](const OperatorCall& call, const std::vector<const Tensor*>& in) {
    Tensor y(in[0]->dtype(), call.attributes.integers("shape"));
    for_each_element(y.shape(), in[0]->shape(), [&](int64_t to, int64_t from) { y.set(to, in[0]->get(from)); });
    return std::vector{std::move(y)};
  };
  return op;
}

}  // namespace

std::vector<Operator> tile_operators() {
  return {pack_tiles(), unpack_tiles()};
}

}  // namespace vantage::ops
