// Operators of networks: what each takes, what comes out, its formula, and what it computes by plain loops.
//
// An operator is a folder here, or a family of them that differ in one function; operators.h lists all. What a graph
// calls, a pass moves and a back end schedules is one of them.
//
// Thread safety: values that nobody changes, and functions without state.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/tensor/type.h"
#include "compiler/ops/attributes.h"
#include "compiler/te/te.h"

namespace vantage::ops {

// How elements of the output come from those of the inputs, in the order in which they can be computed together with
// others: fusion (compiler/graph) goes by it.
enum class Pattern : uint8_t {
  kElementwise,  // each from the ones at its place, all shapes equal
  kBroadcast,    // the same after broadcasting
  kInjective,    // each from one element of an input, wherever that is
  kReduction,    // each from many elements of one input
  kAnchor,       // sums of products; what follows element by element can be computed with it
  kOpaque,       // alone
};

// The annotation of a function that names the schedule rule of its product (Operator::schedule_rule).
inline constexpr std::string_view kScheduleRule = "schedule_rule";

struct OperatorInput {
  std::string name;
  std::string meaning;  // a few words, its shape first: "[n, c, h, w]: images"
  enum class Count : uint8_t { kOne, kOptional, kMany } count = Count::kOne;  // the last two: of the last input only
};

// A call without its operands' values.
struct OperatorCall {
  std::vector<TensorType> inputs;
  Attributes attributes;
};

struct Operator {
  std::string name;
  std::string meaning;  // one sentence
  std::vector<OperatorInput> inputs;
  std::vector<AttributeField> attributes;
  Pattern pattern = Pattern::kOpaque;
  // How processors compute it (compiler/ops/cpu/default_schedule.h); empty: as the default schedule finds best.
  std::string schedule_rule = {};

  // What comes out. Throws Error, naming inputs and attributes, for what does not fit together. REQUIRES: as many
  // inputs as check_inputs() lets pass.
  std::function<std::vector<TensorType>(const OperatorCall&)> infer;
  // The formula, on tensors of the inputs' types. REQUIRES: infer() has accepted the call.
  std::function<std::vector<te::Tensor>(const OperatorCall&, const std::vector<te::Tensor>&)> define;
  // The same by plain loops on dense tensors, floats in double and rounded once. REQUIRES: as define().
  std::function<std::vector<Tensor>(const OperatorCall&, const std::vector<const Tensor*>&)> reference;
};

// Throws Error for a number of inputs that the operator does not take, naming what is missing or too many.
void check_inputs(const Operator& op, size_t count);
// What comes out of a call with these inputs and attributes. Errors begin with the operator's name.
std::vector<TensorType> infer(const Operator& op, const OperatorCall& call);

}  // namespace vantage::ops
