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

using Factors = std::vector<std::optional<int64_t>>;
using Argument = std::variant<BlockRV, LoopRV, std::vector<LoopRV>, Factors, int64_t, std::string>;

// One call of a primitive. A result is a block, a loop, or loops.
struct Step {
  using Result = std::variant<std::monostate, BlockRV, LoopRV, std::vector<LoopRV>>;
  std::string primitive;
  std::vector<Argument> arguments;
  Result result;
};

using Trace = std::vector<Step>;

// As statements on a Schedule `sch`: what compiles in a user's program.
std::string to_cpp(const Trace& trace);

Json to_json(const Trace& trace);
// Throws Error, naming the step, for what is no trace.
Trace trace_from_json(const Json& json);

}  // namespace vantage::schedule
