#include "compiler/backend/vta/finishing/load_in_order_of_use.h"

#include <algorithm>
#include <deque>

namespace vantage::vta {

OperationList load_in_order_of_use(OperationList list) {
  std::vector<Operation> ordered;
  ordered.reserve(list.operations.size());
  std::deque<Operation> waiting;
  for (Operation& operation : list.operations) {
    if (is_operand_load(operation)) {
      // A later load of the same elements stays later.
      while (std::any_of(waiting.begin(), waiting.end(), [&](const Operation& w) { return conflict(w, operation); })) {
        ordered.push_back(std::move(waiting.front()));
        waiting.pop_front();
      }
      waiting.push_back(std::move(operation));
      continue;
    }
    for (auto it = waiting.begin(); it != waiting.end();) {
      if (conflict(*it, operation)) {
        ordered.push_back(std::move(*it));
        it = waiting.erase(it);
      } else {
        ++it;
      }
    }
    ordered.push_back(std::move(operation));
  }
  for (Operation& operation : waiting) ordered.push_back(std::move(operation));
  list.operations = std::move(ordered);
  return list;
}

}  // namespace vantage::vta
