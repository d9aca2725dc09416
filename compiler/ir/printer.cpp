#include "compiler/ir/printer.h"

#include <cmath>
#include <unordered_map>
#include <unordered_set>

#include "base/error.h"
#include "compiler/ir/call_extern.h"
#include "compiler/ir/operators.h"
#include "compiler/ir/regions.h"
#include "compiler/ir/visitor.h"

namespace vantage::ir {

namespace {

std::string quote(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '\n') {
      result += "\\n";
    } else {
      if (c == '"' || c == '\\') result += '\\';
      result += c;
    }
  }
  return result + "\"";
}

Expr end(const Expr& min, const Expr& extent) {
  return Linear::of(min + extent).to_expr(min.dtype());
}

std::string float_text(double value) {
  if (std::isinf(value)) return value < 0 ? "\"-inf\"" : "\"inf\"";
  if (std::isnan(value)) return "\"nan\"";
  return fmt::format("{}", value);
}

// Names are given when they are first asked for, so the parts of a line are made one after the other, from the left.
class Printer {
 public:
  std::string expr(const Expr& e, int level = kLowest) {
    switch (e.kind()) {
      case ExprKind::kIntImm: {
        const int64_t value = e.as<IntImm>()->value;
        if (e.dtype().is_bool()) return value != 0 ? "True" : "False";
        if (e.dtype() == kIndex)
          return value < 0 && level > kSum ? fmt::format("({})", value) : fmt::format("{}", value);
        return fmt::format("T.{}({})", name(e.dtype()), value);
      }
      case ExprKind::kFloatImm: return fmt::format("T.{}({})", name(e.dtype()), float_text(e.as<FloatImm>()->value));
      case ExprKind::kStringImm: return quote(e.as<StringImm>()->value);
      case ExprKind::kVar: return var_name(e.as<VarNode>(), e.as<VarNode>()->name);
      case ExprKind::kCast: return fmt::format("T.Cast({}, {})", quote(name(e.dtype())), expr(e.as<Cast>()->value));
      case ExprKind::kNot: return parenthesised("not " + expr(e.as<Not>()->value, kNot), kNot, level);
      case ExprKind::kBinary: {
        const auto* op = e.as<Binary>();
        const auto [text, own] = describe(op->op);
        if (own == kAtom) return fmt::format("T.{}({})", text, list({op->a, op->b}));
        // Comparisons do not chain; all others associate to the left.
        const std::string left = expr(op->a, own == kCompare ? own + 1 : static_cast<int>(own));
        const std::string right = expr(op->b, own + 1);
        return parenthesised(fmt::format("{} {} {}", left, text, right), own, level);
      }
      case ExprKind::kSelect: {
        const auto* s = e.as<Select>();
        return fmt::format("T.if_then_else({})", list({s->condition, s->if_true, s->if_false}));
      }
      case ExprKind::kLoad: return element(e.as<Load>()->buffer, e.as<Load>()->indices);
      case ExprKind::kCall: {
        const auto* c = e.as<Call>();
        if (is_extern(*c)) return extern_call(*c);
        return fmt::format("T.{}({})", c->function, list(c->arguments));
      }
      case ExprKind::kView: return region(e.as<View>()->buffer, e.as<View>()->box);
    }
    return {};
  }

  // With the result's type and what is done with each box, which for calls of a target its name says.
  std::string extern_call(const Call& call) {
    std::string text = call.dtype.is_void() ? fmt::format("T.{}(", kCallExtern)
                                            : fmt::format("T.{}({}, ", kCallPureExtern, quote(name(call.dtype)));
    text += quote(call.function);
    for (const Expr& argument : call.arguments) {
      const auto* box = argument.as<View>();
      text += box == nullptr ? ", " + expr(argument) : fmt::format(", T.{}({})", to_word(box->touch), expr(argument));
    }
    return text + ")";
  }

