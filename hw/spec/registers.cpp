#include "hw/spec/registers.h"

#include "hw/spec/error.h"

namespace vantage::spec {

std::string_view name(Access access) {
  switch (access) {
    case Access::kRead: return "RO";
    case Access::kWrite: return "WO";
    case Access::kReadWrite: return "RW";
  }
  return "?";
}

uint32_t register_offset(std::string_view name) {
  for (const Register& reg : kControlRegisters) {
    if (reg.name == name) return reg.offset;
  }
  for (size_t i = 0; i < kHardwareCounters.size(); ++i) {
    if (kHardwareCounters[i].name == name) return kCounterBase + static_cast<uint32_t>(8 * i);
  }
  VANTAGE_CHECK(false);
  return 0;
}

}  // namespace vantage::spec
