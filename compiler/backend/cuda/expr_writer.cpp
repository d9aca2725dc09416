#include "compiler/backend/cuda/expr_writer.h"

#include <utility>

#include "base/error.h"
#include "compiler/ir/intrinsics.h"
#include "compiler/ir/printer.h"
#include "compiler/ir/regions.h"
#include "compiler/ir/scaled.h"
#include "compiler/ir/substitute.h"
#include "compiler/ir/thread_axes.h"
#include "compiler/ir/visitor.h"

namespace vantage::cuda {

using namespace ir;

std::optional<int64_t> constant_span(const Buffer& buffer) {
  const Expr span = Analyzer().simplify(buffer->span());
  const int64_t* known = as_int(span);
  return known == nullptr ? std::nullopt : std::optional(*known);
}

std::string size_text(const Buffer& buffer) {
  std::string text;
  for (const Expr& size : buffer->shape) text += (text.empty() ? "" : " * ") + to_text(size);
  return text;
}

std::string ExprWriter::value(const Expr& expr, int around) {
  const bool outside = std::exchange(is_index_, false);
  std::string text = write(expr, around);
  is_index_ = outside;
  return text;
}

std::optional<std::string> ExprWriter::fused(const Expr& product, const std::string& sum) {
  const auto* times = product.as<Binary>();
  if (strict_ || times == nullptr || times->op != BinaryOp::kMul || is_scaled(product)) return std::nullopt;
  const char* const name = product.dtype() == kFloat32 ? "fmaf" : product.dtype() == kFloat64 ? "fma" : nullptr;
  if (name == nullptr) return std::nullopt;
  return fmt::format("{}({}, {}, {})", name, value(times->a), value(times->b), sum);
}

std::string ExprWriter::index(const Expr& expr, int around) {
  const bool outside = std::exchange(is_index_, !strict_);
  std::string text = write(expr, around);
  is_index_ = outside;
  return text;
}

Expr ExprWriter::offset(const Buffer& buffer, const std::vector<Expr>& indices) {
  if (buffer->scope == kSwizzledScope) {
    fail("{} of scope {} has its elements in an order that threads do not see; only products of warpgroups read it",
         buffer->name, kSwizzledScope);
  }
  if (is_of_warps(buffer->scope)) {
    fail(
        "{} of scope {} has its elements in registers of many threads, in an order that these do not see; tensorize "
        "the blocks that read and write it",
        buffer->name, buffer->scope);
  }
  const std::optional<int64_t> span = constant_span(buffer);
  const DType type = span && kInt32.holds(*span) ? kInt32 : kInt64;
  Expr sum = make_zero(type);
  const std::vector<Expr> strides = buffer->all_strides();
  for (size_t d = 0; d < indices.size(); ++d) sum = sum + ir::cast(type, indices[d]) * ir::cast(type, strides[d]);
  return strict_ ? sum : analyzer_.simplify(sum);
}

std::string ExprWriter::element(const Buffer& buffer, const std::vector<Expr>& indices) {
  const Expr place = offset(buffer, indices);
  const std::string& own = names_.of(buffer);
  std::string text = fmt::format("{}[{}]", own, index(place));
  note({buffer, place, 1, text});
  return text;
}

void ExprWriter::note(SharedAccess access) {
  if (is_shared(access.buffer->scope)) shared_accesses.push_back(std::move(access));
}

std::string ExprWriter::write(const Expr& expr, int around) {
  switch (expr.kind()) {
    case ExprKind::kIntImm:
    case ExprKind::kFloatImm: return literal(expr, around);
    case ExprKind::kVar: return names_.of(*expr.as<VarNode>());
    case ExprKind::kCast: return cast(*expr.as<Cast>(), around);
    case ExprKind::kNot: return fmt::format("!{}", value(expr.as<Not>()->value, kUnary));
    case ExprKind::kBinary: return binary(expr, *expr.as<Binary>(), around);
    case ExprKind::kSelect: {
      const auto& node = *expr.as<Select>();
      const std::string condition = value(node.condition, kChoice + 1);
      const size_t facts = assume(node.condition);
      const std::string chosen = write(node.if_true, kChoice + 1);
      analyzer_.forget(facts);
      const std::string other = write(node.if_false, kChoice);
      return parenthesised(fmt::format("{} ? {} : {}", condition, chosen, other), kChoice, around);
    }
    case ExprKind::kLoad: {
      const auto& node = *expr.as<Load>();
      if (replaced) {
        if (std::string text = replaced(node); !text.empty()) return text;
      }
      return element(node.buffer, node.indices);
    }
    case ExprKind::kCall: return intrinsic(*expr.as<Call>(), around);
    case ExprKind::kStringImm:
    case ExprKind::kView: break;
  }
  fail("{} is no value; only an argument of a call may be one", to_text(expr));
}

std::string ExprWriter::cast(const Cast& node, int around) {
  const DType from = node.value.dtype(), to = node.dtype;
  if (from == to) return write(node.value, around);
  if (to.is_bool()) {
    const Expr zero = make_zero(from);
    return parenthesised(fmt::format("{} != {}", value(node.value, kEqual + 1), literal(zero, kEqual + 1)), kEqual,
                         around);
  }
  if (from.is_float() && to.is_int()) {
    const std::string operand = from.is_narrow_float() ? "float(" + value(node.value) + ")" : value(node.value);
    const std::string text = fmt::format("vt::saturate<{}>({})", type_name(to), operand);
    return to.bits() == c_bits(to) ? text
                                   : fmt::format("vt::minimum(vt::maximum({}, ({}){}), ({}){})", text, type_name(to),
                                                 to.min_int(), type_name(to), to.max_int());
  }
  if (to.is_narrow_float()) return fmt::format("{}({})", type_name(to), value(node.value));
  // The operand's own bits are cut off or continued by C++ as the IR has it.
  std::string text = fmt::format("({}){}", type_name(to), write(node.value, kUnary));
  const bool narrower = to.is_int() && to.bits() != c_bits(to) && !(from.is_signed() && from.bits() <= to.bits());
  if (narrower) return fmt::format("vt::keep<{}>({})", to.bits(), text);
  return parenthesised(std::move(text), kUnary, around);
}

// What is known of an expression holds only as far as nothing inside of it wraps.
Bounds ExprWriter::bounds(const Expr& expr) const {
  struct Wraps final : Visitor {
    using Visitor::visit;
    const Analyzer* analyzer = nullptr;
    bool found = false;
    void visit_load(const Load&) override {}  // whatever the index, the value is one of its type
    void visit(const Expr& part) override {
      if (part.as<Binary>() != nullptr && part.dtype().is_int()) look(analyzer->bounds(part), part.dtype());
      const auto* cast = part.as<Cast>();
      if (cast != nullptr && part.dtype().is_int() && cast->value.dtype().is_int()) {
        const DType from = cast->value.dtype();
        if (!part.dtype().holds(from.min_int()) || !part.dtype().holds(from.max_int())) {
          look(analyzer->bounds(cast->value), part.dtype());
        }
      }
      if (!found) Visitor::visit(part);
    }
    void look(const Bounds& known, DType type) {
      found = found || known.min == -Bounds::kInfinity || known.max == Bounds::kInfinity || !type.holds(known.min) ||
              !type.holds(known.max);
    }
  } search;
  if (is_index_ || (!strict_ && !is_data(expr))) return analyzer_.bounds(expr);
  search.analyzer = &analyzer_;
  search.visit(expr);
  return search.found ? Bounds{} : analyzer_.bounds(expr);
}

// Whether an integer operation stays within its type: one of an index, or one whose bounds say so. What is made of no
// tensor's elements is an index, wherever it stands.
bool ExprWriter::never_wraps(const Expr& expr) const {
  if (!counts(expr.dtype())) return false;
  const bool is_index = is_index_ || (!strict_ && !is_data(expr));
  return is_index || bounds(expr).min != -Bounds::kInfinity;
}

bool ExprWriter::is_data(const Expr& expr) const {
  return reads_memory(expr) || uses_var(expr, [&](const VarNode* var) { return data_.count(var) > 0; });
}

std::string ExprWriter::infix(const Binary& node, std::string_view symbol, int own, int around) {
  const std::string left = write(node.a, own);
  return parenthesised(fmt::format("{} {} {}", left, symbol, write(node.b, own + 1)), own, around);
}

std::string ExprWriter::binary(const Expr& expr, const Binary& node, int around) {
  const auto [symbol, own] = symbol_of(node.op);
  const DType type = node.a.dtype();
  if (is_comparison(node.op)) {
    // What is compared are numbers like others, whatever they are compared for.
    const std::string left = value(node.a, own);
    return parenthesised(fmt::format("{} {} {}", left, symbol, value(node.b, own + 1)), own, around);
  }
  if (node.op == BinaryOp::kAnd) {
    const std::string left = value(node.a, own);
    const size_t facts = assume(node.a);
    const std::string right = value(node.b, own);
    analyzer_.forget(facts);
    return parenthesised(fmt::format("{} && {}", left, right), own, around);
  }
  if (node.op == BinaryOp::kOr) {
    return parenthesised(fmt::format("{} || {}", value(node.a, own), value(node.b, own)), own, around);
  }
  if (type.is_bool()) return fmt::format("(bool)({})", infix(node, symbol, own, kAny));
  if (type.is_float()) {
    if (node.op == BinaryOp::kMin || node.op == BinaryOp::kMax) {
      return call(std::string(function_of(node.op)), {node.a, node.b});
    }
    return infix(node, symbol, own, around);
  }
  return integer(expr, node, around);
}

std::string ExprWriter::integer(const Expr& expr, const Binary& node, int around) {
  const auto [symbol, own] = symbol_of(node.op);
  const DType type = node.a.dtype();
  const auto plain = [&](std::string_view text, int binding) { return infix(node, text, binding, around); };
  switch (node.op) {
    case BinaryOp::kAdd:
      for (const auto& [other, product] : {std::pair(node.a, node.b), std::pair(node.b, node.a)}) {
        const auto* dot = product.as<Call>();
        if (dot == nullptr || (dot->function != kDot4 && dot->function != kDot4UnsignedSigned)) continue;
        return call("vt::" + dot->function, {dot->arguments[0], dot->arguments[1], other});
      }
      [[fallthrough]];
    case BinaryOp::kSub:
    case BinaryOp::kMul:
      if (never_wraps(expr) || (type.is_unsigned() && c_bits(type) >= 32)) return plain(symbol, own);
      break;
    case BinaryOp::kFloorDiv:
    case BinaryOp::kFloorMod:
    case BinaryOp::kTruncDiv:
    case BinaryOp::kTruncMod: {
      const bool quotient = node.op == BinaryOp::kFloorDiv || node.op == BinaryOp::kTruncDiv;
      const bool floor = node.op == BinaryOp::kFloorDiv || node.op == BinaryOp::kFloorMod;
      const Bounds a = bounds(node.a), b = bounds(node.b);
      if (c_bits(type) >= 32 && b.min > 0 && (!floor || a.min >= 0)) return plain(quotient ? "/" : "%", kProduct);
      break;
    }
    case BinaryOp::kShl:
    case BinaryOp::kShr: {
      const Bounds by = bounds(node.b);
      const bool within = c_bits(type) >= 32 && by.min >= 0 && by.max < type.bits();
      if (within && node.op == BinaryOp::kShr) return plain(">>", kShift);
      if (within && (type.is_unsigned() || never_wraps(expr))) return plain("<<", kShift);
      break;
    }
    case BinaryOp::kBitAnd:
    case BinaryOp::kBitOr:
    case BinaryOp::kBitXor:
      if (c_bits(type) >= 32) return plain(symbol, own);
      return fmt::format("({})({})", type_name(type), infix(node, symbol, own, kAny));
    default: break;
  }
  const std::string text = call(std::string(function_of(node.op)), {node.a, node.b});
  return type.bits() == c_bits(type) ? text : fmt::format("vt::keep<{}>({})", type.bits(), text);
}

std::string ExprWriter::call(const std::string& function, const std::vector<Expr>& arguments) {
  std::string text;
  for (const Expr& argument : arguments) text += (text.empty() ? "" : ", ") + write(argument, kAny);
  return fmt::format("{}({})", function, text);
}

std::string ExprWriter::intrinsic(const Call& node, int around) {
  const Intrinsic* known = find_intrinsic(node.function);
  if (known == nullptr) {
    fail("{} is a function of the host's, which a kernel of a GPU cannot call; compute that part on the processor",
         node.function);
  }
  if (known->kind == IntrinsicKind::kHint) return value(node.arguments[0], around);
  const std::string text = call("vt::" + node.function, node.arguments);
  const bool narrow = node.dtype.is_int() && !node.dtype.is_bool() && node.dtype.bits() != c_bits(node.dtype);
  return narrow ? fmt::format("vt::keep<{}>({})", node.dtype.bits(), text) : text;
}

}  // namespace vantage::cuda
