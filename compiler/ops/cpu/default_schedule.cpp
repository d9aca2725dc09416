#include "compiler/ops/cpu/default_schedule.h"

#include <algorithm>
#include <set>

#include "base/error.h"
#include "compiler/ir/printer.h"
#include "compiler/ir/substitute.h"
#include "compiler/ir/visitor.h"
#include "compiler/ops/cpu/panel_schedules.h"
#include "compiler/ops/operator.h"
#include "compiler/schedule/dependence.h"

namespace vantage::ops {

using namespace ir;
using schedule::BlockRV;
using schedule::LoopRV;
using schedule::Schedule;

namespace {

std::vector<std::string> block_names(const PrimFunc& function) {
  std::vector<std::string> names;
  for (const Stmt& stmt : schedule::all_blocks(function)) names.push_back(stmt.as<Block>()->name);
  return names;
}

Block block_of(const Schedule& s, const std::string& name) {
  return schedule::block_at(schedule::path_to_block(s.function(), name));
}

// Tries a step that may turn out not to be legal.
template <typename Step>
bool attempt(const Step& step) {
  try {
    step();
    return true;
  } catch (const Error&) {
    return false;
  }
}

// Whether the last reduce axis walks along the last dimension of something that is read: neighbours are folded.
bool folds_neighbours(const Block& block) {
  struct Search final : Visitor {
    using Visitor::visit;
    Var axis;
    bool found = false;
    void visit_load(const Load& node) override {
      if (!node.indices.empty()) found = found || uses_var(node.indices.back(), axis);
      Visitor::visit_load(node);
    }
  } search;
  for (const Axis& axis : block.axes) {
    if (axis.kind == AxisKind::kReduce) search.axis = axis.var;
  }
  search.visit(block.body);
  return search.found;
}

// How often a block runs, as far as its loops are constant.
double iterations(const Schedule& s, const std::string& name) {
  double count = 1;
  for (const Stmt& loop : schedule::loops_of(schedule::path_to_block(s.function(), name))) {
    if (const int64_t* extent = as_int(loop.as<For>()->extent)) count *= static_cast<double>(*extent);
  }
  return count;
}

// Whether it chooses between values, as padding does.
bool has_condition(const Block& block) {
  struct Search final : Visitor {
    using Visitor::visit;
    bool found = false;
    void visit_select(const Select& node) override {
      found = true;
      Visitor::visit_select(node);
    }
  } search;
  search.visit(block.body);
  return search.found;
}

int widest_element(const PrimFunc& function) {
  int bytes = 1;
  for (const Buffer& buffer : function.buffers()) bytes = std::max(bytes, buffer->dtype.bytes());
  for (const Buffer& buffer : function.allocations) bytes = std::max(bytes, buffer->dtype.bytes());
  return bytes;
}

class Defaults {
 public:
  Defaults(PrimFunc function, const cpu::Target& target, int threads)
      : s_(std::move(function)), lanes_(target.vector_bytes / widest_element(s_.function())), threads_(threads) {}

  Schedule make() {
    inline_formulas();
    for (const std::string& name : block_names(s_.function())) split_sums(name);
    gather_rows();
    for (const std::string& name : block_names(s_.function())) vectorize(name);
    share();
    return std::move(s_);
  }

 private:
  void inline_formulas() {
    for (const std::string& name : block_names(s_.function())) {
      const Block block = block_of(s_, name);
      if (!schedule::is_complete(block)) continue;
      const auto written = schedule::written_by(block);
      size_t readers = 0;
      bool is_folded = false;
      for (const Stmt& other : schedule::all_blocks(s_.function())) {
        const Block& reader = *other.as<Block>();
        const auto read = schedule::read_by(reader);
        if (std::find(read.begin(), read.end(), written.front()) == read.end()) continue;
        ++readers;
        is_folded = is_folded || schedule::is_reduction(reader);
      }
      // A fold reads an element again and again: what is to be decided about it is decided once.
      if (is_folded && has_condition(block)) continue;
      if (readers == 1) attempt([&] { s_.compute_inline(s_.get_block(name)); });
    }
  }

  // The loops of a block's reduce axes, in order.
  std::vector<LoopRV> reduce_loops(const std::string& name) {
    const Block block = block_of(s_, name);
    const std::vector<LoopRV> loops = s_.get_loops(s_.get_block(name));
    const schedule::Path path = schedule::path_to_block(s_.function(), name);
    const std::vector<Stmt> nodes = schedule::loops_of(path);
    std::vector<LoopRV> result;
    for (size_t i = 0; i < loops.size(); ++i) {
      if (schedule::binds(block, nodes[i].as<For>()->var, AxisKind::kReduce)) result.push_back(loops[i]);
    }
    return result;
  }

