#include "hw/isa/memory_type.h"

#include "base/suggest.h"

namespace vantage::isa {

namespace {
constexpr std::array<std::string_view, kAllMemories.size()> kNames = {"uop", "wgt", "inp", "acc", "out", "acc8"};
}

std::string_view name(Memory memory) {
  return kNames[static_cast<size_t>(memory)];
}

std::string memory_names(std::string_view prefix) {
  return alternatives(kNames, prefix);
}

std::optional<Memory> memory_from_name(std::string_view text) {
  for (Memory memory : kAllMemories) {
    if (name(memory) == text) return memory;
  }
  return std::nullopt;
}

}  // namespace vantage::isa
