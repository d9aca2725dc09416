#include "compiler/ops/cuda/default_schedule.h"

#include <algorithm>

#include "compiler/ops/cuda/block_facts.h"
#include "compiler/ops/cuda/element_schedule.h"
#include "compiler/ops/cuda/fold_schedule.h"
#include "compiler/ops/cuda/product_schedule.h"
#include "compiler/ops/cuda/row_schedule.h"
#include "compiler/ops/cuda/tensor_core_schedule.h"
#include "compiler/ops/cuda/transpose_schedule.h"

namespace vantage::ops {

using namespace ir;
using schedule::Schedule;

namespace {

class GpuDefaults {
 public:
  GpuDefaults(const PrimFunc& function, const cuda::Architecture& architecture)
      : s_(function), architecture_(architecture) {}

  Schedule make() {
    inline_formulas();
    using Rule = bool (GpuDefaults::*)(const std::string&);
    // Each takes what it can before the next, as it takes others with it.
    for (const Rule rule : {&GpuDefaults::product, &GpuDefaults::rows, &GpuDefaults::short_rows, &GpuDefaults::fold,
                            &GpuDefaults::transpose, &GpuDefaults::elements}) {
      std::vector<std::string> names = names_of_blocks(s_.function());
      std::ranges::reverse(names);
      for (const std::string& name : names) {
        if (is_untouched(s_, name)) (this->*rule)(name);
      }
    }
    return std::move(s_);
  }

 private:
  void inline_formulas() {
    for (const std::string& name : names_of_blocks(s_.function())) {
      const Block block = block_named(s_, name);
      if (!schedule::is_complete(block)) continue;
      const std::vector<std::string> readers = readers_of(s_, name);
      if (readers.size() != 1) continue;
      // A fold reads an element again and again; what is not soon computed is computed once. A product has what it
      // reads computed into shared memory.
      const Block reader = block_named(s_, readers.front());
      if (schedule::is_reduction(reader) && (!is_cheap(block) || is_tiled_product(s_, reader.name))) continue;
      attempt_steps(s_, [&](Schedule& s) { s.compute_inline(s.get_block(name)); });
    }
  }

  bool product(const std::string& name) {
    return is_tiled_product(s_, name) &&
           (schedule_by_tensor_cores(s_, name, architecture_) || schedule_product(s_, name, architecture_));
  }
  bool rows(const std::string& name) { return schedule_rows(s_, name, architecture_); }
  bool short_rows(const std::string& name) { return schedule_short_rows(s_, name, architecture_); }
  bool fold(const std::string& name) {
    return (is_long_fold(s_, name) || is_fold_of_columns(s_, name)) &&
           attempt_on(architecture_, s_, [&](Schedule& s) { schedule_fold(s, name); });
  }
  bool transpose(const std::string& name) {
    return is_transpose(s_, name) && attempt_on(architecture_, s_, [&](Schedule& s) { schedule_transpose(s, name); });
  }
  bool elements(const std::string& name) {
    const bool recurs = !of_kind(loops_of_block(s_, name), AxisKind::kOrdered).empty();
    if (recurs && attempt_on(architecture_, s_, [&](Schedule& s) { schedule_recurrence(s, name); })) return true;
    return attempt_on(architecture_, s_, [&](Schedule& s) { schedule_elements(s, name); });
  }

  Schedule s_;
  const cuda::Architecture& architecture_;
};

}  // namespace

Schedule schedule_for_gpu(PrimFunc function, const cuda::Architecture& architecture) {
  return GpuDefaults(function, architecture).make();
}

}  // namespace vantage::ops