  static std::string_view to_word(Touch touch) {
    switch (touch) {
      case Touch::kRead: return "reads";
      case Touch::kWrite: return "writes";
      case Touch::kReadWrite: return "updates";
    }
    return {};
  }

  std::string range(const Range& r) {
    const std::string first = expr(r.min);
    return is_int(r.extent, 1) ? first : fmt::format("{}:{}", first, expr(end(r.min, r.extent)));
  }

  std::string region(const Buffer& buffer, const std::vector<Range>& box) {
    std::string text = buffer_name(buffer) + "[";
    for (size_t d = 0; d < box.size(); ++d) text += (d == 0 ? "" : ", ") + range(box[d]);
    return text + "]";
  }

  void function(const PrimFunc& f) {
    for (const Param& param : f.params) {
      if (const auto* var = std::get_if<Var>(&param)) var_name(var->get(), var->name());
    }
    line("@T.prim_func");
    std::string head = "def " + f.name + "(";
    for (size_t i = 0; i < f.params.size(); ++i) {
      if (i > 0) head += ", ";
      if (const auto* var = std::get_if<Var>(&f.params[i])) {
        head += fmt::format("{}: T.{}", expr(*var), name(var->dtype()));
      } else {
        const Buffer& buffer = std::get<Buffer>(f.params[i]);
        head += buffer_name(buffer);
        head += fmt::format(": T.Buffer({})", description(*buffer));
      }
    }
    line(head + "):");
    ++depth_;
    if (!f.annotations.empty()) line(fmt::format("T.func_attr({})", dictionary(f.annotations)));
    for (const Buffer& buffer : f.allocations) {
      const std::string own = buffer_name(buffer);
      line(fmt::format("{} = T.alloc_buffer({})", own, description(*buffer)));
    }
    f.body ? statement(f.body) : line("pass");
    --depth_;
  }

  void statement(const Stmt& s) {
    lines_.emplace(s.get(), line_ + 1);
    switch (s.kind()) {
      case StmtKind::kStore: {
        const auto* store = s.as<Store>();
        const std::string target = element(store->buffer, store->indices);
        return line(target + " = " + expr(store->value));
      }
      case StmtKind::kFor: return loops(s);
      case StmtKind::kBlock: return block(*s.as<Block>());
      case StmtKind::kSeq: return sequence(s.as<Seq>()->stmts);
      case StmtKind::kIf: {
        const auto* node = s.as<If>();
        line("if " + expr(node->condition) + ":");
        indented(node->then);
        if (!node->otherwise) return;
        line("else:");
        return indented(node->otherwise);
      }
      case StmtKind::kLet: {
        const auto* let = s.as<Let>();
        const std::string value = expr(let->value);
        const std::string own = var_name(let->var.get(), let->var.name());
        line(fmt::format("{}: T.{} = {}", own, name(let->var.dtype()), value));
        return statement(let->body);
      }
      case StmtKind::kAllocate: {
        const auto* node = s.as<Allocate>();
        const std::string what = allocation(*node);
        line(buffer_name(node->buffer) + " = " + what);
        return statement(node->body);
      }
      case StmtKind::kEvaluate: return line(expr(s.as<Evaluate>()->call));
    }
  }

  std::string text() const { return text_; }
  const std::unordered_map<const StmtNode*, int>& lines() const { return lines_; }
  const std::unordered_map<const VarNode*, std::string>& var_names() const { return var_names_; }

 private:
  // What a let or an allocation defines lasts to the end of the sequence, unless the text says that it ends before.
  void sequence(const std::vector<Stmt>& stmts) {
    for (const Stmt& s : stmts) {
      const auto* let = s.as<Let>();
      const auto* node = s.as<Allocate>();
      if ((let == nullptr && node == nullptr) || &s == &stmts.back()) {
        statement(s);
        continue;
      }
      const std::string what = let != nullptr ? "T.LetStmt(" + expr(let->value) + ")" : allocation(*node);
      const std::string own = let != nullptr ? var_name(let->var.get(), let->var.name()) : buffer_name(node->buffer);
      line(fmt::format("with {} as {}:", what, own));
      indented(let != nullptr ? let->body : node->body);
    }
  }

