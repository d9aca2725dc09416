// A function on buffers: what te makes, schedules transform and targets compile.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "compiler/ir/stmt.h"

namespace vantage::ir {

// A scalar or a buffer. Variables in buffers' shapes that are no parameters themselves get their values from the
// buffers passed.
using Param = std::variant<Var, Buffer>;

struct PrimFunc {
  std::string name = "main";
  std::vector<Param> params;
  std::vector<Buffer> allocations;  // exist during a call
  Stmt body;
  Annotations annotations;

  // The parameters that are buffers, in order.
  std::vector<Buffer> buffers() const;
  // The parameter or allocation of that name; null when there is none.
  Buffer find_buffer(std::string_view name) const;
  bool is_param(const Buffer& buffer) const;
};

}  // namespace vantage::ir
