#include "compiler/backend/vta/finishing/remove_repeated_loads.h"

#include <algorithm>

namespace vantage::vta {

OperationList remove_repeated_loads(OperationList list) {
  std::vector<Operation> kept;
  kept.reserve(list.operations.size());
  std::vector<size_t> intact;  // loads in `kept` whose elements still hold what they loaded
  for (Operation& operation : list.operations) {
    const isa::Transfer* load = load_of(operation);
    if (load != nullptr) {
      const bool repeated = std::any_of(intact.begin(), intact.end(), [&](size_t i) {
        return kept[i].symbol == operation.symbol && *load_of(kept[i]) == *load;
      });
      if (repeated) continue;
    }
    const auto is_overwritten = [&](size_t i) {
      return std::any_of(operation.accesses.begin(), operation.accesses.end(), [&](const Access& a) {
        return a.is_write && std::any_of(kept[i].accesses.begin(), kept[i].accesses.end(),
                                         [&](const Access& b) { return overlap(a, b); });
      });
    };
    intact.erase(std::remove_if(intact.begin(), intact.end(), is_overwritten), intact.end());
    if (load != nullptr) intact.push_back(kept.size());
    kept.push_back(std::move(operation));
  }
  list.operations = std::move(kept);
  return list;
}

}  // namespace vantage::vta
