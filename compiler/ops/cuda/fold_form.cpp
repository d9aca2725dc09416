#include "compiler/ops/cuda/fold_form.h"

#include <algorithm>

#include "compiler/ir/substitute.h"
#include "compiler/ops/cuda/block_facts.h"

namespace vantage::ops {

using namespace ir;
using schedule::Schedule;

namespace {

bool moves_with(const Load& load, const Var& axis) {
  return std::ranges::any_of(load.indices, [&](const Expr& index) { return uses_var(index, axis); });
}

// How many elements it reads, were each of its axes to bring others.
int64_t elements_of(const Load& load, const Block& block) {
  int64_t count = 1;
  for (const Axis& axis : block.axes) count *= moves_with(load, axis.var) ? *as_int(axis.domain.extent) : 1;
  return count;
}

// Whether each axis is moved by a loop of its own, and each dimension of the results by an axis: those of the results
// first, in order.
bool is_plain(const Schedule& s, const Block& block) {
  const auto loops = schedule::loops_of(schedule::path_to_block(s.function(), block.name));
  const Store* store = schedule::single_store(block);
  if (store == nullptr || loops.size() != block.axes.size() || store->indices.size() > loops.size()) return false;
  for (size_t i = 0; i < loops.size(); ++i) {
    const Axis& axis = block.axes[i];
    if (!block.bindings[i].same_as(loops[i].as<For>()->var) || as_int(axis.domain.extent) == nullptr) return false;
    const bool is_result = i < store->indices.size() && store->indices[i].same_as(axis.var);
    if (is_result != (axis.kind == AxisKind::kSpatial)) return false;
  }
  return true;
}

}  // namespace

std::optional<FoldForm> fold_form(const Schedule& s, const std::string& name) {
  const Block block = block_named(s, name);
  if (!schedule::is_reduction(block) || schedule::written_by(block).size() > 1 || !is_plain(s, block)) return {};
  const std::vector<const Load*> loads = loads_of(block);
  if (loads.empty()) return {};
  const Load& most = **std::ranges::max_element(loads, {}, [&](const Load* load) { return elements_of(*load, block); });

  FoldForm form;
  form.element_bytes = most.buffer->dtype.bytes();
  std::optional<size_t> last_folded;
  size_t folded = 0;
  for (size_t i = 0; i < block.axes.size(); ++i) {
    const Axis& axis = block.axes[i];
    const int64_t extent = *as_int(axis.domain.extent);
    if (axis.kind == AxisKind::kReduce) {
      last_folded = i;
      ++folded;
    } else if (extent > 1 && !moves_with(most, axis.var)) {
      form.reusing.push_back(i);
      form.reuses *= extent;
    } else if (!most.indices.empty() && most.indices.back().same_as(axis.var)) {
      form.column = i;
      form.columns = extent;
    } else {
      form.rows.push_back(i);
      form.row_count *= extent;
    }
  }
  if (form.column) {
    form.walks = FoldForm::Walks::kResults;
  } else if (last_folded && !most.indices.empty() && uses_var(most.indices.back(), block.axes[*last_folded].var)) {
    form.walks = FoldForm::Walks::kFolded;
  }
  for (const Load* load : loads) {
    const std::string& buffer = load->buffer->name;
    if (folded != 1 || load->indices.empty() || !load->indices.back().same_as(block.axes[*last_folded].var)) continue;
    if (std::ranges::find(form.along, buffer) == form.along.end()) form.along.push_back(buffer);
    form.along_bytes = std::max<int64_t>(form.along_bytes, load->buffer->dtype.bytes());
  }
  return form;
}

}  // namespace vantage::ops
