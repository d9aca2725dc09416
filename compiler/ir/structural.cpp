#include "compiler/ir/structural.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <unordered_map>

#include "base/error.h"

namespace vantage::ir {

namespace {

// Walks two trees together; `pairs_` maps what the first defines to what the second defines in the same place, `back_`
// the other way round.
class Equality {
 public:
  bool equal(const Expr& a, const Expr& b) {
    if (a.get() == b.get() && (!a.defined() || pairs_.empty())) return true;
    if (!a.defined() || !b.defined() || a.kind() != b.kind() || a.dtype() != b.dtype()) return false;
    switch (a.kind()) {
      case ExprKind::kIntImm: return a.as<IntImm>()->value == b.as<IntImm>()->value;
      case ExprKind::kFloatImm:  // by bits: a NaN equals itself, and -0 is not 0
        return std::bit_cast<uint64_t>(a.as<FloatImm>()->value) == std::bit_cast<uint64_t>(b.as<FloatImm>()->value);
      case ExprKind::kStringImm: return a.as<StringImm>()->value == b.as<StringImm>()->value;
      case ExprKind::kVar: return same(a.get(), b.get());
      case ExprKind::kCast: return equal(a.as<Cast>()->value, b.as<Cast>()->value);
      case ExprKind::kNot: return equal(a.as<Not>()->value, b.as<Not>()->value);
      case ExprKind::kBinary: {
        const auto *x = a.as<Binary>(), *y = b.as<Binary>();
        return x->op == y->op && equal(x->a, y->a) && equal(x->b, y->b);
      }
      case ExprKind::kSelect: {
        const auto *x = a.as<Select>(), *y = b.as<Select>();
        return equal(x->condition, y->condition) && equal(x->if_true, y->if_true) && equal(x->if_false, y->if_false);
      }
      case ExprKind::kLoad: {
        const auto *x = a.as<Load>(), *y = b.as<Load>();
        return same(x->buffer.get(), y->buffer.get()) && equal(x->indices, y->indices);
      }
      case ExprKind::kCall: {
        const auto *x = a.as<Call>(), *y = b.as<Call>();
        return x->function == y->function && equal(x->arguments, y->arguments);
      }
      case ExprKind::kView: {
        const auto *x = a.as<View>(), *y = b.as<View>();
        return x->touch == y->touch && same(x->buffer.get(), y->buffer.get()) && equal(x->box, y->box);
      }
    }
    return false;
  }

  bool equal(const Stmt& a, const Stmt& b) {
    if (!a || !b) return !a && !b;
    if (a.kind() != b.kind()) return false;
    switch (a.kind()) {
      case StmtKind::kStore: {
        const auto *x = a.as<Store>(), *y = b.as<Store>();
        return same(x->buffer.get(), y->buffer.get()) && equal(x->indices, y->indices) && equal(x->value, y->value);
      }
      case StmtKind::kFor: {
        const auto *x = a.as<For>(), *y = b.as<For>();
        return x->loop == y->loop && x->thread == y->thread && equal(x->min, y->min) && equal(x->extent, y->extent) &&
               equal(x->annotations, y->annotations) && define(x->var, y->var) && equal(x->body, y->body);
      }
      case StmtKind::kBlock: return equal(*a.as<Block>(), *b.as<Block>());
      case StmtKind::kSeq: {
        const auto &x = a.as<Seq>()->stmts, &y = b.as<Seq>()->stmts;
        return std::equal(x.begin(), x.end(), y.begin(), y.end(),
                          [&](const Stmt& s, const Stmt& t) { return equal(s, t); });
      }
      case StmtKind::kIf: {
        const auto *x = a.as<If>(), *y = b.as<If>();
        return equal(x->condition, y->condition) && equal(x->then, y->then) && equal(x->otherwise, y->otherwise);
      }
      case StmtKind::kLet: {
        const auto *x = a.as<Let>(), *y = b.as<Let>();
        return equal(x->value, y->value) && define(x->var, y->var) && equal(x->body, y->body);
      }
      case StmtKind::kAllocate: {
        const auto *x = a.as<Allocate>(), *y = b.as<Allocate>();
        return define(x->buffer, y->buffer) && equal(x->annotations, y->annotations) && equal(x->body, y->body);
      }
      case StmtKind::kEvaluate: return equal(a.as<Evaluate>()->call, b.as<Evaluate>()->call);
    }
    return false;
  }

