#include "compiler/backend/vta/scopes.h"

#include "base/error.h"

namespace vantage::vta {

using isa::Memory;

std::optional<Memory> scratchpad_of(std::string_view scope) {
  if (scope == kInpScope) return Memory::kInp;
  if (scope == kWgtScope) return Memory::kWgt;
  if (scope == kAccScope) return Memory::kAcc;
  return std::nullopt;
}

ElementShape element_shape(Memory memory, const isa::Config& config) {
  switch (memory) {
    case Memory::kInp: return {config.batch(), config.block_in()};
    case Memory::kWgt: return {config.block_out(), config.block_in()};
    case Memory::kAcc:
    case Memory::kAcc8:
    case Memory::kOut: return {config.batch(), config.block_out()};
    case Memory::kUop: break;
  }
  internal_check_failed("a memory of tensors", __FILE__, __LINE__);
}

}  // namespace vantage::vta
