// All schedule primitives by name: what Schedule's methods, and replayed traces, go through.
#pragma once

#include <string_view>
#include <vector>

#include "compiler/schedule/schedule.h"

namespace vantage::schedule {

// One row per primitive: its name in a trace, and what it does with its arguments.
struct Primitive {
  using Arguments = std::vector<Argument>;
  std::string_view name;
  Step::Result (*apply)(Schedule& s, const Arguments& a);

  static const std::vector<Primitive>& all();
};

}  // namespace vantage::schedule