  // A plain loop from 0 prints as part of a T.grid with those directly inside it.
  static bool is_plain(const For& f) { return f.loop == ForKind::kSerial && f.annotations.empty() && is_int(f.min, 0); }

  void loops(const Stmt& s) {
    std::vector<const For*> nest;
    for (const auto* f = s.as<For>(); f != nullptr && is_plain(*f); f = f->body.as<For>()) {
      // An extent that moves with a loop outside cannot share its T.grid.
      bool rectangular = true;
      for (const For* outer : nest) rectangular = rectangular && !mentions(f->extent, outer->var);
      if (!rectangular) break;
      lines_.emplace(f, line_ + 1);
      nest.push_back(f);
    }
    if (nest.size() >= 2) {
      std::string vars, extents;
      for (const For* f : nest) {
        extents += (extents.empty() ? "" : ", ") + expr(f->extent);
        vars += (vars.empty() ? "" : ", ") + var_name(f->var.get(), f->var.name());
      }
      line(fmt::format("for {} in T.grid({}):", vars, extents));
      return indented(nest.back()->body);
    }
    const auto* f = s.as<For>();
    std::string arguments = is_int(f->min, 0) ? expr(f->extent) : list({f->min, end(f->min, f->extent)});
    if (f->loop == ForKind::kThread) arguments += fmt::format(", thread={}", quote(f->thread));
    if (!f->annotations.empty()) arguments += ", annotations=" + dictionary(f->annotations);
    line(fmt::format("for {} in {}({}):", var_name(f->var.get(), f->var.name()), loop_name(*f), arguments));
    indented(f->body);
  }

  static std::string loop_name(const For& f) {
    switch (f.loop) {
      case ForKind::kSerial: return f.annotations.empty() ? "range" : "T.serial";
      case ForKind::kParallel: return "T.parallel";
      case ForKind::kVectorized: return "T.vectorized";
      case ForKind::kUnrolled: return "T.unroll";
      case ForKind::kThread: return "T.thread_binding";
      case ForKind::kVirtualThread: return "T.vthread";
    }
    return {};
  }

  static bool mentions(const Expr& e, const Var& var) {
    struct Search final : Visitor {
      using Visitor::visit;
      const VarNode* wanted = nullptr;
      bool found = false;
      void visit_var(const VarNode& node) override { found = found || &node == wanted; }
    } search;
    search.wanted = var.get();
    search.visit(e);
    return search.found;
  }

  void block(const Block& b) {
    line(fmt::format("with T.block({}):", quote(b.name)));
    ++depth_;
    for (size_t i = 0; i < b.axes.size(); ++i) {
      const Axis& axis = b.axes[i];
      const char* kind = axis.kind == AxisKind::kSpatial  ? "spatial"
                         : axis.kind == AxisKind::kReduce ? "reduce"
                                                          : "scan";
      const std::string domain = is_int(axis.domain.min, 0)
                                     ? expr(axis.domain.extent)
                                     : tuple({axis.domain.min, end(axis.domain.min, axis.domain.extent)});
      const std::string binding = expr(b.bindings[i]);
      line(fmt::format("{} = T.axis.{}({}, {})", var_name(axis.var.get(), axis.var.name()), kind, domain, binding));
    }
    if (!is_int(b.predicate, 1)) line(fmt::format("T.where({})", expr(b.predicate)));
    const Regions touched = block_regions(b);
    line("T.reads(" + regions(touched.reads) + ")");
    line("T.writes(" + regions(touched.writes) + ")");
    if (!b.annotations.empty()) line(fmt::format("T.block_attr({})", dictionary(b.annotations)));
    if (b.init) {
      line("with T.init():");
      indented(b.init);
    }
    statement(b.body);
    --depth_;
  }

