#include "compiler/ir/prim_func.h"

#include <algorithm>

namespace vantage::ir {

std::vector<Buffer> PrimFunc::buffers() const {
  std::vector<Buffer> result;
  for (const Param& param : params) {
    if (const auto* buffer = std::get_if<Buffer>(&param)) result.push_back(*buffer);
  }
  return result;
}

Buffer PrimFunc::find_buffer(std::string_view wanted) const {
  for (const auto& list : {buffers(), allocations}) {
    for (const Buffer& buffer : list) {
      if (buffer->name == wanted) return buffer;
    }
  }
  return nullptr;
}

bool PrimFunc::is_param(const Buffer& buffer) const {
  const auto all = buffers();
  return std::find(all.begin(), all.end(), buffer) != all.end();
}

}  // namespace vantage::ir
