#include "compiler/backend/vta/finishing/remove_dead_loads.h"

#include <algorithm>
#include <array>

namespace vantage::vta {

OperationList remove_dead_loads(OperationList list) {
  std::vector<Operation>& operations = list.operations;
  std::array<std::vector<uint8_t>, 3> needed;  // per scratchpad element: read by a later operation
  std::vector<bool> dead(operations.size());
  for (size_t i = operations.size(); i-- > 0;) {
    const bool is_load = load_of(operations[i]) != nullptr;
    bool is_needed = !is_load;
    for (const Access& access : operations[i].accesses) {
      if (access.space == Access::Space::kTensor) continue;
      auto& of_space = needed[static_cast<size_t>(access.space)];
      if (of_space.size() < access.end) of_space.resize(access.end);
      const auto begin = of_space.begin() + static_cast<ptrdiff_t>(access.begin),
                 end = of_space.begin() + static_cast<ptrdiff_t>(access.end);
      is_needed = is_needed || std::find(begin, end, 1) != end;
      std::fill(begin, end, is_load ? 0 : 1);  // what computes may read what it writes
    }
    dead[i] = !is_needed;
  }
  size_t next = 0;
  operations.erase(std::remove_if(operations.begin(), operations.end(), [&](const Operation&) { return dead[next++]; }),
                   operations.end());
  return list;
}

}  // namespace vantage::vta
