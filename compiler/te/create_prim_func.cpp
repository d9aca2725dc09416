#include "compiler/te/create_prim_func.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/error.h"
#include "compiler/ir/arith/analyzer.h"
#include "compiler/ir/printer.h"
#include "compiler/ir/substitute.h"
#include "compiler/ir/verify.h"
#include "compiler/ir/visitor.h"

namespace vantage::te {

using ir::Axis;
using ir::AxisKind;
using ir::Block;
using ir::Buffer;
using ir::Range;
using ir::Stmt;

namespace {

// The tensors that expressions read, boxes among them, in order of their first occurrence.
class Reads final : public ir::Visitor {
 public:
  using Visitor::visit;
  std::vector<Tensor> tensors;

 protected:
  void visit_load(const ir::Load& node) override {
    Visitor::visit_load(node);
    tensors.push_back(Tensor::of(node.buffer));
    VANTAGE_CHECK(tensors.back().defined());
  }
  void visit_view(const ir::View& node) override {
    Visitor::visit_view(node);
    tensors.push_back(Tensor::of(node.buffer));
    VANTAGE_CHECK(tensors.back().defined());
  }
};

std::vector<Tensor> reads(const Operation& op) {
  if (op.kind == Operation::Kind::kExternal) return op.inputs;
  Reads search;
  for (const Expr& value : op.reduction != nullptr ? op.reduction->values : op.values) search.visit(value);
  if (op.reduction != nullptr) {
    for (const Expr& initial : op.reduction->initial) search.visit(initial);
    if (op.reduction->condition.defined()) search.visit(op.reduction->condition);
  }
  return search.tensors;
}

class Builder {
 public:
  ir::PrimFunc build(const std::vector<std::variant<Tensor, Var>>& args, std::string name) {
    function_.name = std::move(name);
    std::vector<Tensor> outputs;
    for (const auto& arg : args) {
      if (const auto* var = std::get_if<Var>(&arg)) {
        function_.params.emplace_back(*var);
        continue;
      }
      const auto& tensor = std::get<Tensor>(arg);
      if (!buffers_.emplace(key(tensor), nullptr).second) {
        fail("the tensor {} is given twice to the function {}", tensor.name(), function_.name);
      }
      function_.params.emplace_back(make_buffer(tensor, tensor.name()));
      if (tensor.operation().kind != Operation::Kind::kPlaceholder) outputs.push_back(tensor);
    }
    if (outputs.empty()) fail("the function {} computes nothing; give it an output tensor", function_.name);
    for (const Tensor& tensor : outputs) require(tensor);
    function_.body = ir::seq(std::move(stmts_));
    ir::require_valid(function_);
    return std::move(function_);
  }

 private:
  using Key = std::pair<const Operation*, size_t>;
  static Key key(const Tensor& tensor) { return {&tensor.operation(), tensor.output()}; }

  // Sees to it that a tensor is computed before what comes next.
  void require(const Tensor& tensor) {
    const Operation& op = tensor.operation();
    if (op.kind == Operation::Kind::kPlaceholder) {
      if (buffers_.find(key(tensor)) == buffers_.end()) {
        fail("the function {} reads {}, which is not among its arguments", function_.name, tensor.name());
      }
      return;
    }
    if (!done_.insert(&op).second) return;
    switch (op.kind) {
      case Operation::Kind::kScan: return emit_scan(op);
      case Operation::Kind::kExternal: return emit_external(op);
      default: break;
    }
    for (const Tensor& input : reads(op)) require(input);
    stmts_.push_back(compute_nest(op, tensor.shape(), output_buffers(op, tensor.shape())));
  }

  Buffer make_buffer(const Tensor& tensor, const std::string& name) {
    return buffers_[key(tensor)] = ir::make_buffer(name, tensor.shape(), tensor.dtype());
  }

  // The buffers that an operation writes: parameters, or allocations made now.
  std::vector<Buffer> output_buffers(const Operation& op, const std::vector<Expr>& shape) {
    const std::vector<Expr>& values = op.reduction != nullptr ? op.reduction->values : op.values;
    std::vector<Buffer> result;
    for (size_t i = 0; i < values.size(); ++i) {
      result.push_back(output_buffer(op, i, values.size(), shape, values[i].dtype()));
    }
    return result;
  }

  Buffer output_buffer(const Operation& op, size_t output, size_t count, const std::vector<Expr>& shape, DType dtype) {
    Buffer& buffer = buffers_[{&op, output}];
    if (buffer == nullptr) {
      buffer = ir::make_buffer(unique(buffer_names_, op.output_name(output, count)), shape, dtype);
      function_.allocations.push_back(buffer);
    }
    return buffer;
  }

  void emit_external(const Operation& op) {
    ir::BufferMap map;
    for (const Tensor& input : op.inputs) {
      require(input);
      map[input.buffer().get()] = buffers_.at(key(input));
    }
    for (size_t i = 0; i < op.outputs.size(); ++i) {
      const Buffer& output = op.outputs[i];
      map[output.get()] = output_buffer(op, i, op.outputs.size(), output->shape, output->dtype);
    }
    Block block;
    block.name = unique(block_names_, op.name);
    block.body = ir::fresh_copy(ir::substitute(op.body, {}, map));
    stmts_.push_back(ir::make_stmt(std::move(block)));
  }

