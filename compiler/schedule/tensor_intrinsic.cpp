#include "compiler/schedule/tensor_intrinsic.h"

#include <random>

#include "compiler/tir/printer.h"
#include "compiler/tir/verify.h"
#include "hw/spec/error.h"

namespace vantage::schedule {

namespace {

constexpr int kTrials = 4;

std::vector<int64_t> sizes(const tir::BufferNode& buffer, const std::string& intrinsic) {
  std::vector<int64_t> shape;
  for (const tir::Expr& size : buffer.shape) {
    const int64_t* value = tir::as_int(size);
    if (value == nullptr) {
      fail("the intrinsic {} has a parameter {} of the size '{}', expected constants", intrinsic, buffer.name,
           tir::to_text(size));
    }
    shape.push_back(*value);
  }
  return shape;
}

}  // namespace

TensorIntrinsic::TensorIntrinsic(tir::PrimFunc description, tir::PrimFunc implementation, const Externs& externs)
    : description_(std::move(description)), implementation_(std::move(implementation)) {
  tir::require_valid(description_);
  tir::require_valid(implementation_);
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
  std::mt19937_64 random(1);
  for (int trial = 0; trial < kTrials; ++trial) {
    std::vector<tir::Array> expected;
    for (size_t i = 0; i < wanted.size(); ++i) {
      expected.emplace_back(wanted[i]->dtype, shapes[i]);
      // Small whole floats, so that the order of a sum does not matter.
      wanted[i]->dtype.is_float() ? expected.back().fill(random, -4, 4) : expected.back().fill(random);
    }
    std::vector<tir::Array> result = expected;
    const auto run = [&](const tir::PrimFunc& function, std::vector<tir::Array>& arrays) {
      std::vector<tir::Argument> arguments;
      for (tir::Array& array : arrays) arguments.emplace_back(&array);
      tir::InterpreterOptions options;
      options.externs = externs;
      tir::interpret(function, arguments, options);
    };
    run(description_, expected);
    run(implementation_, result);
    for (size_t i = 0; i < wanted.size(); ++i) {
      if (const auto difference = tir::difference(expected[i], result[i])) {
        fail("the intrinsic {} does not compute its description: in {}, {}", name(), got[i]->name, *difference);
      }
    }
  }
}

}  // namespace vantage::schedule