  std::string regions(const std::vector<BufferRegion>& touched) {
    std::string text;
    for (const BufferRegion& r : touched) text += (text.empty() ? "" : ", ") + region(r.buffer, r.box);
    return text;
  }

  std::string element(const Buffer& buffer, const std::vector<Expr>& indices) {
    const std::string own = buffer_name(buffer);
    return own + "[" + list(indices) + "]";
  }

  std::string list(const std::vector<Expr>& exprs) {
    std::string text;
    for (const Expr& e : exprs) text += (text.empty() ? "" : ", ") + expr(e);
    return text;
  }
  std::string tuple(const std::vector<Expr>& exprs) { return "(" + list(exprs) + (exprs.size() == 1 ? ",)" : ")"); }

  std::string description(const BufferNode& b) {
    std::string text = fmt::format("{}, {}", tuple(b.shape), quote(name(b.dtype)));
    if (b.scope != "global") text += ", scope=" + quote(b.scope);
    if (!b.strides.empty()) text += ", strides=" + tuple(b.strides);
    if (b.alignment != BufferNode().alignment) text += fmt::format(", align={}", b.alignment);
    return text;
  }

  std::string allocation(const Allocate& node) {
    std::string text = "T.allocate(" + description(*node.buffer);
    if (!node.annotations.empty()) text += ", annotations=" + dictionary(node.annotations);
    return text + ")";
  }

  std::string dictionary(const Annotations& annotations) {
    std::string text = "{";
    for (const auto& [key, value] : annotations) {
      if (text.size() > 1) text += ", ";
      text += quote(key) + ": " + expr(value);
    }
    return text + "}";
  }

  static std::string parenthesised(const std::string& text, int own, int level) {
    return own < level ? "(" + text + ")" : text;
  }

  std::string var_name(const VarNode* var, const std::string& wanted) {
    return var_names_.emplace(var, unique(var, wanted)).first->second;
  }
  std::string buffer_name(const Buffer& buffer) {
    // A dot would be an attribute in Python.
    std::string wanted = buffer->name;
    for (char& c : wanted) {
      if (c == '.') c = '_';
    }
    return unique(buffer.get(), wanted);
  }
  std::string unique(const void* what, const std::string& wanted) {
    const auto known = names_.find(what);
    if (known != names_.end()) return known->second;
    std::string result = wanted;
    for (int suffix = 1; !taken_.insert(result).second; ++suffix) result = fmt::format("{}_{}", wanted, suffix);
    names_.emplace(what, result);
    return result;
  }

  void indented(const Stmt& s) {
    ++depth_;
    statement(s);
    --depth_;
  }
  void line(const std::string& content) {
    text_.append(static_cast<size_t>(depth_) * 4, ' ');
    text_ += content;
    text_ += '\n';
    ++line_;
  }

  std::string text_;
  int depth_ = 0;
  int line_ = 0;  // complete so far
  std::unordered_map<const StmtNode*, int> lines_;
  std::unordered_map<const void*, std::string> names_;
  std::unordered_map<const VarNode*, std::string> var_names_;
  std::unordered_set<std::string> taken_ = {"T",  "and", "as", "def", "else", "False", "for",
                                            "if", "in",  "or", "not", "pass", "True",  "with"};
};

}  // namespace

std::string to_text(const Expr& expr) {
  return expr.defined() ? Printer().expr(expr) : "(none)";
}

std::string to_text(const Range& range) {
  return Printer().range(range);
}

std::string to_text(const BufferRegion& region) {
  return Printer().region(region.buffer, region.box);
}

std::string to_text(const Stmt& stmt) {
  Printer printer;
  printer.statement(stmt);
  return printer.text();
}

std::string to_text(const PrimFunc& function) {
  Printer printer;
  printer.function(function);
  return printer.text();
}

Listing listing(const PrimFunc& function) {
  Printer printer;
  printer.function(function);
  return {printer.text(), printer.lines(), printer.var_names()};
}

std::string_view symbol(BinaryOp op) {
  return describe(op).symbol;
}

}  // namespace vantage::ir
