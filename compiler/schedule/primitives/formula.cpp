#include "compiler/schedule/primitives/formula.h"

#include <algorithm>

#include "base/error.h"
#include "compiler/schedule/dependence.h"

namespace vantage::schedule {

const ir::Store& formula(const Block& block, std::string_view primitive) {
  const auto* store = block.body.as<ir::Store>();
  if (!is_complete(block) || store == nullptr) {
    fail("{}: the block {} is no formula of one element; reductions and blocks of several statements stay", primitive,
         block.name);
  }
  if (block.annotations.count("tensor_intrinsic") > 0) fail("{}: the block {} is tensorized", primitive, block.name);
  return *store;
}

void forget_buffer(ir::PrimFunc& function, const ir::Buffer& buffer) {
  auto& list = function.allocations;
  list.erase(std::remove(list.begin(), list.end(), buffer), list.end());
}

}  // namespace vantage::schedule
