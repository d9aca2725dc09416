#include "compiler/schedule/tensor_intrinsic.h"

#include <algorithm>
#include <optional>
#include <random>

#include "base/error.h"
#include "base/tensor/compare.h"
#include "base/tensor/random.h"
#include "compiler/ir/printer.h"
#include "compiler/ir/regions.h"
#include "compiler/ir/verify.h"
#include "compiler/schedule/block_nest.h"

namespace vantage::schedule {

namespace {

constexpr int kTrials = 4;

std::vector<int64_t> sizes(const ir::BufferNode& buffer, const std::string& intrinsic) {
  std::vector<int64_t> shape;
  for (const ir::Expr& size : buffer.shape) {
    const int64_t* value = ir::as_int(size);
    if (value == nullptr) {
      fail("the intrinsic {} has a parameter {} of the size '{}', expected constants", intrinsic, buffer.name,
           ir::to_text(size));
    }
    shape.push_back(*value);
  }
  return shape;
}

// A view of a parameter is a view of all of it, so no element may be there that the instruction has no use for: in a
// function, nothing may lie in its place.
void require_all_used(const ir::PrimFunc& description, const std::string& intrinsic) {
  ir::Analyzer analyzer;
  const ir::Regions used = ir::regions(description.body, analyzer);
  for (const ir::Buffer& buffer : description.buffers()) {
    std::optional<std::vector<ir::Range>> box;
    for (const auto* regions : {&used.reads, &used.writes}) {
      for (const ir::BufferRegion& region : *regions) {
        if (region.buffer == buffer) box = box ? ir::hull(*box, region.box, analyzer) : region.box;
      }
    }
    if (!box) fail("the intrinsic {} has a parameter {} that its description does not use", intrinsic, buffer->name);
    for (size_t d = 0; d < buffer->rank(); ++d) {
      const ir::Expr first = analyzer.simplify((*box)[d].min), count = analyzer.simplify((*box)[d].extent);
      if (ir::is_int(first, 0) && ir::is_int(count, *ir::as_int(buffer->shape[d]))) continue;
      fail(
          "the intrinsic {} has a parameter {} of the size {} in dimension {}, of which its description uses {} from "
          "{} on; make the parameter that large",
          intrinsic, buffer->name, ir::to_text(buffer->shape[d]), d, ir::to_text(count), ir::to_text(first));
    }
  }
}

}  // namespace

const ir::Block& described_block(const ir::PrimFunc& description, const std::string& intrinsic) {
  const ir::Block* block = flatten(description.body).block;
  if (block == nullptr || !description.allocations.empty()) {
    fail("the intrinsic {} is described by more than one block under its loops; describe it by one formula", intrinsic);
  }
  if (!ir::is_int(block->predicate, 1)) {
    fail("the intrinsic {} is described by a block with the condition '{}'; put it into the formula", intrinsic,
         ir::to_text(block->predicate));
  }
  return *block;
}

TensorIntrinsic::TensorIntrinsic(ir::PrimFunc description, ir::PrimFunc implementation, const Externs& externs)
    : description_(std::move(description)), implementation_(std::move(implementation)) {
  ir::require_valid(description_);
  ir::require_valid(implementation_);
  const auto wanted = description_.buffers(), got = implementation_.buffers();
  if (wanted.size() != description_.params.size() || got.size() != implementation_.params.size() ||
      wanted.size() != got.size()) {
    fail("the intrinsic {} needs the same buffers as its description, and nothing else", name());
  }
  std::vector<std::vector<int64_t>> shapes;
  for (size_t i = 0; i < wanted.size(); ++i) {
    shapes.push_back(sizes(*wanted[i], name()));
    if (wanted[i]->dtype != got[i]->dtype || sizes(*got[i], name()) != shapes.back()) {
      fail("the intrinsic {} has the parameter {}, which is not like {} of its description", name(), got[i]->name,
           wanted[i]->name);
    }
  }
  described_block(description_, name());
  require_all_used(description_, name());
  const bool floats = std::any_of(wanted.begin(), wanted.end(), [](const auto& b) { return b->dtype.is_float(); });
  std::mt19937_64 random(1);
  for (int trial = 0; trial < kTrials; ++trial) {
    std::vector<Tensor> expected;
    for (size_t i = 0; i < wanted.size(); ++i) {
      expected.emplace_back(wanted[i]->dtype, shapes[i]);
      // Small whole numbers where there are floats, so that the order of a sum does not matter.
      floats && !wanted[i]->dtype.is_bool() ? fill(expected.back(), random, -4, 4) : fill(expected.back(), random);
    }
    std::vector<Tensor> result = expected;
    const auto run = [&](const ir::PrimFunc& function, std::vector<Tensor>& arrays) {
      std::vector<ir::Argument> arguments;
      for (Tensor& array : arrays) arguments.emplace_back(&array);
      ir::InterpreterOptions options;
      options.externs = externs;
      ir::interpret(function, arguments, options);
    };
    run(description_, expected);
    run(implementation_, result);
    for (size_t i = 0; i < wanted.size(); ++i) {
      if (const auto difference = vantage::difference(expected[i], result[i])) {
        fail("the intrinsic {} does not compute its description: in {}, {}", name(), got[i]->name, *difference);
      }
    }
  }
}

}  // namespace vantage::schedule
