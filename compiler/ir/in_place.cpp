#include "compiler/ir/in_place.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/error.h"
#include "compiler/ir/structural.h"
#include "compiler/ir/visitor.h"

namespace vantage::ir {

namespace {

// in_place.y = "x r": y may be where x is, or r.
constexpr std::string_view kNote = "in_place.";

struct Access {
  Buffer buffer;
  const std::vector<Expr>* indices;
  const Store* store;  // itself, or whose value it is part of; null where it is neither
  const Block* block;  // around it; may be null
};

class FindAccesses : public Visitor {
 public:
  using Visitor::visit;
  std::vector<Access> stores, loads;
  std::set<Buffer> viewed;  // by functions of the user's and the hardware's

 private:
  void visit_block(const Block& node) override {
    const Block* outer = std::exchange(block_, &node);
    Visitor::visit_block(node);
    block_ = outer;
  }
  void visit_store(const Store& node) override {
    stores.push_back({node.buffer, &node.indices, &node, block_});
    for (const Expr& index : node.indices) visit(index);
    const Store* outer = std::exchange(store_, &node);
    visit(node.value);
    store_ = outer;
  }
  void visit_load(const Load& node) override {
    loads.push_back({node.buffer, &node.indices, store_, block_});
    Visitor::visit_load(node);
  }
  void visit_view(const View& node) override {
    viewed.insert(node.buffer);
    Visitor::visit_view(node);
  }

  const Block* block_ = nullptr;
  const Store* store_ = nullptr;
};

bool same(const std::vector<Expr>& a, const std::vector<Expr>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Expr& x, const Expr& y) { return structural_equal(x, y); });
}

// Whether every instance of a block writes one element, which no other instance does.
bool writes_each_once(const Block* block, const std::vector<Expr>& indices) {
  if (block == nullptr || block->init) return false;
  std::set<const VarNode*> seen;
  for (const Expr& index : indices) {
    const Var var = Var::of(index);
    if (!var.defined() || !seen.insert(var.get()).second) return false;
  }
  return std::all_of(block->axes.begin(), block->axes.end(), [&](const Axis& axis) {
    return axis.kind == AxisKind::kSpatial && seen.count(axis.var.get()) != 0;
  });
}

class Finder {
 public:
  explicit Finder(const PrimFunc& function) : function_(function) { all_.visit(function.body); }

  // `to` being what is written, in the end.
  bool may_share(const Buffer& from, const Buffer& to) const {
    return from != to && from->dtype.bytes() == to->dtype.bytes() && count(all_.stores, from) == 0 &&
           count(all_.stores, to) == 1 && count(all_.loads, to) == 0 && !is_viewed(to) && leads_only_to(from, to);
  }

 private:
  bool leads_only_to(const Buffer& from, const Buffer& to) const {
    if (!same(from->shape, to->shape) || !from->strides.empty() || !to->strides.empty() || is_viewed(from))
      return false;
    return count(all_.loads, from) > 0 && std::all_of(all_.loads.begin(), all_.loads.end(), [&](const Access& load) {
             if (load.buffer != from) return true;
             if (load.store == nullptr || !same(*load.indices, load.store->indices)) return false;
             if (!writes_each_once(load.block, load.store->indices)) return false;
             const Buffer& next = load.store->buffer;
             return next == to ||
                    (!function_.is_param(next) && count(all_.stores, next) == 1 && leads_only_to(next, to));
           });
  }
  static long count(const std::vector<Access>& list, const Buffer& buffer) {
    return std::count_if(list.begin(), list.end(), [&](const Access& a) { return a.buffer == buffer; });
  }
  bool is_viewed(const Buffer& buffer) const { return all_.viewed.count(buffer) != 0; }

  const PrimFunc& function_;
  FindAccesses all_;
};

}  // namespace

void note_in_place(PrimFunc& function) {
  const Finder finder(function);
  for (const Buffer& written : function.buffers()) {
    std::string names;
    for (const Buffer& read : function.buffers()) {
      if (finder.may_share(read, written)) names += (names.empty() ? "" : " ") + read->name;
    }
    if (!names.empty()) function.annotations[std::string(kNote) + written->name] = make_string(names);
  }
}

std::vector<InPlace> noted_in_place(const PrimFunc& function) {
  std::vector<InPlace> pairs;
  const auto parameter = [&](const std::string& name) {
    const Buffer buffer = function.find_buffer(name);
    if (buffer == nullptr || !function.is_param(buffer)) {
      fail("{}: its notes say what may be in the place of '{}', but that is no parameter that is a buffer",
           function.name, name);
    }
    return buffer;
  };
  for (const auto& [key, value] : function.annotations) {
    if (!key.starts_with(kNote)) continue;
    const auto* names = value.as<StringImm>();
    if (names == nullptr) fail("{}: its note '{}' is no text of parameters' names", function.name, key);
    const Buffer written = parameter(key.substr(kNote.size()));
    std::string_view rest = names->value;
    while (!rest.empty()) {
      const size_t space = std::min(rest.find(' '), rest.size());
      if (space > 0) pairs.push_back({written, parameter(std::string(rest.substr(0, space)))});
      rest.remove_prefix(std::min(space + 1, rest.size()));
    }
  }
  return pairs;
}

}  // namespace vantage::ir