  // -1 where that is not constant.
  int64_t outermost_extent(const std::string& name) {
    const std::vector<Stmt> nodes = schedule::loops_of(schedule::path_to_block(s_.function(), name));
    const int64_t* extent = nodes.empty() ? nullptr : as_int(nodes.front().as<For>()->extent);
    return extent == nullptr ? -1 : *extent;
  }

  // Sums of neighbours become a vector of sums, added up at the end.
  void split_sums(const std::string& name) {
    const Block block = block_of(s_, name);
    if (!schedule::is_reduction(block) || !folds_neighbours(block)) return;
    const std::vector<LoopRV> loops = s_.get_loops(s_.get_block(name));
    const size_t spatial = loops.size() - reduce_loops(name).size();
    // A few, such as a window's columns, would leave most lanes empty.
    const int64_t* count =
        as_int(schedule::loops_of(schedule::path_to_block(s_.function(), name)).back().as<For>()->extent);
    if (spatial > 0 && count != nullptr && *count < lanes_) return;
    attempt([&] {
      const auto parts = s_.split_by_factor(loops.back(), lanes_);
      s_.rfactor(parts[1], static_cast<int64_t>(spatial));
      folded_.insert(name);
    });
  }

  // What the last block needs is computed in its outermost loop, unless iterations share what they need.
  void gather_rows() {
    const std::vector<std::string> names = block_names(s_.function());
    const std::vector<LoopRV> rows = s_.get_loops(s_.get_block(names.back()));
    if (rows.empty() || !reduce_loops(names.back()).empty() || outermost_extent(names.back()) == 1) return;
    for (size_t i = names.size() - 1; i-- > 0;) {
      attempt([&] {
        Schedule moved = s_;
        moved.compute_at(moved.get_block(names[i]), rows.front());
        if (iterations(moved, names[i]) <= iterations(s_, names[i])) s_ = std::move(moved);
      });
    }
  }

  void vectorize(const std::string& name) {
    const BlockRV block = s_.get_block(name);
    const Block node = block_of(s_, name);
    const std::vector<LoopRV> reduced = reduce_loops(name);
    std::vector<LoopRV> loops = s_.get_loops(block);
    const size_t spatial = loops.size() - reduced.size();
    // What is left of a sum of neighbours is short; a sum into a single element has nothing to vectorize.
    if (spatial == 0 || folded_.count(name) != 0) return;
    const std::vector<Stmt> nodes = schedule::loops_of(schedule::path_to_block(s_.function(), name));
    // The loop of the last dimension: that of the last spatial axis.
    for (size_t i = loops.size(); i-- > 0;) {
      if (!schedule::binds(node, nodes[i].as<For>()->var, AxisKind::kSpatial)) continue;
      const int64_t* extent = as_int(nodes[i].as<For>()->extent);
      if (extent != nullptr && *extent == 1) return;
      const LoopRV lanes = extent != nullptr && *extent <= lanes_ ? loops[i] : s_.split_by_factor(loops[i], lanes_)[1];
      std::vector<LoopRV> order = reduced;
      order.push_back(lanes);
      if (!reduced.empty()) s_.reorder(order);
      s_.vectorize(lanes);
      if (reduced.empty()) return;
      attempt([&] {
        const BlockRV zero = s_.decompose_reduction(block, reduced.front());
        s_.vectorize(s_.get_loops(zero).back());
      });
      return;
    }
  }

  // The outermost loop of every block that has one to share.
  void share() {
    if (threads_ == 1) return;
    for (const std::string& name : block_names(s_.function())) {
      const std::vector<LoopRV> loops = s_.get_loops(s_.get_block(name));
      if (loops.size() > 1 && outermost_extent(name) != 1) attempt([&] { s_.parallel(loops.front()); });
    }
  }

  Schedule s_;
  int64_t lanes_;
  int threads_;
  std::set<std::string> folded_;  // what adds up partial results
};

struct ScheduleRule {
  std::string_view name;
  Schedule (*schedule)(PrimFunc, const cpu::Target&, int);
};
constexpr ScheduleRule kRules[] = {{"panel_matmul", schedule_panel_matmul}, {"panel_conv2d", schedule_panel_conv2d}};

}  // namespace

Schedule schedule_by_default(PrimFunc function, const cpu::Target& target, int threads) {
  const auto noted = function.annotations.find(std::string(kScheduleRule));
  if (noted != function.annotations.end()) {
    const auto* name = noted->second.as<StringImm>();
    const auto rule = std::ranges::find(kRules, name == nullptr ? "" : name->value, &ScheduleRule::name);
    if (rule == std::end(kRules)) fail("{}: there is no schedule rule {}", function.name, to_text(noted->second));
    return rule->schedule(std::move(function), target, threads);
  }
  return Defaults(std::move(function), target, threads).make();
}

}  // namespace vantage::ops