  bool equal(const PrimFunc& a, const PrimFunc& b) {
    if (a.name != b.name || a.params.size() != b.params.size() || a.allocations.size() != b.allocations.size()) {
      return false;
    }
    for (size_t i = 0; i < a.params.size(); ++i) {
      const auto *x = std::get_if<Var>(&a.params[i]), *y = std::get_if<Var>(&b.params[i]);
      if (x != nullptr && y != nullptr) {
        if (!define(*x, *y)) return false;
      } else if (x != nullptr || y != nullptr) {
        return false;
      }
    }
    for (size_t i = 0; i < a.params.size(); ++i) {
      const auto *x = std::get_if<Buffer>(&a.params[i]), *y = std::get_if<Buffer>(&b.params[i]);
      if (x != nullptr && !define_param(*x, *y)) return false;
    }
    for (size_t i = 0; i < a.allocations.size(); ++i) {
      if (!define(a.allocations[i], b.allocations[i])) return false;
    }
    return equal(a.annotations, b.annotations) && equal(a.body, b.body);
  }

 private:
  bool same(const void* a, const void* b) const {
    const auto found = pairs_.find(a), back = back_.find(b);
    if (found == pairs_.end() || back == back_.end()) return found == pairs_.end() && back == back_.end() && a == b;
    return found->second == b && back->second == a;
  }
  void pair(const void* a, const void* b) {
    pairs_[a] = b;
    back_[b] = a;
  }
  bool define(const Var& a, const Var& b) {
    pair(a.get(), b.get());
    return a.dtype() == b.dtype();
  }
  bool define(const Buffer& a, const Buffer& b) {
    pair(a.get(), b.get());
    return a->name == b->name && a->dtype == b->dtype && a->scope == b->scope && a->alignment == b->alignment &&
           equal(a->shape, b->shape) && equal(a->strides, b->strides);
  }
  // A parameter's shape may define variables: those that it names for the first time.
  bool define_param(const Buffer& a, const Buffer& b) {
    for (size_t d = 0; d < std::min(a->rank(), b->rank()); ++d) {
      const Var x = Var::of(a->shape[d]), y = Var::of(b->shape[d]);
      if (!x.defined() || !y.defined() || pairs_.count(x.get()) != 0 || back_.count(y.get()) != 0) continue;
      if (!define(x, y)) return false;
    }
    return define(a, b);
  }

  bool equal(const std::vector<Expr>& a, const std::vector<Expr>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [&](const Expr& x, const Expr& y) { return equal(x, y); });
  }
  bool equal(const std::vector<Range>& a, const std::vector<Range>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [&](const Range& x, const Range& y) { return equal(x.min, y.min) && equal(x.extent, y.extent); });
  }
  bool equal(const Annotations& a, const Annotations& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [&](const auto& x, const auto& y) { return x.first == y.first && equal(x.second, y.second); });
  }
  bool equal(const Block& a, const Block& b) {
    if (a.name != b.name || a.axes.size() != b.axes.size() || !equal(a.bindings, b.bindings)) return false;
    for (size_t i = 0; i < a.axes.size(); ++i) {
      const Axis &x = a.axes[i], &y = b.axes[i];
      if (x.kind != y.kind || !equal(x.domain.min, y.domain.min) || !equal(x.domain.extent, y.domain.extent)) {
        return false;
      }
      if (!define(x.var, y.var)) return false;
    }
    return equal(a.predicate, b.predicate) && equal(a.annotations, b.annotations) && equal(a.reducer, b.reducer) &&
           equal(a.init, b.init) && equal(a.body, b.body);
  }
  bool equal(const ReducerPtr& a, const ReducerPtr& b) {
    if (a == nullptr || b == nullptr) return a == b;
    return a->name == b->name && define(a->lhs, b->lhs) && define(a->rhs, b->rhs) && equal(a->result, b->result) &&
           equal(a->identity, b->identity);
  }
  bool define(const std::vector<Var>& a, const std::vector<Var>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](const Var& x, const Var& y) { return define(x, y); });
  }

  std::unordered_map<const void*, const void*> pairs_, back_;
};

// Hashes what Equality compares. A definition's hash is how many came before it.
class Hash {
 public:
  size_t value() const { return hash_; }

  void add(const Expr& e) {
    if (!e.defined()) return add(size_t{0});
    add(static_cast<size_t>(e.kind()) * 64 + static_cast<size_t>(e.dtype().bits()));
    switch (e.kind()) {
      case ExprKind::kIntImm: return add(static_cast<size_t>(e.as<IntImm>()->value));
      case ExprKind::kFloatImm: return add(std::hash<double>()(e.as<FloatImm>()->value));
      case ExprKind::kStringImm: return add(e.as<StringImm>()->value);
      case ExprKind::kVar: return add_identity(e.get());
      case ExprKind::kCast: return add(e.as<Cast>()->value);
      case ExprKind::kNot: return add(e.as<Not>()->value);
      case ExprKind::kBinary:
        add(static_cast<size_t>(e.as<Binary>()->op));
        add(e.as<Binary>()->a);
        return add(e.as<Binary>()->b);
      case ExprKind::kSelect:
        add(e.as<Select>()->condition);
        add(e.as<Select>()->if_true);
        return add(e.as<Select>()->if_false);
      case ExprKind::kLoad: add_identity(e.as<Load>()->buffer.get()); return add(e.as<Load>()->indices);
      case ExprKind::kCall: add(e.as<Call>()->function); return add(e.as<Call>()->arguments);
      case ExprKind::kView:
        add_identity(e.as<View>()->buffer.get());
        for (const Range& range : e.as<View>()->box) add(range);
        return;
    }
  }

