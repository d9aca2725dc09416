#include "compiler/backend/vta/finishing/remove_repeated_loads.h"

#include <algorithm>
#include <array>

namespace vantage::vta {

namespace {

// What every element of the scratchpads holds, as far as loads brought it.
class Held {
 public:
  // Whether a load would leave everything as it is.
  bool holds(const Operation& load) const {
    const auto& elements = elements_[space_of(load)];
    bool all = true;
    each(load, [&](uint64_t element, uint64_t value) {
      all = all && element < elements.size() && elements[element] == value;
    });
    return all;
  }

  void note(const Operation& operation) {
    for (const Access& access : operation.accesses) {
      if (!access.is_write) continue;
      if (access.space == Access::Space::kTensor) {
        forget_tensor(access.tensor);
      } else if (load_of(operation) == nullptr) {
        auto& elements = elements_[static_cast<size_t>(access.space)];
        const auto end = static_cast<ptrdiff_t>(std::min<uint64_t>(access.end, elements.size()));
        const auto begin = std::min(static_cast<ptrdiff_t>(access.begin), end);
        std::fill(elements.begin() + begin, elements.begin() + end, kUnknown);
      }
    }
    if (load_of(operation) == nullptr) return;
    auto& elements = elements_[space_of(operation)];
    each(operation, [&](uint64_t element, uint64_t value) {
      if (elements.size() <= element) elements.resize(element + 1, kUnknown);
      elements[element] = value;
    });
  }

 private:
  static constexpr uint64_t kUnknown = 0, kZero = 1;
  static constexpr unsigned kMemoryBit = 32, kTensorBit = 36;

  static size_t space_of(const Operation& load) {
    const auto target = std::find_if(load.accesses.begin(), load.accesses.end(),
                                     [](const Access& a) { return a.is_write && a.space != Access::Space::kTensor; });
    return static_cast<size_t>(target->space);
  }
  static uint64_t tensor_value(uint32_t tensor) { return (uint64_t{tensor} + 1) << kTensorBit; }

  // Each element that a load writes, and a number for what it writes there.
  template <typename Function>
  static void each(const Operation& load, const Function& function) {
    const isa::Transfer& t = *load_of(load);
    const uint64_t source = tensor_value(*load.symbol) | uint64_t{static_cast<uint8_t>(t.memory)} << kMemoryBit;
    uint64_t element = t.sram_base;
    for (uint64_t y = 0; y < t.padded_rows(); ++y) {
      const bool row_inside = y >= t.y_pad_0 && y < uint64_t{t.y_pad_0} + t.y_size;
      const uint64_t row = source + t.dram_base + (y - t.y_pad_0) * t.x_stride;
      for (uint64_t x = 0; x < t.padded_row(); ++x) {
        const bool inside = row_inside && x >= t.x_pad_0 && x < uint64_t{t.x_pad_0} + t.x_size;
        function(element++, inside ? row + (x - t.x_pad_0) : kZero);
      }
    }
  }

  void forget_tensor(uint32_t tensor) {
    for (auto& elements : elements_) {
      for (uint64_t& value : elements) {
        if (value >> kTensorBit == tensor_value(tensor) >> kTensorBit) value = kUnknown;
      }
    }
  }

  std::array<std::vector<uint64_t>, 3> elements_;
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
