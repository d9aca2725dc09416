#include "compiler/schedule/primitive_table.h"

#include "base/error.h"
#include "compiler/schedule/dependence.h"
#include "compiler/schedule/known_names.h"
#include "compiler/schedule/primitives.h"
#include "compiler/schedule/sampling.h"

namespace vantage::schedule {

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

ir::Expr value(const Schedule& s, const Argument& argument) {
  if (const auto* text = std::get_if<std::string>(&argument)) return ir::make_string(*text);
  if (const auto* number = std::get_if<int64_t>(&argument)) return ir::Expr(*number);
  if (const auto* drawn = std::get_if<IntRV>(&argument)) return ir::Expr(s.value(*drawn));
  fail("an annotation is a number or a text");
}

// Drawn ones replaced by what was drawn.
KnownFactors known(const Schedule& s, const Factors& factors) {
  KnownFactors result;
  for (const auto& factor : factors) {
    if (factor) {
      result.emplace_back(factor->known() != nullptr ? *factor->known() : s.value(factor->drawn()));
    } else {
      result.emplace_back(std::nullopt);
    }
  }
  return result;
}

// A list of factors of which none may be left open.
std::vector<int64_t> numbers(const Schedule& s, const Factors& factors) {
  std::vector<int64_t> result;
  for (const auto& factor : known(s, factors)) {
    if (!factor) fail("expected numbers, got one that is left open");
    result.push_back(*factor);
  }
  return result;
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
         std::vector<ir::Var> vars;
         for (const Stmt& l : loops_of(path_to_block(s.function_, s.name_of(block(a))))) {
           vars.push_back(l.as<For>()->var);
         }
         return s.add(vars);
       }},
      {"get_loop",
       [](Schedule& s, const Arguments& a) -> Result {
         return s.add(
             loop_by_name(s.function_, path_to_block(s.function_, s.name_of(block(a))), get<std::string>(a, 1)));
       }},
      {"sample_perfect_tile",
       [](Schedule& s, const Arguments& a) -> Result {
         const int64_t extent = constant_extent(s.function_, s.var_of(loop(a)), "sample_perfect_tile");
         const Decision decision = numbers(s, get<Factors>(a, 3));
         require_perfect_tile(decision, extent, get<int64_t>(a, 1), get<int64_t>(a, 2));
         return s.add(decision);
       }},
      {"sample_categorical",
       [](Schedule& s, const Arguments& a) -> Result {
         const std::vector<int64_t> candidates = numbers(s, get<Factors>(a, 0));
         const auto decision = get<int64_t>(a, 2);
         require_categorical(decision, get<Probabilities>(a, 1), candidates.size());
         return s.add(candidates[static_cast<size_t>(decision)]);
       }},
      {"split",
       [](Schedule& s, const Arguments& a) -> Result {
         return s.add(schedule::split(s.function_, s.var_of(loop(a)), known(s, get<Factors>(a, 1))));
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
         set_loop_kind(s.function_, s.var_of(loop(a)), is_virtual ? ir::ForKind::kVirtualThread : ir::ForKind::kThread,
                       is_virtual ? "" : thread);
         return {};
       }},
      {"parallel",
       [](Schedule& s, const Arguments& a) -> Result {
         set_loop_kind(s.function_, s.var_of(loop(a)), ir::ForKind::kParallel, "");
         return {};
       }},
      {"vectorize",
       [](Schedule& s, const Arguments& a) -> Result {
         set_loop_kind(s.function_, s.var_of(loop(a)), ir::ForKind::kVectorized, "");
         return {};
       }},
      {"unroll",
       [](Schedule& s, const Arguments& a) -> Result {
         set_loop_kind(s.function_, s.var_of(loop(a)), ir::ForKind::kUnrolled, "");
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
         // Traces from before there could be more say nothing of two.
         schedule::double_buffer(s.function_, s.name_of(block(a)), a.size() > 1 ? get<int64_t>(a, 1) : 2);
         return {};
       }},
      {"transform_layout",
       [](Schedule& s, const Arguments& a) -> Result {
         const bool named = a.size() > 2;
         schedule::transform_layout(s.function_, s.name_of(block(a)), named ? get<std::string>(a, 1) : "",
                                    get<std::string>(a, named ? 2 : 1));
         return {};
       }},
      {"rolling_buffer",
       [](Schedule& s, const Arguments& a) -> Result {
         schedule::rolling_buffer(s.function_, s.name_of(block(a)));
         return {};
       }},
      {"decompose_padding",
       [](Schedule& s, const Arguments& a) -> Result {
         return s.add(schedule::decompose_padding(s.function_, s.name_of(block(a)), s.var_of(loop(a, 1))));
       }},
      {"pad_einsum",
       [](Schedule& s, const Arguments& a) -> Result {
         schedule::pad_einsum(s.function_, s.name_of(block(a)), numbers(s, get<Factors>(a, 1)));
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
         schedule::tensorize(s.function_, s.var_of(loop(a)), s.intrinsic(get<std::string>(a, 1)));
         return {};
       }},
      {"pragma",
       [](Schedule& s, const Arguments& a) -> Result {
         require_pragma(get<std::string>(a, 1));
         annotate_loop(s.function_, s.var_of(loop(a)), "pragma_" + get<std::string>(a, 1), value(s, at(a, 2)));
         return {};
       }},
      {"annotate",
       [](Schedule& s, const Arguments& a) -> Result {
         if (a.size() != 3) fail("expected what to annotate, a key and a value");
         require_note(get<std::string>(a, 1));
         if (std::holds_alternative<BlockRV>(a[0])) {
           annotate_block(s.function_, s.name_of(block(a)), get<std::string>(a, 1), value(s, a[2]));
         } else {
           annotate_loop(s.function_, s.var_of(loop(a)), get<std::string>(a, 1), value(s, a[2]));
         }
         return {};
       }},
  };
  return kTable;
}

}  // namespace vantage::schedule
