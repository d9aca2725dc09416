#include "compiler/schedule/schedule.h"

#include <algorithm>

#include "compiler/schedule/dependence.h"
#include "compiler/schedule/primitives.h"
#include "compiler/tir/verify.h"
#include "hw/spec/error.h"

namespace vantage::schedule {

// One row per primitive: its name in a trace, and what it does with its arguments.
struct Primitive {
  using Arguments = std::vector<Argument>;
  std::string_view name;
  Step::Result (*apply)(Schedule& s, const Arguments& a);

  static const std::vector<Primitive>& all();
};

namespace {

using Arguments = Primitive::Arguments;

const Argument& at(const Arguments& arguments, size_t index) {
  if (index >= arguments.size()) fail("{} arguments are too few", arguments.size());
  return arguments[index];
}

template <typename T>
const T& get(const Arguments& arguments, size_t index) {
  const T* value = std::get_if<T>(&at(arguments, index));
  if (value == nullptr) fail("argument {} is of the wrong kind", index);
  return *value;
}

BlockRV block(const Arguments& a) {
  return get<BlockRV>(a, 0);
}

LoopRV loop(const Arguments& a, size_t index = 0) {
  return get<LoopRV>(a, index);
}

tir::Expr value(const Argument& argument) {
  if (const auto* text = std::get_if<std::string>(&argument)) return tir::make_string(*text);
  if (const auto* number = std::get_if<int64_t>(&argument)) return tir::Expr(*number);
  fail("an annotation is a number or a text");
}

}  // namespace

const std::vector<Primitive>& Primitive::all() {
  using Result = Step::Result;
  static const std::vector<Primitive> kTable = {
      {"get_block",
       [](Schedule& s, const Arguments& a) -> Result {
         const auto& name = get<std::string>(a, 0);
         path_to_block(s.function_, name);
         return s.add(name);
       }},
      {"get_loops",
       [](Schedule& s, const Arguments& a) -> Result {
         std::vector<tir::Var> vars;
         for (const Stmt& l : loops_of(path_to_block(s.function_, s.name_of(block(a))))) {
           vars.push_back(l.as<For>()->var);
         }
         return s.add(vars);
       }},
      {"split",
       [](Schedule& s, const Arguments& a) -> Result {
         return s.add(schedule::split(s.function_, s.var_of(loop(a)), get<Factors>(a, 1)));
       }},
      {"fuse",
       [](Schedule& s, const Arguments& a) -> Result {
         return s.add(schedule::fuse(s.function_, s.vars_of(get<std::vector<LoopRV>>(a, 0))));
       }},
      {"reorder",
       [](Schedule& s, const Arguments& a) -> Result {
         schedule::reorder(s.function_, s.vars_of(get<std::vector<LoopRV>>(a, 0)));
         return {};
       }},
      {"bind",
       [](Schedule& s, const Arguments& a) -> Result {
         const auto& thread = get<std::string>(a, 1);
         const bool is_virtual = thread == "vthread";
         set_loop_kind(s.function_, s.var_of(loop(a)),
                       is_virtual ? tir::ForKind::kVirtualThread : tir::ForKind::kThread, is_virtual ? "" : thread);
         return {};
       }},
      {"parallel",
       [](Schedule& s, const Arguments& a) -> Result {
         set_loop_kind(s.function_, s.var_of(loop(a)), tir::ForKind::kParallel, "");
         return {};
       }},
      {"vectorize",
       [](Schedule& s, const Arguments& a) -> Result {
         set_loop_kind(s.function_, s.var_of(loop(a)), tir::ForKind::kVectorized, "");
         return {};
       }},
      {"unroll",
       [](Schedule& s, const Arguments& a) -> Result {
         set_loop_kind(s.function_, s.var_of(loop(a)), tir::ForKind::kUnrolled, "");
         return {};
       }},
      {"compute_at",
       [](Schedule& s, const Arguments& a) -> Result {
         schedule::compute_at(s.function_, s.name_of(block(a)), s.var_of(loop(a, 1)));
         return {};
       }},
      {"reverse_compute_at",
       [](Schedule& s, const Arguments& a) -> Result {
         schedule::reverse_compute_at(s.function_, s.name_of(block(a)), s.var_of(loop(a, 1)));
         return {};
       }},
      {"compute_inline",
       [](Schedule& s, const Arguments& a) -> Result {
         schedule::compute_inline(s.function_, s.name_of(block(a)));
         return {};
       }},
      {"reverse_compute_inline",
       [](Schedule& s, const Arguments& a) -> Result {
         schedule::reverse_compute_inline(s.function_, s.name_of(block(a)));
         return {};
       }},
      {"cache_read",
       [](Schedule& s, const Arguments& a) -> Result {
         return s.add(
             schedule::cache_read(s.function_, s.name_of(block(a)), get<std::string>(a, 1), get<std::string>(a, 2)));
       }},
      {"cache_write",
       [](Schedule& s, const Arguments& a) -> Result {
         return s.add(schedule::cache_write(s.function_, s.name_of(block(a)), get<std::string>(a, 1)));
       }},
      {"set_scope",
       [](Schedule& s, const Arguments& a) -> Result {
         schedule::set_scope(s.function_, s.name_of(block(a)), get<std::string>(a, 1));
         return {};
       }},
      {"storage_align",
       [](Schedule& s, const Arguments& a) -> Result {
         schedule::storage_align(s.function_, s.name_of(block(a)), get<int64_t>(a, 1), get<int64_t>(a, 2),
                                 get<int64_t>(a, 3));
         return {};
       }},
      {"double_buffer",
       [](Schedule& s, const Arguments& a) -> Result {
         schedule::double_buffer(s.function_, s.name_of(block(a)));
         return {};
       }},
      {"decompose_reduction",
       [](Schedule& s, const Arguments& a) -> Result {
         return s.add(schedule::decompose_reduction(s.function_, s.name_of(block(a)), s.var_of(loop(a, 1))));
       }},
      {"rfactor",
       [](Schedule& s, const Arguments& a) -> Result {
         return s.add(schedule::rfactor(s.function_, s.var_of(loop(a)), get<int64_t>(a, 1)));
       }},
      {"blockize",
       [](Schedule& s, const Arguments& a) -> Result {
         return s.add(schedule::blockize(s.function_, s.var_of(loop(a))));
       }},
      {"tensorize",
       [](Schedule& s, const Arguments& a) -> Result {
         const TensorIntrinsic& intrinsic = s.intrinsic(get<std::string>(a, 1));
         schedule::tensorize(s.function_, schedule::blockize(s.function_, s.var_of(loop(a))), intrinsic);
         return {};
       }},
      {"pragma",
       [](Schedule& s, const Arguments& a) -> Result {
         annotate_loop(s.function_, s.var_of(loop(a)), "pragma_" + get<std::string>(a, 1), value(at(a, 2)));
         return {};
       }},
      {"annotate",
       [](Schedule& s, const Arguments& a) -> Result {
         if (a.size() != 3) fail("expected what to annotate, a key and a value");
         if (std::holds_alternative<BlockRV>(a[0])) {
           annotate_block(s.function_, s.name_of(block(a)), get<std::string>(a, 1), value(a[2]));
         } else {
           annotate_loop(s.function_, s.var_of(loop(a)), get<std::string>(a, 1), value(a[2]));
         }
         return {};
       }},
  };
  return kTable;
}

Schedule::Schedule(tir::PrimFunc function, Intrinsics intrinsics)
    : function_(std::move(function)), intrinsics_(std::move(intrinsics)) {
  tir::require_valid(function_);
}

Step::Result Schedule::apply(const std::string& primitive, std::vector<Argument> arguments) {
  const auto& table = Primitive::all();
  const auto row = std::find_if(table.begin(), table.end(), [&](const Primitive& p) { return p.name == primitive; });
  if (row == table.end()) fail("there is no schedule primitive '{}'", primitive);
  const tir::PrimFunc before = function_;
  try {
    Step step{primitive, std::move(arguments), {}};
    step.result = row->apply(*this, step.arguments);
    trace_.push_back(step);
    return step.result;
  } catch (...) {
    function_ = before;
    throw;
  }
}

void Schedule::replay(const Trace& trace) {
  VANTAGE_CHECK(trace_.empty());
  for (size_t i = 0; i < trace.size(); ++i) {
    try {
      // Handles are numbered in the order in which they are made, so they mean the same here.
      apply(trace[i].primitive, trace[i].arguments);
    } catch (const Error& error) {
      fail("step {} of the trace, {}: {}", i, trace[i].primitive, error.what());
    }
  }
}

const std::string& Schedule::name_of(BlockRV block) const {
  if (block.id < 0 || static_cast<size_t>(block.id) >= blocks_.size()) fail("this is no block of this schedule");
  return blocks_[static_cast<size_t>(block.id)];
}

const tir::Var& Schedule::var_of(LoopRV loop) const {
  if (loop.id < 0 || static_cast<size_t>(loop.id) >= loops_.size()) fail("this is no loop of this schedule");
  return loops_[static_cast<size_t>(loop.id)];
}

std::vector<tir::Var> Schedule::vars_of(const std::vector<LoopRV>& loops) const {
  std::vector<tir::Var> vars;
  for (LoopRV loop : loops) vars.push_back(var_of(loop));
  return vars;
}

BlockRV Schedule::add(const std::string& block) {
  blocks_.push_back(block);
  return {static_cast<int>(blocks_.size()) - 1};
}

LoopRV Schedule::add(const tir::Var& loop) {
  loops_.push_back(loop);
  return {static_cast<int>(loops_.size()) - 1};
}

std::vector<LoopRV> Schedule::add(const std::vector<tir::Var>& loops) {
  std::vector<LoopRV> result;
  for (const tir::Var& loop : loops) result.push_back(add(loop));
  return result;
}

const TensorIntrinsic& Schedule::intrinsic(const std::string& name) const {
  std::vector<std::string> names;
  for (const auto& candidate : intrinsics_) {
    if (candidate->name() == name) return *candidate;
    names.push_back(candidate->name());
  }
  if (names.empty()) fail("tensorize: this schedule was given no intrinsics, so there is no '{}'", name);
  fail("tensorize: there is no intrinsic '{}'; there are {}", name, fmt::join(names, ", "));
}

BlockRV Schedule::get_block(const std::string& name) {
  return std::get<BlockRV>(apply("get_block", {name}));
}

std::vector<LoopRV> Schedule::get_loops(BlockRV block) {
  return std::get<std::vector<LoopRV>>(apply("get_loops", {block}));
}

std::vector<LoopRV> Schedule::split(LoopRV loop, const Factors& factors) {
  return std::get<std::vector<LoopRV>>(apply("split", {loop, factors}));
}

std::array<LoopRV, 2> Schedule::split_by_factor(LoopRV loop, int64_t factor) {
  const auto parts = split(loop, {std::nullopt, factor});
  return {parts[0], parts[1]};
}

std::array<LoopRV, 2> Schedule::split_by_parts(LoopRV loop, int64_t parts) {
  const auto loops = split(loop, {parts, std::nullopt});
  return {loops[0], loops[1]};
}

LoopRV Schedule::fuse(const std::vector<LoopRV>& loops) {
  return std::get<LoopRV>(apply("fuse", {loops}));
}
void Schedule::reorder(const std::vector<LoopRV>& loops) {
  apply("reorder", {loops});
}

std::array<LoopRV, 4> Schedule::tile(LoopRV y, LoopRV x, int64_t y_factor, int64_t x_factor) {
  const auto [y_outer, y_inner] = split_by_factor(y, y_factor);
  const auto [x_outer, x_inner] = split_by_factor(x, x_factor);
  reorder({y_outer, x_outer, y_inner, x_inner});
  return {y_outer, x_outer, y_inner, x_inner};
}

void Schedule::bind(LoopRV loop, const std::string& thread) {
  apply("bind", {loop, thread});
}
void Schedule::parallel(LoopRV loop) {
  apply("parallel", {loop});
}
void Schedule::vectorize(LoopRV loop) {
  apply("vectorize", {loop});
}
void Schedule::unroll(LoopRV loop) {
  apply("unroll", {loop});
}
void Schedule::compute_at(BlockRV block, LoopRV loop) {
  apply("compute_at", {block, loop});
}
void Schedule::reverse_compute_at(BlockRV block, LoopRV loop) {
  apply("reverse_compute_at", {block, loop});
}
void Schedule::compute_inline(BlockRV block) {
  apply("compute_inline", {block});
}
void Schedule::reverse_compute_inline(BlockRV block) {
  apply("reverse_compute_inline", {block});
}

BlockRV Schedule::cache_read(BlockRV block, const std::string& buffer, const std::string& scope) {
  return std::get<BlockRV>(apply("cache_read", {block, buffer, scope}));
}

BlockRV Schedule::cache_write(BlockRV block, const std::string& scope) {
  return std::get<BlockRV>(apply("cache_write", {block, scope}));
}

void Schedule::set_scope(BlockRV block, const std::string& scope) {
  apply("set_scope", {block, scope});
}

void Schedule::storage_align(BlockRV block, int64_t axis, int64_t factor, int64_t offset) {
  apply("storage_align", {block, axis, factor, offset});
}

void Schedule::double_buffer(BlockRV block) {
  apply("double_buffer", {block});
}

BlockRV Schedule::decompose_reduction(BlockRV block, LoopRV loop) {
  return std::get<BlockRV>(apply("decompose_reduction", {block, loop}));
}

BlockRV Schedule::rfactor(LoopRV loop, int64_t factor_axis) {
  return std::get<BlockRV>(apply("rfactor", {loop, factor_axis}));
}

BlockRV Schedule::blockize(LoopRV loop) {
  return std::get<BlockRV>(apply("blockize", {loop}));
}
void Schedule::tensorize(LoopRV loop, const std::string& intrinsic) {
  apply("tensorize", {loop, intrinsic});
}
void Schedule::pragma(LoopRV loop, const std::string& key, int64_t value) {
  apply("pragma", {loop, key, value});
}
void Schedule::annotate(LoopRV loop, const std::string& key, int64_t value) {
  apply("annotate", {loop, key, value});
}

void Schedule::annotate(LoopRV loop, const std::string& key, const std::string& value) {
  apply("annotate", {loop, key, value});
}

void Schedule::annotate(BlockRV block, const std::string& key, int64_t value) {
  apply("annotate", {block, key, value});
}

void Schedule::annotate(BlockRV block, const std::string& key, const std::string& value) {
  apply("annotate", {block, key, value});
}

}  // namespace vantage::schedule
