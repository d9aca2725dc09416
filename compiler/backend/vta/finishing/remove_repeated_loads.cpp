#include "compiler/backend/vta/finishing/remove_repeated_loads.h"

#include <algorithm>
#include <array>

#include "compiler/backend/vta/element_map.h"

namespace vantage::vta {

namespace {

// What every element of the scratchpads holds, as far as loads brought it.
class Held {
 public:
  // Whether a load would leave everything as it is.
  bool holds(const Operation& load) const {
    const ElementMap<Content>& elements = elements_[space_of(load)];
    bool all = true;
    each(load, [&](uint64_t begin, uint64_t end, const Content& loaded) {
      all = all && !elements.any(begin, end, [&](const Content& now) { return !(now == loaded); });
    });
    return all;
  }

  void note(const Operation& operation) {
    for (const Access& access : operation.accesses) {
      if (!access.is_write) continue;
      if (access.space == Access::Space::kTensor) {
        forget_tensor(access.tensor);
      } else if (load_of(operation) == nullptr) {
        elements_[static_cast<size_t>(access.space)].assign(access.begin, access.end, {});
      }
    }
    if (load_of(operation) == nullptr) return;
    ElementMap<Content>& elements = elements_[space_of(operation)];
    each(operation, [&](uint64_t begin, uint64_t end, const Content& loaded) { elements.assign(begin, end, loaded); });
  }

 private:
  // The same for all elements of a row.
  struct Content {
    enum class Kind : uint8_t { kUnknown, kZero, kTensor } kind = Kind::kUnknown;
    isa::Memory memory = {};  // the kind of load
    uint32_t tensor = 0;      // its index
    uint64_t further_on = 0;  // how much more an element's index in the tensor is than that in the scratchpad
    bool operator==(const Content&) const = default;
  };
  static size_t space_of(const Operation& load) {
    const auto target = std::find_if(load.accesses.begin(), load.accesses.end(),
                                     [](const Access& a) { return a.is_write && a.space != Access::Space::kTensor; });
    return static_cast<size_t>(target->space);
  }

  // Each stretch of elements that a load writes, and what it writes there.
  template <typename Function>
  static void each(const Operation& load, const Function& function) {
    const isa::Transfer& t = *load_of(load);
    const Content zero{.kind = Content::Kind::kZero};
    Content loaded{.kind = Content::Kind::kTensor, .memory = t.memory, .tensor = *load.symbol};
    const uint64_t row = t.padded_row(), first = t.sram_base + t.y_pad_0 * row, last = first + t.y_size * row;
    function(t.sram_base, first, zero);
    for (uint64_t y = 0; y < t.y_size; ++y) {
      const uint64_t begin = first + y * row, inside = begin + t.x_pad_0, end = inside + t.x_size;
      loaded.further_on = t.dram_base + y * t.x_stride - inside;
      function(begin, inside, zero);
      function(inside, end, loaded);
      function(end, begin + row, zero);
    }
    function(last, last + t.y_pad_1 * row, zero);
  }

  void forget_tensor(uint32_t tensor) {
    for (auto& elements : elements_) {
      elements.change_all([&](const Content& now) {
        return now.kind == Content::Kind::kTensor && now.tensor == tensor ? Content{} : now;
      });
    }
  }

  std::array<ElementMap<Content>, 3> elements_;
};

}  // namespace

OperationList remove_repeated_loads(OperationList list) {
  std::vector<Operation> kept;
  kept.reserve(list.operations.size());
  Held held;
  for (Operation& operation : list.operations) {
    if (load_of(operation) != nullptr && held.holds(operation)) continue;
    held.note(operation);
    kept.push_back(std::move(operation));
  }
  list.operations = std::move(kept);
  return list;
}

}  // namespace vantage::vta
