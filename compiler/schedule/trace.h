// What was done to a schedule, step by step: as data, as C++ calls, as JSON.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/json_fwd.h"

namespace vantage::schedule {

// Blocks and loops as a schedule hands them out: numbers that mean something to that schedule, and to a replay of it.
struct BlockRV {
  int id = -1;
};
struct LoopRV {
  int id = -1;
};

// A number that a schedule has drawn.
struct IntRV {
  int id = -1;
};

// A number of iterations: known, or drawn.
class Factor {
 public:
  Factor(int64_t value) : value_(value) {}  // NOLINT(google-explicit-constructor): reads as a number
  Factor(IntRV drawn) : value_(drawn) {}    // NOLINT(google-explicit-constructor)
  // Null where the number is a drawn one.
  const int64_t* known() const { return std::get_if<int64_t>(&value_); }
  // REQUIRES: it is a drawn one.
  IntRV drawn() const { return std::get<IntRV>(value_); }

 private:
  std::variant<int64_t, IntRV> value_;
};

using Factors = std::vector<std::optional<Factor>>;
using Probabilities = std::vector<double>;
using Argument =
    std::variant<BlockRV, LoopRV, IntRV, std::vector<LoopRV>, Factors, Probabilities, int64_t, std::string>;

// One call of a primitive. A result is a block, a loop, loops, or drawn numbers. What a step has drawn, its decision,
// is its last argument.
struct Step {
  using Result = std::variant<std::monostate, BlockRV, LoopRV, std::vector<LoopRV>, IntRV, std::vector<IntRV>>;
  std::string primitive;
  std::vector<Argument> arguments;
  Result result;
};

using Trace = std::vector<Step>;

// What a step has drawn: the factors of sample_perfect_tile, the place of sample_categorical's choice among its
// candidates. Nothing for a step that draws none.
using Decision = std::vector<int64_t>;
std::optional<Decision> decision(const Step& step);

// The trace with another decision in a step, for a replay that takes it. Throws Error when that step draws nothing; the
// replay says when the decision is none that could be drawn.
Trace with_decision(Trace trace, size_t step, const Decision& decision);

// As statements on a Schedule `sch`: what compiles in a user's program.
std::string to_cpp(const Trace& trace);

Json to_json(const Trace& trace);
// Throws Error, naming the step, for what is no trace.
Trace trace_from_json(const Json& json);

}  // namespace vantage::schedule