  void add(const Stmt& s) {
    if (!s) return add(size_t{0});
    add(static_cast<size_t>(s.kind()) + 1000);
    switch (s.kind()) {
      case StmtKind::kStore:
        add_identity(s.as<Store>()->buffer.get());
        add(s.as<Store>()->indices);
        return add(s.as<Store>()->value);
      case StmtKind::kFor: {
        const auto* f = s.as<For>();
        add(static_cast<size_t>(f->loop));
        add(f->thread);
        add(f->annotations);
        add(Range{f->min, f->extent});
        define(f->var.get());
        return add(f->body);
      }
      case StmtKind::kBlock: {
        const auto* b = s.as<Block>();
        add(b->name);
        add(b->bindings);
        for (const Axis& axis : b->axes) {
          add(static_cast<size_t>(axis.kind));
          add(axis.domain);
          define(axis.var.get());
        }
        add(b->predicate);
        add(b->annotations);
        if (b->reducer != nullptr) add(b->reducer->name);
        add(b->init);
        return add(b->body);
      }
      case StmtKind::kSeq:
        for (const Stmt& inner : s.as<Seq>()->stmts) add(inner);
        return;
      case StmtKind::kIf:
        add(s.as<If>()->condition);
        add(s.as<If>()->then);
        return add(s.as<If>()->otherwise);
      case StmtKind::kLet:
        add(s.as<Let>()->value);
        define(s.as<Let>()->var.get());
        return add(s.as<Let>()->body);
      case StmtKind::kAllocate:
        define(s.as<Allocate>()->buffer);
        add(s.as<Allocate>()->annotations);
        return add(s.as<Allocate>()->body);
      case StmtKind::kEvaluate: return add(s.as<Evaluate>()->call);
    }
  }

  void add(const PrimFunc& f) {
    add(f.name);
    for (const Param& param : f.params) {
      if (const auto* var = std::get_if<Var>(&param)) define(var->get());
    }
    for (const Buffer& buffer : f.buffers()) {
      for (const Expr& size : buffer->shape) {
        if (const Var var = Var::of(size); var.defined() && numbers_.find(var.get()) == numbers_.end())
          define(var.get());
      }
      define(buffer);
    }
    for (const Buffer& buffer : f.allocations) define(buffer);
    add(f.annotations);
    add(f.body);
  }

 private:
  void add(size_t value) { hash_ = (hash_ ^ value) * 0x9e3779b97f4a7c15u + (hash_ >> 29); }
  void add(const std::string& text) { add(std::hash<std::string>()(text)); }
  void add(const std::vector<Expr>& list) {
    for (const Expr& e : list) add(e);
  }
  void add(const Range& range) {
    add(range.min);
    add(range.extent);
  }
  void add(const Annotations& annotations) {
    for (const auto& [key, value] : annotations) {
      add(key);
      add(value);
    }
  }
  void define(const void* what) { numbers_[what] = ++defined_; }
  void define(const Buffer& buffer) {
    define(static_cast<const void*>(buffer.get()));
    add(buffer->name);
    add(buffer->scope);
    add(buffer->shape);
  }
  void add_identity(const void* what) {
    const auto found = numbers_.find(what);
    add(found != numbers_.end() ? found->second : reinterpret_cast<size_t>(what));
  }

  size_t hash_ = 0, defined_ = 0;
  std::unordered_map<const void*, size_t> numbers_;
};

}  // namespace

bool structural_equal(const Expr& a, const Expr& b) {
  if (a.get() == b.get()) return true;
  if (!a.defined() || !b.defined() || a.kind() != b.kind()) return false;
  return Equality().equal(a, b);
}
bool structural_equal(const Stmt& a, const Stmt& b) {
  return Equality().equal(a, b);
}
bool structural_equal(const PrimFunc& a, const PrimFunc& b) {
  return Equality().equal(a, b);
}

size_t structural_hash(const Expr& expr) {
  Hash hash;
  hash.add(expr);
  return hash.value();
}

size_t structural_hash(const Stmt& stmt) {
  Hash hash;
  hash.add(stmt);
  return hash.value();
}

size_t structural_hash(const PrimFunc& function) {
  Hash hash;
  hash.add(function);
  return hash.value();
}

}  // namespace vantage::ir
