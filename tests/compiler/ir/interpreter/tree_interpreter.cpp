#include "tests/compiler/ir/interpreter/tree_interpreter.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "compiler/ir/substitute.h"

namespace vantage::test {

using namespace ir;

namespace {

Wide power_of_two(int exponent) {
  Wide result = 1;
  for (int i = 0; i < exponent; ++i) result *= 2;
  return result;
}

Wide floor_divide(Wide a, Wide b) {
  const Wide quotient = a / b;
  return quotient * b != a && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

// Every finite float of 16 bits from 0 upward, and where infinity begins; of digits behind the point and of exponents.
std::vector<long double> narrow_values(int digits, int least, int most) {
  std::vector<long double> all;
  const int whole = 1 << digits;
  for (int fraction = 0; fraction < whole; ++fraction) all.push_back(std::ldexp(1.0L * fraction, least - digits));
  for (int exponent = least; exponent <= most; ++exponent) {
    for (int fraction = 0; fraction < whole; ++fraction) {
      all.push_back(std::ldexp(1.0L * (whole + fraction), exponent - digits));
    }
  }
  all.push_back(std::ldexp(1.0L, most + 1));
  return all;
}

long double nearest_narrow(DType type, long double value) {
  static const std::vector<long double> kHalves = narrow_values(10, -14, 15), kBrains = narrow_values(7, -126, 127);
  if (std::isnan(value) || value == 0) return value;
  const auto& all = type == kBFloat16 ? kBrains : kHalves;
  const long double magnitude = std::abs(value);
  const auto above = std::lower_bound(all.begin(), all.end(), magnitude);
  auto chosen = above == all.end() ? above - 1 : above;
  if (chosen != all.begin() && above != all.end()) {
    const long double up = *above - magnitude, down = magnitude - *(above - 1);
    const bool odd = (above - all.begin()) % 2 != 0;
    if (down < up || (down == up && odd)) chosen = above - 1;
  }
  const long double result = *chosen == all.back() ? std::numeric_limits<long double>::infinity() : *chosen;
  return value < 0 ? -result : result;
}

bool compare(BinaryOp op, auto a, auto b) {
  switch (op) {
    case BinaryOp::kEq: return a == b;
    case BinaryOp::kNe: return a != b;
    case BinaryOp::kLt: return a < b;
    case BinaryOp::kLe: return a <= b;
    case BinaryOp::kGt: return a > b;
    default: return a >= b;
  }
}

template <typename Float>
Float arithmetic(BinaryOp op, Float a, Float b) {
  switch (op) {
    case BinaryOp::kAdd: return a + b;
    case BinaryOp::kSub: return a - b;
    case BinaryOp::kMul: return a * b;
    case BinaryOp::kDiv: return a / b;
    case BinaryOp::kMin: return std::isnan(a) || std::isnan(b) ? a + b : b < a ? b : a;
    default: return std::isnan(a) || std::isnan(b) ? a + b : a < b ? b : a;
  }
}

long double float_operation(BinaryOp op, DType type, long double a, long double b) {
  if (type == kFloat32) return arithmetic(op, static_cast<float>(a), static_cast<float>(b));
  if (type == kFloat64) return arithmetic(op, static_cast<double>(a), static_cast<double>(b));
  // Exact in 64 bits, or far from every middle.
  return nearest_narrow(type, arithmetic(op, a, b));
}

Wide integer_operation(BinaryOp op, DType type, Wide a, Wide b) {
  const bool divides =
      op == BinaryOp::kFloorDiv || op == BinaryOp::kFloorMod || op == BinaryOp::kTruncDiv || op == BinaryOp::kTruncMod;
  if (divides && b == 0) throw Undefined("division by zero");
  switch (op) {
    case BinaryOp::kAdd: return a + b;
    case BinaryOp::kSub: return a - b;
    case BinaryOp::kMul: return a * b;
    case BinaryOp::kFloorDiv: return floor_divide(a, b);
    case BinaryOp::kFloorMod: return a - b * floor_divide(a, b);
    case BinaryOp::kTruncDiv: return a / b;
    case BinaryOp::kTruncMod: return a % b;
    case BinaryOp::kMin: return std::min(a, b);
    case BinaryOp::kMax: return std::max(a, b);
    case BinaryOp::kBitAnd: return a & b;
    case BinaryOp::kBitOr: return a | b;
    case BinaryOp::kBitXor: return a ^ b;
    case BinaryOp::kShl:
    case BinaryOp::kShr: {
      const Wide left = op == BinaryOp::kShl ? b : -b;
      if (left >= type.bits()) return 0;
      if (left >= 0) return a * power_of_two(static_cast<int>(left));
      return left <= -type.bits() ? (a < 0 ? -1 : 0) : floor_divide(a, power_of_two(static_cast<int>(-left)));
    }
    default: throw std::logic_error("no integer operation");
  }
}

Value converted(DType from, DType to, Value value) {
  if (to.is_bool()) return {from.is_float() ? value.f != 0 : value.i != 0, 0};
  if (!from.is_float()) {
    if (to.is_float()) return {0, rounded(to, static_cast<long double>(value.i))};
    return {wrapped(to, value.i), 0};
  }
  if (to.is_float()) return {0, rounded(to, value.f)};
  if (std::isnan(value.f)) return {0, 0};
  const Wide low = to.is_unsigned() ? Wide{0} : -power_of_two(to.bits() - 1);
  const Wide high = low + power_of_two(to.bits()) - 1;
  if (value.f <= static_cast<long double>(low)) return {low, 0};
  if (value.f >= static_cast<long double>(high)) return {high, 0};
  return {static_cast<Wide>(value.f), 0};
}

}  // namespace

Wide wrapped(DType dtype, Wide value) {
  const Wide count = power_of_two(dtype.bits());
  Wide low = value - count * floor_divide(value, count);
  if (!dtype.is_unsigned() && low >= count / 2) low -= count;
  return low;
}

long double rounded(DType dtype, long double value) {
  if (dtype == kFloat32) return static_cast<float>(value);
  if (dtype == kFloat64) return static_cast<double>(value);
  return nearest_narrow(dtype, value);
}

void TreeInterpreter::add(const Buffer& buffer, const vantage::Tensor& contents) {
  Tensor tensor{contents.shape(), {}};
  for (int64_t e = 0; e < contents.size(); ++e) {
    const Scalar got = contents.get(e);
    tensor.elements.push_back(contents.dtype().is_float() ? Value{0, got.f} : Value{got.i, 0});
  }
  tensors_[buffer.get()] = std::move(tensor);
}

std::optional<Value>& TreeInterpreter::element(const Buffer& buffer, const std::vector<Expr>& indices) {
  Tensor& tensor = tensors_.at(buffer.get());
  std::vector<Wide> found;
  for (const Expr& index : indices) found.push_back(value(index).i);
  size_t at = 0;
  for (size_t d = 0; d < found.size(); ++d) {
    const Wide index = found[d];
    if (index < 0 || index >= tensor.shape[d]) throw Undefined("is outside its extent");
    at = at * static_cast<size_t>(tensor.shape[d]) + static_cast<size_t>(index);
  }
  return tensor.elements[at];
}

Value TreeInterpreter::value(const Expr& expr) {
  switch (expr.kind()) {
    case ExprKind::kIntImm: return {expr.as<IntImm>()->value, 0};
    case ExprKind::kFloatImm: return {0, expr.as<FloatImm>()->value};
    case ExprKind::kVar: return vars_.at(expr.as<VarNode>());
    case ExprKind::kCast: return converted(expr.as<Cast>()->value.dtype(), expr.dtype(), value(expr.as<Cast>()->value));
    case ExprKind::kNot: return {value(expr.as<Not>()->value).i == 0, 0};
    case ExprKind::kBinary: return binary(*expr.as<Binary>());
    case ExprKind::kSelect: {
      const auto* select = expr.as<Select>();
      return value(select->condition).i != 0 ? value(select->if_true) : value(select->if_false);
    }
    case ExprKind::kLoad: {
      const auto& found = element(expr.as<Load>()->buffer, expr.as<Load>()->indices);
      if (!found) throw Undefined("is read before it is written");
      return *found;
    }
    case ExprKind::kCall: {
      const auto* call = expr.as<Call>();
      const Value x = value(call->arguments.at(0));
      if (call->function == "likely") return x;
      if (call->function == "isnan") return {std::isnan(x.f), 0};
      if (call->function == "floor") return {0, std::floor(x.f)};
      if (call->function == "abs") return {wrapped(expr.dtype(), x.i < 0 ? -x.i : x.i), std::abs(x.f)};
      break;
    }
    default: break;
  }
  throw std::logic_error("an expression that is not drawn");
}

Value TreeInterpreter::binary(const Binary& node) {
  const Value a = value(node.a);
  if (node.op == BinaryOp::kAnd && a.i == 0) return {0, 0};
  if (node.op == BinaryOp::kOr && a.i != 0) return {1, 0};
  const Value b = value(node.b);
  if (node.op == BinaryOp::kAnd || node.op == BinaryOp::kOr) return b;
  const DType type = node.a.dtype();
  if (is_comparison(node.op)) return {type.is_float() ? compare(node.op, a.f, b.f) : compare(node.op, a.i, b.i), 0};
  if (type.is_float()) return {0, float_operation(node.op, type, a.f, b.f)};
  return {wrapped(type, integer_operation(node.op, type, a.i, b.i)), 0};
}

void TreeInterpreter::run(const Stmt& stmt) {
  if (!stmt) return;
  switch (stmt.kind()) {
    case StmtKind::kStore: {
      const auto* node = stmt.as<Store>();
      const Value stored = value(node->value);
      element(node->buffer, node->indices) = stored;
      return;
    }
    case StmtKind::kFor: {
      const auto* node = stmt.as<For>();
      const Wide min = value(node->min).i, extent = value(node->extent).i;
      for (Wide i = 0; i < extent; ++i) {
        vars_[node->var.get()] = {min + i, 0};
        run(node->body);
      }
      return;
    }
    case StmtKind::kBlock: return block(*stmt.as<Block>());
    case StmtKind::kSeq:
      for (const Stmt& s : stmt.as<Seq>()->stmts) run(s);
      return;
    case StmtKind::kIf: {
      const auto* node = stmt.as<If>();
      return run(value(node->condition).i != 0 ? node->then : node->otherwise);
    }
    case StmtKind::kLet: {
      const auto* node = stmt.as<Let>();
      vars_[node->var.get()] = value(node->value);
      return run(node->body);
    }
    case StmtKind::kAllocate: {
      const auto* node = stmt.as<Allocate>();
      Tensor tensor;
      size_t count = 1;
      for (const Expr& size : node->buffer->shape) {
        tensor.shape.push_back(static_cast<int64_t>(value(size).i));
        count *= static_cast<size_t>(tensor.shape.back());
      }
      tensor.elements.resize(count);
      tensors_[node->buffer.get()] = std::move(tensor);
      return run(node->body);
    }
    case StmtKind::kEvaluate: throw std::logic_error("a statement that is not drawn");
  }
}

void TreeInterpreter::block(const Block& node) {
  if (value(predicate_of_loops(node)).i == 0) return;
  std::vector<Wide> bindings;
  for (const Expr& binding : node.bindings) bindings.push_back(value(binding).i);
  for (size_t i = 0; i < bindings.size(); ++i) vars_[node.axes[i].var.get()] = {bindings[i], 0};
  if (value(node.predicate).i == 0) return;
  bool begins = true;
  for (size_t i = 0; i < bindings.size(); ++i) {
    const Wide first = value(node.axes[i].domain.min).i, extent = value(node.axes[i].domain.extent).i;
    if (bindings[i] < first || bindings[i] >= first + extent) throw Undefined("outside its domain");
    begins = begins && (node.axes[i].kind != AxisKind::kReduce || bindings[i] == first);
  }
  if (node.init && begins) run(node.init);
  run(node.body);
}

}  // namespace vantage::test
