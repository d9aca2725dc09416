#include "compiler/backend/vta/finishing/remove_dead_loads.h"

#include <algorithm>

#include "compiler/backend/vta/finishing/live_elements.h"

namespace vantage::vta {

OperationList remove_dead_loads(OperationList list) {
  std::vector<Operation>& operations = list.operations;
  LiveElements live;
  std::vector<bool> dead(operations.size());
  for (size_t i = operations.size(); i-- > 0;) {
    const std::vector<Access>& accesses = operations[i].accesses;
    dead[i] = load_of(operations[i]) != nullptr && std::none_of(accesses.begin(), accesses.end(), [&](const Access& a) {
                return a.space != Access::Space::kTensor && live.any(a.space, a.begin, a.end);
              });
    live.step_before(operations[i]);
  }
  size_t next = 0;
  operations.erase(std::remove_if(operations.begin(), operations.end(), [&](const Operation&) { return dead[next++]; }),
                   operations.end());
  return list;
}

}  // namespace vantage::vta
