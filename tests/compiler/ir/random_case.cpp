#include "tests/compiler/ir/random_case.h"

#include "base/error.h"
#include "compiler/ir/verify.h"
#include "compiler/ir/visitor.h"
#include "tests/compiler/ir/interpreter/support.h"

namespace vantage::test {

using namespace ir;

namespace {

Tensor random_array(RandomFunction& random, const Buffer& buffer) {
  std::vector<int64_t> shape;
  for (const Expr& size : buffer->shape) shape.push_back(*as_int(size));
  Tensor array(buffer->dtype, shape);
  for (int64_t e = 0; e < array.size(); ++e) {
    if (buffer->dtype.is_float()) {
      array.set_number(e, random.number(buffer->dtype));
    } else {
      array.set_integer(e, random.integer(buffer->dtype));
    }
  }
  return array;
}

}  // namespace

std::optional<RandomCase> random_case(RandomFunction& random, const Stmt& body, const std::string& name) {
  if (!body) return std::nullopt;
  RandomCase c;
  c.function = function({}, body);
  c.function.name = name;
  for (const Var& var : random.vars) {
    c.function.params.emplace_back(var);
    if (var.dtype().is_float()) {
      c.inputs.emplace_back(round_to(var.dtype(), random.number(var.dtype())));
    } else {
      c.inputs.emplace_back(random.integer(var.dtype()));
    }
  }
  for (const Buffer& buffer : random.buffers) {
    c.function.params.emplace_back(buffer);
    c.inputs.emplace_back(random_array(random, buffer));
  }
  if (!verify(c.function).empty()) return std::nullopt;
  try {
    c.expected = run_interpreted(c.function, c.inputs);
  } catch (const Error&) {
    return std::nullopt;
  }
  return c;
}

Stmt in_order(const Stmt& stmt) {
  struct Serial final : Mutator {
    using Mutator::visit;
    Stmt visit_for(const For& node, const Stmt& self) override {
      const Stmt changed = Mutator::visit_for(node, self);
      if (!changed) return changed;
      For loop = *changed.as<For>();
      if (loop.loop != ForKind::kUnrolled) loop.loop = ForKind::kSerial;
      return make_stmt(std::move(loop));
    }
  };
  return Serial().visit(stmt);
}

}  // namespace vantage::test
