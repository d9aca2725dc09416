#include "tests/compiler/ir/random_function.h"

#include <array>
#include <cmath>
#include <limits>

#include "compiler/ir/printer.h"

namespace vantage::test {

using namespace ir;

namespace {

constexpr std::array kAllTypes = {kInt32,  kInt8, kInt4,    kInt64,    kInt16,   kUInt8,  kUInt16,
                                  kUInt32, kBool, kFloat16, kBFloat16, kFloat32, kFloat64};

}  // namespace

RandomFunction::RandomFunction(uint64_t seed) : random_(seed) {
  for (DType type : kAllTypes) vars.push_back(fresh(type));
  for (DType type : kAllTypes) {
    std::vector<Expr> shape;
    for (uint64_t d = pick(4); d > 0; --d) shape.push_back(1 + pick(4));
    buffers.push_back(make_buffer("B_" + name(type), shape, type));
  }
  scope_ = vars;
  visible_ = buffers;
}

Var RandomFunction::fresh(DType dtype) {
  return Var("v" + std::to_string(names_++), dtype);
}

int64_t RandomFunction::integer(DType dtype) {
  if (dtype.is_bool()) return static_cast<int64_t>(pick(2));
  switch (pick(6)) {
    case 0: return dtype.max_int() - static_cast<int64_t>(pick(2));
    case 1: return dtype.min_int() + static_cast<int64_t>(pick(2));
    case 2: return wrap(dtype, static_cast<int64_t>(random_()));
    default: return wrap(dtype, static_cast<int64_t>(pick(13)) - 5);
  }
}

double RandomFunction::number(DType dtype) {
  switch (pick(12)) {
    case 0: return std::numeric_limits<double>::infinity();
    case 1: return std::nan("");
    case 2:
      return round_to(dtype, std::ldexp(1.0 + static_cast<double>(pick(1 << 20)), static_cast<int>(pick(60)) - 50));
    default: return (static_cast<double>(pick(64)) - 30) / 8;
  }
}

Expr RandomFunction::leaf(DType dtype) {
  std::vector<Expr> known;
  for (const Var& var : scope_) {
    if (var.dtype() == dtype) known.push_back(var);
  }
  if (pick(3) != 0 && !known.empty()) return known[pick(known.size())];
  return dtype.is_float() ? make_float(dtype, number(dtype)) : make_int(dtype, integer(dtype));
}

Expr RandomFunction::index(const Buffer& buffer, size_t dimension, int depth) {
  const DType type = pick(4) == 0 ? kInt64 : kInt32;
  const Expr size = cast(type, buffer->shape[dimension]);
  // Now and then outside.
  if (pick(60) == 0) return size - static_cast<int64_t>(pick(2));
  return floor_mod(expr(type, depth), size);
}

std::vector<Expr> RandomFunction::indices(const Buffer& buffer, int depth) {
  std::vector<Expr> result;
  for (size_t d = 0; d < buffer->rank(); ++d) result.push_back(index(buffer, d, depth));
  return result;
}

Expr RandomFunction::expr(DType dtype, int depth) {
  using enum BinaryOp;
  if (depth <= 0) return leaf(dtype);
  const auto next = [&](DType type) { return expr(type, depth - 1 - static_cast<int>(pick(2))); };
  switch (pick(10)) {
    case 0: return leaf(dtype);
    case 1: return cast(dtype, next(kAllTypes[pick(kAllTypes.size())]));
    case 2: return if_then_else(next(kBool), next(dtype), next(dtype));
    case 3: {
      std::vector<Buffer> fitting;
      for (const Buffer& buffer : visible_) {
        if (buffer->dtype == dtype) fitting.push_back(buffer);
      }
      const Buffer& buffer = fitting[pick(fitting.size())];
      return load(buffer, indices(buffer, depth - 2));
    }
    case 4:
      if (dtype.is_bool()) return pick(2) == 0 ? call("likely", {next(kBool)}) : call("isnan", {next(kFloat32)});
      if (dtype.is_float() && pick(2) == 0) return call("floor", {next(dtype)});
      return call("abs", {next(dtype)});
    default: break;
  }
  if (dtype.is_bool()) {
    constexpr std::array kLogic = {kAnd, kOr};
    constexpr std::array kCompare = {kEq, kNe, kLt, kLe, kGt, kGe};
    switch (pick(5)) {
      case 0: return !next(kBool);
      case 1: return make_binary(kLogic[pick(2)], next(kBool), next(kBool));
      case 2: return make_binary(kCompare[pick(2)], next(kBool), next(kBool));
      default: {
        const DType type = kAllTypes[pick(kAllTypes.size())];
        return make_binary(kCompare[type.is_bool() ? pick(2) : pick(6)], next(type), next(type));
      }
    }
  }
  constexpr std::array kFloats = {kAdd, kSub, kMul, kDiv, kMin, kMax};
  constexpr std::array kIntegers = {kAdd, kSub, kMul, kFloorDiv, kFloorMod, kTruncDiv, kTruncMod,
                                    kMin, kMax, kShl, kShr,      kBitAnd,   kBitOr,    kBitXor};
  const BinaryOp op = dtype.is_float() ? kFloats[pick(kFloats.size())] : kIntegers[pick(kIntegers.size())];
  Expr a = next(dtype), b = next(dtype);
  const bool divides = op == kFloorDiv || op == kFloorMod || op == kTruncDiv || op == kTruncMod;
  if (divides && pick(16) != 0) b = if_then_else(b == make_zero(dtype), make_int(dtype, 3), b);
  return make_binary(op, a, b);
}

void RandomFunction::write_only_to(const Buffer& buffer) {
  first_written_ = visible_.size();
  visible_.push_back(buffer);
}

Stmt RandomFunction::store(int depth) {
  const Buffer buffer = visible_[first_written_ + pick(visible_.size() - first_written_)];
  std::vector<Expr> where = indices(buffer, 2);
  return ir::store(buffer, std::move(where), expr(buffer->dtype, depth + 1));
}

Stmt RandomFunction::loop(int depth) {
  For node;
  node.var = fresh(pick(3) == 0 ? kInt64 : kInt32);
  node.min = make_int(node.var.dtype(), static_cast<int64_t>(pick(7)) - 3);
  node.extent = pick(3) == 0 ? floor_mod(expr(kInt32, 2), 4) : Expr(pick(4));
  constexpr std::array kKinds = {ForKind::kSerial, ForKind::kParallel, ForKind::kVectorized, ForKind::kUnrolled};
  node.loop = kKinds[pick(kKinds.size())];
  scope_.push_back(node.var);
  node.body = stmt(depth - 1);
  scope_.pop_back();
  return make_stmt(std::move(node));
}

Stmt RandomFunction::block(int depth) {
  Block node;
  node.name = "block";
  const size_t outside = scope_.size();
  for (uint64_t axes = pick(3); axes > 0; --axes) {
    Axis axis{fresh(kInt32), {static_cast<int64_t>(pick(5)) - 2, 1 + pick(4)}};
    axis.kind = pick(2) == 0 ? AxisKind::kReduce : AxisKind::kSpatial;
    const Expr inside = floor_mod(expr(kInt32, 2), axis.domain.extent) + axis.domain.min;
    node.bindings.push_back(pick(40) == 0 ? expr(kInt32, 1) : inside);
    node.axes.push_back(axis);
  }
  for (const Axis& axis : node.axes) scope_.push_back(axis.var);
  if (pick(3) == 0) node.predicate = expr(kBool, 3);
  if (pick(2) == 0) node.init = store(1);
  node.body = stmt(depth - 1);
  scope_.resize(outside);
  return make_stmt(std::move(node));
}

Stmt RandomFunction::let(int depth) {
  const Var var = fresh(kAllTypes[pick(kAllTypes.size())]);
  const Expr value = expr(var.dtype(), depth);
  scope_.push_back(var);
  const Stmt body = stmt(depth - 1);
  scope_.pop_back();
  return make_stmt(Let(var, value, body));
}

Stmt RandomFunction::allocate(int depth) {
  const Var n = fresh(kInt32), i = fresh(kInt32);
  const DType type = kAllTypes[pick(kAllTypes.size())];
  const Buffer buffer = make_buffer("T" + std::to_string(names_++), {1 + pick(3), 2}, type);
  // Nearly always written at first.
  const Stmt fill = seq({ir::store(buffer, {i, 0}, expr(type, 2)), ir::store(buffer, {i, 1}, expr(type, 2))});
  const Stmt first = pick(12) == 0 ? Stmt() : ir::loop(i, buffer->shape[0], fill);
  visible_.push_back(buffer);
  const Stmt body = seq({first, stmt(depth - 1), stmt(depth - 1)});
  visible_.pop_back();
  return make_stmt(Allocate(buffer, body));
}

Stmt RandomFunction::stmt(int depth) {
  if (depth <= 0) return store(1);
  switch (pick(8)) {
    case 0: return store(depth);
    case 1: return make_stmt(If(expr(kBool, 2), stmt(depth - 1), pick(2) == 0 ? Stmt() : stmt(depth - 1)));
    case 2: return let(depth);
    case 3: return allocate(depth);
    case 4: return block(depth);
    case 5: return seq({stmt(depth - 1), stmt(depth - 1), stmt(depth - 1)});
    default: return loop(depth);
  }
}

}  // namespace vantage::test
