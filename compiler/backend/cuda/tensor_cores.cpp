#include "compiler/backend/cuda/tensor_cores.h"

#include <algorithm>
#include <map>
#include <mutex>

#include "base/error.h"
#include "compiler/backend/cuda/externs.h"
#include "compiler/backend/cuda/group_products.h"
#include "compiler/ir/thread_axes.h"
#include "compiler/te/te.h"

namespace vantage::cuda {

using namespace ir;
using schedule::Operands;

namespace {

// A copy of a tile from one buffer to another, with a conversion where their types differ.
std::shared_ptr<const schedule::Intrinsic> copy(const std::string& name, std::string_view call,
                                                const std::vector<int64_t>& shape, DType from, DType to,
                                                const std::map<std::string, std::string>& scopes) {
  const std::vector<Expr> sizes(shape.begin(), shape.end());
  const te::Tensor source = te::placeholder(sizes, from, "from");
  const te::Tensor result = te::compute(
      sizes, [&](const Expr& i, const Expr& j) { return te::cast(to, source(i, j)); }, "to");
  return std::make_shared<const schedule::Intrinsic>(
      name, te::create_prim_func({source, result}, "tile"),
      schedule::Implementations{.compute =
                                    [call](const Operands& o) {
                                      return schedule::instruction(std::string(call), {o.write("to"), o.read("from")});
                                    },
                                .scopes = scopes},
      externs());
}

std::shared_ptr<const schedule::Intrinsic> product(const TileProduct& p) {
  const std::string sums(p.by_group ? kWarpgroupScope : kWarpScope);
  const std::string sides(p.by_group ? kSwizzledScope : kWarpScope);
  const std::vector<int64_t> a_shape = p.a_shape(), b_shape = p.b_shape();
  const te::Tensor a = te::placeholder({a_shape[0], a_shape[1]}, p.operand, "a");
  const te::Tensor b = te::placeholder({b_shape[0], b_shape[1]}, p.operand, "b");
  const te::ReduceAxis k = te::reduce_axis(p.k, "k");
  const te::Tensor c = te::compute(
      {p.m, p.n},
      [&](const Expr& i, const Expr& j) {
        const Expr x = p.a_transposed ? a(k, i) : a(i, k), y = p.b_transposed ? b(j, k) : b(k, j);
        return te::sum(te::cast(p.sum, x) * te::cast(p.sum, y), {k});
      },
      "c");
  return std::make_shared<const schedule::Intrinsic>(
      p.name + ".product", te::create_prim_func({a, b, c}, "tile"),
      schedule::Implementations{
          .reset = [](const Operands& o) { return schedule::instruction(std::string(kFillTile), {o.write("c")}); },
          .update =
              [p](const Operands& o) {
                return schedule::instruction(
                    std::string(kMultiplyTiles),
                    {o.update("c"), o.read("a"), o.read("b"), p.a_transposed ? 1 : 0, p.b_transposed ? 1 : 0});
              },
          .scopes = {{"a", sides}, {"b", sides}, {"c", sums}}},
      externs());
}

// Products of warps add up 32 bytes of the depth.
constexpr int64_t kDepthBytes = 32;

std::vector<TileProduct> tile_products_of(const TensorCoreType& type) {
  std::vector<TileProduct> all;
  for (const bool a_transposed : {false, true}) {
    for (const bool b_transposed : {false, true}) {
      if (!type.in_any_order && (a_transposed || !b_transposed)) continue;
      const std::string kind = fmt::format("{}_{}{}", type.name, a_transposed ? 't' : 'n', b_transposed ? 't' : 'n');
      const int64_t k = kDepthBytes / type.operand.bytes();
      all.push_back({"tile." + kind, type.operand, type.sum, 16, 8, k, a_transposed, b_transposed});
      for (const int64_t n : {64, 128, 256}) {
        all.push_back({fmt::format("group.{}.n{}", kind, n), type.operand, type.sum, kGroupRows, n, k, a_transposed,
                       b_transposed, true});
      }
    }
  }
  return all;
}

}  // namespace

const std::vector<TensorCoreType>& tensor_core_types() {
  static const std::vector<TensorCoreType> kAll = {
      {"f16", kFloat16, kFloat32, true, 75},
      {"bf16", kBFloat16, kFloat32, true, 80},
      {"i8", kInt8, kInt32, false, 75},
  };
  return kAll;
}

const TensorCoreType* find_tensor_core_type(DType operand) {
  const auto& all = tensor_core_types();
  const auto found = std::ranges::find(all, operand, &TensorCoreType::operand);
  return found == all.end() ? nullptr : &*found;
}

const std::vector<TileProduct>& tile_products() {
  static const std::vector<TileProduct> kAll = [] {
    std::vector<TileProduct> all;
    for (const TensorCoreType& type : tensor_core_types()) {
      std::ranges::copy(tile_products_of(type), std::back_inserter(all));
    }
    return all;
  }();
  return kAll;
}

const TileProduct& find_tile_product(std::string_view name) {
  const auto& all = tile_products();
  const auto found = std::ranges::find(all, name, &TileProduct::name);
  if (found == all.end()) fail("tensor cores have no product {}", name);
  return *found;
}

namespace {

schedule::Intrinsics made_intrinsics(const TileProduct& p) {
  schedule::Intrinsics all;
  const std::string scope(p.by_group ? kWarpgroupScope : kWarpScope);
  const std::map<std::string, std::string> load = {{"to", scope}, {"from", "shared"}}, store = {{"from", scope}};
  if (!p.by_group) {
    all.push_back(copy(p.name + ".load_a", p.a_transposed ? kLoadTileATransposed : kLoadTileA, p.a_shape(), p.operand,
                       p.operand, load));
    all.push_back(copy(p.name + ".load_b", p.b_transposed ? kLoadTileBTransposed : kLoadTileB, p.b_shape(), p.operand,
                       p.operand, load));
  }
  all.push_back(product(p));
  all.push_back(copy(p.name + ".store", kStoreTile, {p.m, p.n}, p.sum, p.sum, store));
  if (p.sum == kFloat32) {
    all.push_back(copy(p.name + ".store_half", kStoreTile, {p.m, p.n}, p.sum, p.operand, store));
  }
  return all;
}

}  // namespace

schedule::Intrinsics tensor_core_intrinsics(const TileProduct& product) {
  static std::mutex mutex;
  static std::map<std::string, schedule::Intrinsics> known;
  const std::lock_guard lock(mutex);
  const auto found = known.find(product.name);
  return found != known.end() ? found->second : known.emplace(product.name, made_intrinsics(product)).first->second;
}

schedule::Intrinsics tensor_core_intrinsics(DType operand) {
  schedule::Intrinsics all;
  for (const TileProduct& product : tile_products()) {
    if (product.operand == operand) std::ranges::copy(tensor_core_intrinsics(product), std::back_inserter(all));
  }
  return all;
}

}  // namespace vantage::cuda
