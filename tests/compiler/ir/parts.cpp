#include "tests/compiler/ir/parts.h"

#include <utility>

namespace vantage::test {

using namespace ir;

PrimFunc Parts::build() const {
  const Var n("n", param_type), i(loop_name, loop_type), v("v"), t("t");
  const Var x("x", kInt32), y("y", kInt32);
  BufferNode node;
  node.name = buffer;
  node.scope = scope;
  node.dtype = dtype;
  node.shape = {first_size, 8};
  if (strides) node.strides = {8, 1};
  node.alignment = alignment;
  const Buffer a = make_buffer(node);
  const Buffer temporary = make_buffer(allocation, {16, 8}, kInt32, "local");

  const Expr value = cast(kInt32, cast(cast_to, load(free_buffer, {v + index_offset}))) + make_int(kInt32, stored);
  Stmt body = store(temporary, {v, 1}, make_binary(op, value, free_var));
  body = seq({body, store(temporary, {v, 2}, if_then_else(negate ? !(v < t) : v < t, v, t))});
  body = make_stmt(Let(t, v + let_value, body));
  const Expr view(std::make_shared<View>(a, std::vector<Range>{{0, 1}, {0, box}}, touch));
  const Expr instruction(std::make_shared<Call>(kVoid, "vta.alu", std::vector<Expr>{view, make_string(text)}));
  const Expr math = call(intrinsic, {make_float(kFloat32, number)});
  body = seq({body, make_stmt(If(cast(kInt32, math) < v, evaluate(instruction),
                                 has_else ? store(temporary, {v, 3}, 3) : Stmt()))});
  if (has_tail) body = seq({body, store(temporary, {v, 4}, 0)});

  Block inner;
  inner.name = block;
  inner.axes = {{v, {axis_min, axis_extent}, axis}};
  inner.bindings = {cast(kInt32, i) + binding_offset};
  inner.predicate = predicate(v);
  if (init) inner.init = store(temporary, {v, 0}, 0);
  if (has_reducer) {
    inner.reducer = std::make_shared<const Reducer>(
        Reducer{reducer, {x}, {y}, {make_binary(combine, x, y)}, {make_int(kInt32, identity)}});
  }
  inner.body = body;
  inner.annotations = block_notes;

  For outer;
  outer.var = i;
  outer.min = cast(loop_type, min);
  outer.extent = cast(loop_type, extent);
  outer.loop = loop;
  outer.thread = thread;
  outer.annotations = loop_notes;
  outer.body = make_stmt(inner);

  PrimFunc result;
  result.name = function;
  result.annotations = function_notes;
  result.params = {n, a};
  if (swap_params) std::swap(result.params[0], result.params[1]);
  result.body = make_stmt(outer);
  if (allocate_in_function) {
    result.allocations = {temporary};
  } else {
    result.body = make_stmt(Allocate(temporary, result.body));
  }
  return result;
}

}  // namespace vantage::test