  static std::string unique(std::map<std::string, int>& names, const std::string& name) {
    const int uses = names[name]++;
    return uses == 0 ? name : fmt::format("{}_{}", name, uses);
  }

  Stmt compute_nest(const Operation& op, const std::vector<Expr>& shape, const std::vector<Buffer>& outputs) {
    std::vector<Range> domains;
    for (const Expr& size : shape) domains.push_back({ir::make_zero(size.dtype()), size});
    return nest(op, domains, outputs, {});
  }

  // One block with loops around it. With `time`, the first axis is bound to that loop instead, which is outside.
  Stmt nest(const Operation& op, const std::vector<Range>& domains, const std::vector<Buffer>& outputs,
            const Var& time) {
    Block block;
    block.name = unique(block_names_, op.name);
    std::vector<std::pair<Var, Range>> loops;
    ir::VarMap vars;
    const auto add_axis = [&](const Var& given, const Range& domain, AxisKind kind) {
      const Var axis("v" + given.name(), given.dtype());
      vars[given.get()] = axis;
      block.axes.push_back({axis, domain, kind});
      if (kind == AxisKind::kOrdered) {
        block.bindings.push_back(time);
        return;
      }
      loops.emplace_back(Var(given.name(), given.dtype()), domain);
      block.bindings.push_back(loops.back().first);
    };
    for (size_t d = 0; d < domains.size(); ++d) {
      add_axis(op.axes[d], domains[d], d == 0 && time.defined() ? AxisKind::kOrdered : AxisKind::kSpatial);
    }
    std::vector<Expr> indices;
    for (const Axis& axis : block.axes) indices.push_back(axis.var);
    if (op.reduction != nullptr) {
      for (const ReduceAxis& axis : op.reduction->axes) add_axis(axis.var, axis.domain, AxisKind::kReduce);
    }
    const auto localized = [&](const Expr& e) { return ir::substitute(e, vars, buffer_map(e)); };
    if (op.reduction != nullptr) {
      fill_reduction(block, *op.reduction, outputs, indices, localized);
    } else {
      std::vector<Stmt> stores;
      for (size_t i = 0; i < outputs.size(); ++i) {
        stores.push_back(ir::store(outputs[i], indices, localized(op.values[i])));
      }
      block.body = ir::seq(std::move(stores));
    }
    Stmt result = ir::make_stmt(std::move(block));
    for (size_t i = loops.size(); i-- > 0;) {
      ir::For loop;
      loop.var = loops[i].first;
      loop.min = loops[i].second.min;
      loop.extent = loops[i].second.extent;
      loop.body = std::move(result);
      result = ir::make_stmt(std::move(loop));
    }
    return result;
  }

  static void fill_reduction(Block& block, const Reduction& reduction, const std::vector<Buffer>& outputs,
                             const std::vector<Expr>& indices, const std::function<Expr(const Expr&)>& localized) {
    const ir::Reducer& reducer = *reduction.reducer;
    ir::VarMap operands;
    std::vector<Stmt> inits, stores;
    for (size_t i = 0; i < outputs.size(); ++i) {
      Expr value = localized(reduction.values[i]);
      if (reduction.condition.defined()) {
        value = ir::if_then_else(localized(reduction.condition), value, reducer.identity[i]);
      }
      operands[reducer.lhs[i].get()] = ir::load(outputs[i], indices);
      operands[reducer.rhs[i].get()] = value;
      const bool begins = !reduction.initial.empty();
      inits.push_back(ir::store(outputs[i], indices, begins ? localized(reduction.initial[i]) : reducer.identity[i]));
    }
    // Several values are all made from the old ones before any is stored.
    std::vector<Var> lets;
    for (size_t i = 0; i < outputs.size(); ++i) {
      const Expr result = ir::substitute(reducer.result[i], operands);
      if (outputs.size() == 1) {
        stores.push_back(ir::store(outputs[i], indices, result));
      } else {
        lets.emplace_back(fmt::format("v_{}", outputs[i]->name), outputs[i]->dtype);
        stores.push_back(ir::store(outputs[i], indices, lets.back()));
      }
    }
    block.body = ir::seq(std::move(stores));
    for (size_t i = lets.size(); i-- > 0;) {
      block.body = ir::make_stmt(ir::Let(lets[i], ir::substitute(reducer.result[i], operands), block.body));
    }
    block.init = ir::seq(std::move(inits));
    block.reducer = reduction.reducer;
  }

  // The function's buffers in place of te's.
  ir::BufferMap buffer_map(const Expr& expr) const {
    Reads search;
    search.visit(expr);
    ir::BufferMap map;
    for (const Tensor& tensor : search.tensors) map[tensor.buffer().get()] = buffers_.at(key(tensor));
    return map;
  }

