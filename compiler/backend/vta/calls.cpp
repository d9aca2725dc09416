#include "compiler/backend/vta/calls.h"

#include "base/error.h"

namespace vantage::vta {

using namespace ir;

namespace {

Expr make_call(std::string_view function, std::vector<Expr> arguments) {
  return Expr(std::make_shared<Call>(kVoid, std::string(function), std::move(arguments)));
}

// Elements [first, first + count) of a buffer of [elements][lanes].
Expr elements(const Buffer& buffer, const Expr& first, const Expr& count, Touch touch) {
  return view(buffer, {{first, count}, {make_zero(kIndex), buffer->shape.back()}}, touch);
}

int64_t integer(const Expr& expr) {
  const int64_t* value = as_int(expr);
  VANTAGE_CHECK(value != nullptr);
  return *value;
}

const std::string* label(const Expr& expr) {
  const auto* text = expr.as<StringImm>();
  return text != nullptr ? &text->value : nullptr;
}

// How many elements so many iterations touch: none without any.
Expr unless_empty(const Expr& iterations, const Expr& elements) {
  if (const int64_t* value = as_int(iterations)) return *value > 0 ? elements : Expr(0);
  return if_then_else(iterations > 0, elements, 0);
}

}  // namespace

const CallTouches& call_touches() {
  using enum Touch;
  static const CallTouches kTouches = {
      {std::string(kLoadCall), {kWrite, kRead}},    {std::string(kStoreCall), {kWrite, kRead}},
      {std::string(kResetCall), {kWrite}},          {std::string(kGemmCall), {kReadWrite, kRead, kRead}},
      {std::string(kAluCall), {kReadWrite, kRead}}, {std::string(kTurnCall), {}},
  };
  return kTouches;
}

const Call* call_of(const Stmt& stmt, std::string_view function) {
  const auto* evaluate = stmt.as<Evaluate>();
  if (evaluate == nullptr) return nullptr;
  const auto* call = evaluate->call.as<Call>();
  return function.empty() || call->function == function ? call : nullptr;
}

Expr view(const Buffer& buffer, std::vector<Range> box, Touch touch) {
  return Expr(std::make_shared<View>(buffer, std::move(box), touch));
}

ComputeCall ComputeCall::parse(const Call& call) {
  ComputeCall result;
  size_t next = 0;
  const auto take = [&]() -> const Expr& { return call.arguments.at(next++); };
  for (std::string_view known : {kGemmCall, kResetCall, kAluCall}) {
    if (call.function == known) result.function = known;
  }
  VANTAGE_CHECK(!result.function.empty());
  if (result.function == kAluCall) {
    const auto op = isa::alu_op_from_name(*label(take()));
    VANTAGE_CHECK(op.has_value());
    result.op = *op;
  }
  while (next < call.arguments.size()) {
    const Expr& argument = take();
    if (const auto* v = argument.as<View>()) {
      result.operands.push_back({v->buffer, v->box.front().min, v->touch});
    } else if (*label(argument) == "imm") {
      result.immediate = integer(take());
    } else {
      CallAxis axis{take(), {}};
      for (size_t i = 0; i < result.operands.size(); ++i) axis.steps.push_back(integer(take()));
      result.axes.push_back(std::move(axis));
    }
  }
  return result;
}

Stmt ComputeCall::to_stmt() const {
  std::vector<Expr> arguments;
  if (function == kAluCall) arguments.push_back(make_string(std::string(isa::name(op))));
  for (size_t i = 0; i < operands.size(); ++i) {
    Expr count = 1;
    for (const CallAxis& axis : axes) count = count + (axis.extent - 1) * make_int(kIndex, axis.steps[i]);
    // One axis without iterations, and nothing is touched.
    for (const CallAxis& axis : axes) count = unless_empty(axis.extent, count);
    arguments.push_back(elements(operands[i].buffer, operands[i].element, count, operands[i].touch));
  }
  if (immediate) {
    arguments.push_back(make_string("imm"));
    arguments.push_back(make_int(kIndex, *immediate));
  }
  for (const CallAxis& axis : axes) {
    arguments.push_back(make_string("axis"));
    arguments.push_back(axis.extent);
    for (int64_t step : axis.steps) arguments.push_back(make_int(kIndex, step));
  }
  return evaluate(make_call(function, std::move(arguments)));
}

TransferCall TransferCall::parse(const Call& call) {
  TransferCall result;
  result.is_load = call.function == kLoadCall;
  VANTAGE_CHECK(result.is_load || call.function == kStoreCall);
  const auto *dst = call.arguments[0].as<View>(), *src = call.arguments[1].as<View>();
  result.dst = dst->buffer;
  result.dst_element = dst->box.front().min;
  result.src = src->buffer;
  result.src_element = src->box.front().min;
  result.rows = call.arguments[3];
  result.columns = call.arguments[5];
  result.stride = call.arguments[7];
  if (result.is_load) {
    result.top = call.arguments[9];
    result.bottom = call.arguments[10];
    result.left = call.arguments[11];
    result.right = call.arguments[12];
  }
  return result;
}

Stmt TransferCall::to_stmt() const {
  Expr in_dram = (rows - 1) * stride + columns;
  for (const Expr& count : {rows, columns}) in_dram = unless_empty(count, in_dram);
  const Expr in_scratchpad = (top + rows + bottom) * (left + columns + right);
  std::vector<Expr> arguments = {elements(dst, dst_element, is_load ? in_scratchpad : in_dram, Touch::kWrite),
                                 elements(src, src_element, is_load ? in_dram : in_scratchpad, Touch::kRead),
                                 make_string("rows"),
                                 rows,
                                 make_string("columns"),
                                 columns,
                                 make_string("stride"),
                                 stride};
  if (is_load) arguments.insert(arguments.end(), {make_string("pad"), top, bottom, left, right});
  return evaluate(make_call(is_load ? kLoadCall : kStoreCall, std::move(arguments)));
}

}  // namespace vantage::vta
