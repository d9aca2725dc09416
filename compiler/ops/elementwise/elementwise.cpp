#include "compiler/ops/elementwise/elementwise.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <variant>

#include "base/error.h"
#include "base/math.h"
#include "compiler/backend/vta/intrinsics.h"
#include "compiler/backend/vta/scopes.h"
#include "compiler/te/te.h"
#include "hw/isa/layout.h"

namespace vantage::ops {

using namespace te;
using isa::AluOp;
using isa::Memory;
using schedule::BlockRV;
using schedule::Schedule;
using te::Tensor;  // not the host's

namespace {

Expr combine(AluOp op, const Expr& a, const Expr& b) {
  switch (op) {
    case AluOp::kAdd: return a + b;
    case AluOp::kMul: return a * b;
    case AluOp::kMin: return min(a, b);
    case AluOp::kMax: return max(a, b);
    case AluOp::kShr: return a >> b;
  }
  VANTAGE_CHECK(false);
  return a;
}

void check_step(const Elementwise& layer, size_t number) {
  const ElementwiseStep& step = layer.steps[number];
  const int made = layer.operands + static_cast<int>(number);
  for (const int value : {step.a, step.b.value_or(0)}) {
    if (value < 0 || value >= made) fail("step {} takes value {}, but {} come before it", number, value, made);
  }
  if (step.op == AluOp::kShr && step.b) {
    fail("an elementwise layer cannot shift by a tensor; expected add, mul, min or max");
  }
  const auto immediates = isa::fixed_range(isa::Format::kAlu, isa::FieldId::kImm);
  if (!step.b && (step.immediate < immediates.lowest || step.immediate > immediates.highest)) {
    fail("the constant {} does not fit an instruction; expected {} to {}", step.immediate, immediates.lowest,
         immediates.highest);
  }
  if (step.op == AluOp::kShr && std::abs(step.immediate) > 31) fail("a step shifts by {}, at most 31", step.immediate);
}

void check_layer(const Elementwise& layer) {
  if (layer.size < 1) fail("an elementwise layer has {} values, expected at least 1", layer.size);
  if (layer.operands < 1 || layer.operands > 2) {
    fail("an elementwise layer has {} operands, expected 1 or 2", layer.operands);
  }
  if (layer.steps.empty()) fail("an elementwise layer has no steps, expected at least 1");
  std::vector<bool> is_used(static_cast<size_t>(layer.operands) + layer.steps.size());
  for (size_t i = 0; i < layer.steps.size(); ++i) {
    check_step(layer, i);
    is_used[static_cast<size_t>(layer.steps[i].a)] = true;
    if (layer.steps[i].b) is_used[static_cast<size_t>(*layer.steps[i].b)] = true;
  }
  is_used.back() = true;
  const auto unused = std::ranges::find(is_used, false);
  if (unused != is_used.end()) fail("no step takes value {}; leave it out", unused - is_used.begin());
}

// The same steps in the order in which they are computed: each as late as it can be, just before the first that takes
// what it makes, as compute_at() has it.
struct Ordered {
  Elementwise layer;
  std::vector<size_t> numbers;  // of the steps, as they were
};

Ordered in_order(const Elementwise& layer) {
  check_layer(layer);
  const auto number = [&](size_t step) { return layer.operands + static_cast<int>(step); };
  std::vector<size_t> order;
  for (size_t i = layer.steps.size(); i-- > 0;) {
    order.insert(std::ranges::find_if(order,
                                      [&](size_t next) {
                                        const ElementwiseStep& step = layer.steps[next];
                                        return step.a == number(i) || step.b == number(i);
                                      }),
                 i);
  }
  std::vector<int> numbers(static_cast<size_t>(layer.operands) + order.size());  // of values, as they are now
  for (int p = 0; p < layer.operands; ++p) numbers[static_cast<size_t>(p)] = p;
  for (size_t i = 0; i < order.size(); ++i) numbers[static_cast<size_t>(number(order[i]))] = number(i);
  Elementwise result{.size = layer.size, .operands = layer.operands};
  for (const size_t i : order) {
    ElementwiseStep step = layer.steps[i];
    step.a = numbers[static_cast<size_t>(step.a)];
    if (step.b) step.b = numbers[static_cast<size_t>(*step.b)];
    result.steps.push_back(step);
  }
  return {std::move(result), std::move(order)};
}

// Which of its values a step works on in another copy, because both of them are needed again.
enum class Copy : uint8_t { kNone, kLoadA, kLoadB, kMake };

// REQUIRES: in_order().
std::vector<Copy> find_copies(const Elementwise& layer) {
  std::vector<size_t> last_use(static_cast<size_t>(layer.operands) + layer.steps.size());
  for (size_t i = 0; i < layer.steps.size(); ++i) {
    last_use[static_cast<size_t>(layer.steps[i].a)] = i;
    if (layer.steps[i].b) last_use[static_cast<size_t>(*layer.steps[i].b)] = i;
  }
  std::vector<Copy> copies;
  for (size_t i = 0; i < layer.steps.size(); ++i) {
    const ElementwiseStep& step = layer.steps[i];
    const auto ends = [&](int value) { return last_use[static_cast<size_t>(value)] == i; };
    if (ends(step.a) || (step.b && ends(*step.b))) {
      copies.push_back(Copy::kNone);
    } else if (step.a < layer.operands) {
      copies.push_back(Copy::kLoadA);
    } else {
      copies.push_back(step.b && *step.b < layer.operands ? Copy::kLoadB : Copy::kMake);
    }
  }
  return copies;
}

// The formulas of a layer and the names of their stages: of what is loaded, and of what is computed, in order.
struct Formulas {
  std::vector<std::variant<te::Tensor, Var>> parameters;
  std::vector<std::string> loads, stages;  // stages as the steps are given
};

Formulas formulas_of(const Elementwise& given, const isa::Config& config) {
  const auto [layer, order] = in_order(given);
  const int64_t lanes = int64_t{config.batch()} * config.block_out();
  const std::vector<Expr> shape = {ceil_div(layer.size, lanes), config.batch(), config.block_out()};
  const DType type = vta::element_type(operand_memory(config), config), acc = vta::element_type(Memory::kAcc, config);
  Formulas made;
  made.stages.resize(order.size());
  std::vector<te::Tensor> operands, values;
  std::vector<int> loads(static_cast<size_t>(layer.operands));
  const auto load = [&](int operand) {
    const int count = ++loads[static_cast<size_t>(operand)];
    const std::string again = count == 1 ? std::string() : std::to_string(count);
    made.loads.push_back(fmt::format("{}_acc{}", operand == 0 ? 'A' : 'B', again));
    return compute(
        shape, [&](Expr i, Expr r, Expr l) { return cast(acc, operands[static_cast<size_t>(operand)](i, r, l)); },
        made.loads.back());
  };
  for (int p = 0; p < layer.operands; ++p) operands.push_back(placeholder(shape, type, p == 0 ? "A" : "B"));
  for (int p = 0; p < layer.operands; ++p) values.push_back(load(p));
  made.parameters.assign(operands.begin(), operands.end());
  const std::vector<Copy> copies = find_copies(layer);
  for (size_t i = 0; i < layer.steps.size(); ++i) {
    const ElementwiseStep& step = layer.steps[i];
    const te::Tensor a = copies[i] == Copy::kLoadA ? load(step.a) : values[static_cast<size_t>(step.a)];
    te::Tensor b = a;
    if (step.b) b = copies[i] == Copy::kLoadB ? load(*step.b) : values[static_cast<size_t>(*step.b)];
    std::string& name = made.stages[order[i]];
    name = fmt::format("{}{}", isa::name(step.op), order[i] + 1);
    values.push_back(compute(
        shape,
        [&](Expr x, Expr r, Expr l) {
          if (step.op == AluOp::kShr && step.immediate < 0) return a(x, r, l) << cast(acc, -step.immediate);
          return combine(step.op, a(x, r, l), step.b ? b(x, r, l) : cast(acc, step.immediate));
        },
        name));
  }
  made.parameters.push_back(compute(
      shape,
      [&](Expr i, Expr r, Expr l) { return cast(vta::element_type(Memory::kOut, config), values.back()(i, r, l)); },
      "C"));
  return made;
}

}  // namespace

Elementwise combination(int64_t size, AluOp op, std::optional<int> immediate, int shift, int clip_min, int clip_max) {
  if (shift < 0 || shift > 31) fail("the shift is {}, expected 0 to 31", shift);
  if (clip_min > clip_max) fail("the limits are {} to {}, which holds nothing", clip_min, clip_max);
  Elementwise layer{.size = size, .operands = immediate ? 1 : 2};
  const auto append = [&](AluOp next, int number) {
    layer.steps.push_back({next, layer.operands + static_cast<int>(layer.steps.size()) - 1, std::nullopt, number});
  };
  layer.steps.push_back({op, 0, immediate ? std::nullopt : std::optional(1), immediate.value_or(0)});
  if (shift != 0) append(AluOp::kShr, shift);
  append(AluOp::kMax, clip_min);
  append(AluOp::kMin, clip_max);
  return layer;
}

ElementwiseCopies copies_of(const Elementwise& layer) {
  ElementwiseCopies count{.loads = layer.operands};
  for (const Copy copy : find_copies(in_order(layer).layer)) {
    if (copy == Copy::kMake) ++count.made;
    if (copy == Copy::kLoadA || copy == Copy::kLoadB) ++count.loads;
  }
  return count;
}

Memory operand_memory(const isa::Config& config) {
  return config.out_bits() == 8 ? Memory::kAcc8 : Memory::kAcc;
}

ir::PrimFunc elementwise(const Elementwise& layer, const isa::Config& config) {
  return create_prim_func(formulas_of(layer, config).parameters, "elementwise");
}

Schedule schedule_elementwise(const Elementwise& layer, const ElementwiseTiling& t, const isa::Config& config) {
  const Formulas formulas = formulas_of(layer, config);
  Schedule s(create_prim_func(formulas.parameters, "elementwise"));
  const BlockRV out = s.get_block("C");
  const auto loops = s.get_loops(out);
  const auto parts = s.split_by_factor(loops[0], t.tiles);
  schedule::LoopRV tile = parts[0];
  if (t.threads > 1) {
    // Each takes every nth tile, so that their transfers follow one another in memory.
    const auto turns = s.split_by_factor(tile, t.threads);
    s.reorder({turns[1], turns[0]});
    s.bind(turns[1], "vthread");
    tile = turns[0];
  }
  const auto place = [&](const std::string& name) {
    const BlockRV stage = s.get_block(name);
    s.set_scope(stage, std::string(vta::kAccScope));
    s.compute_at(stage, tile);
    return stage;
  };
  for (size_t i = formulas.stages.size(); i-- > 0;) place(formulas.stages[i]);
  for (const std::string& name : formulas.loads) {
    const BlockRV stage = place(name);
    if (t.double_buffer) s.double_buffer(stage);
    s.pragma(s.get_loops(stage)[t.threads > 1 ? 2 : 1], "dma_copy");
  }
  s.pragma(parts[1], "dma_copy");
  return s;
}

}  // namespace vantage::ops