  void emit_scan(const Operation& scan) {
    std::vector<Buffer> outputs;
    for (size_t i = 0; i < scan.states.size(); ++i) {
      const Tensor& state = scan.states[i];
      outputs.push_back(output_buffer(scan, i, scan.states.size(), state.shape(), state.dtype()));
      buffers_[key(state)] = outputs.back();
    }
    for (size_t i = 0; i < scan.inits.size(); ++i) {
      const Operation& init = scan.inits[i].operation();
      for (const Tensor& input : reads(init)) require(input);
      stmts_.push_back(compute_nest(init, scan.inits[i].shape(), {outputs[i]}));
    }
    const Expr first = scan.inits[0].shape()[0];
    const Expr steps = scan.states[0].shape()[0] - first;
    const Var time(scan.updates[0].operation().axes[0].name(), first.dtype());
    std::vector<Stmt> cell;
    std::set<const Operation*> in_cell;
    for (size_t i = 0; i < scan.updates.size(); ++i) {
      emit_cell(scan, scan.updates[i], {outputs[i]}, {first, steps}, time, cell, in_cell);
    }
    ir::For loop;
    loop.var = time;
    loop.min = first;
    loop.extent = steps;
    loop.body = ir::seq(std::move(cell));
    stmts_.push_back(ir::make_stmt(std::move(loop)));
  }

  // A computation of one step, after those that it reads. `outputs` is empty for one between state and update.
  void emit_cell(const Operation& scan, const Tensor& tensor, std::vector<Buffer> outputs, const Range& steps,
                 const Var& time, std::vector<Stmt>& cell, std::set<const Operation*>& in_cell) {
    const Operation& op = tensor.operation();
    if (!in_cell.insert(&op).second) return;
    for (const Tensor& input : reads(op)) {
      if (is_state(scan, input)) continue;
      if (depends_on_state(scan, input)) {
        emit_cell(scan, input, {}, steps, time, cell, in_cell);
      } else {
        require(input);
      }
    }
    check_state_reads(scan, op);
    if (outputs.empty()) outputs = output_buffers(op, tensor.shape());
    std::vector<Range> domains = {steps};
    for (size_t d = 1; d < tensor.rank(); ++d) domains.push_back({ir::make_zero(ir::kIndex), tensor.shape()[d]});
    cell.push_back(nest(op, domains, outputs, time));
  }

  static bool is_state(const Operation& scan, const Tensor& tensor) {
    return std::any_of(scan.states.begin(), scan.states.end(),
                       [&](const Tensor& state) { return key(state) == key(tensor); });
  }

  bool depends_on_state(const Operation& scan, const Tensor& tensor) const {
    if (is_state(scan, tensor)) return true;
    const Operation& op = tensor.operation();
    if (op.kind != Operation::Kind::kCompute && op.kind != Operation::Kind::kExternal) return false;
    const auto inputs = reads(op);
    const bool depends =
        std::any_of(inputs.begin(), inputs.end(), [&](const Tensor& t) { return depends_on_state(scan, t); });
    if (depends && op.kind == Operation::Kind::kExternal) {
      fail("the scan {}: the external {} reads what a step makes, but has no time; only computes are steps", scan.name,
           op.name);
    }
    return depends;
  }

  // A step may read what earlier ones left.
  static void check_state_reads(const Operation& scan, const Operation& op) {
    struct Check final : ir::Visitor {
      using Visitor::visit;
      const Operation* scan = nullptr;
      const Operation* op = nullptr;
      void visit_load(const ir::Load& node) override {
        Visitor::visit_load(node);
        if (!is_state(*scan, Tensor::of(node.buffer))) return;
        require_earlier(node.buffer, node.indices[0]);
      }
      void visit_view(const ir::View& node) override {
        Visitor::visit_view(node);
        if (!is_state(*scan, Tensor::of(node.buffer))) return;
        require_earlier(node.buffer, node.box[0].min + node.box[0].extent - 1);
      }
      void require_earlier(const Buffer& state, const Expr& step) const {
        ir::Analyzer analyzer;
        if (analyzer.prove(step < op->axes[0])) return;
        fail("the scan {}: {} reads {} at step '{}', expected one before '{}'", scan->name, op->name, state->name,
             ir::to_text(step), op->axes[0].name());
      }
    } check;
    check.scan = &scan;
    check.op = &op;
    for (const Expr& value : op.reduction != nullptr ? op.reduction->values : op.values) check.visit(value);
    for (const Expr& initial : op.reduction != nullptr ? op.reduction->initial : std::vector<Expr>()) {
      check.visit(initial);
    }
  }

  ir::PrimFunc function_;
  std::map<Key, Buffer> buffers_;
  std::set<const Operation*> done_;
  std::vector<Stmt> stmts_;
  std::map<std::string, int> block_names_, buffer_names_;
};

}  // namespace

ir::PrimFunc create_prim_func(const std::vector<std::variant<Tensor, Var>>& args, std::string name) {
  if (!ir::is_identifier(name)) fail("'{}' cannot name a function; use letters, digits and underscores", name);
  return Builder().build(args, std::move(name));
}

}  // namespace vantage::te
