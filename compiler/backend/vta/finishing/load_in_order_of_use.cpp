#include "compiler/backend/vta/finishing/load_in_order_of_use.h"

#include <algorithm>
#include <array>
#include <deque>
#include <vector>

#include "compiler/backend/vta/element_map.h"

namespace vantage::vta {

namespace {

// Elements of the scratchpads that loads which wait will write. No two of those write the same.
class Awaited {
 public:
  bool any_of(const Operation& load) const {
    const Access& access = written(load);
    return of_space_.at(static_cast<size_t>(access.space)).any(access.begin, access.end, [](bool awaited) {
      return awaited;
    });
  }
  void set(const Operation& load, bool awaited) {
    const Access& access = written(load);
    of_space_.at(static_cast<size_t>(access.space)).assign(access.begin, access.end, awaited);
  }

 private:
  // A load writes one stretch.
  static const Access& written(const Operation& load) {
    return *std::ranges::find_if(load.accesses, &Access::is_write);
  }
  std::array<ElementMap<bool>, 3> of_space_;
};

}  // namespace

OperationList load_in_order_of_use(OperationList list) {
  std::vector<Operation> ordered;
  ordered.reserve(list.operations.size());
  std::deque<Operation> waiting;
  Awaited awaited;
  const auto take = [&](Operation& load) {
    awaited.set(load, false);
    ordered.push_back(std::move(load));
  };
  for (Operation& operation : list.operations) {
    if (is_operand_load(operation)) {
      // A later load of the same elements stays later.
      while (awaited.any_of(operation)) {
        take(waiting.front());
        waiting.pop_front();
      }
      awaited.set(operation, true);
      waiting.push_back(std::move(operation));
      continue;
    }
    for (auto it = waiting.begin(); it != waiting.end();) {
      if (conflict(*it, operation)) {
        take(*it);
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
