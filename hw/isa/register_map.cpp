#include "hw/isa/register_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/error.h"

namespace vantage::isa {

std::string_view name(Access access) {
  switch (access) {
    case Access::kRead: return "RO";
    case Access::kWrite: return "WO";
    case Access::kReadWrite: return "RW";
  }
  return "?";
}

std::vector<Register> all_registers() {
  std::vector<Register> all(kControlRegisters.begin(), kControlRegisters.end());
  for (size_t i = 0; i < kHardwareCounters.size(); ++i) {
    const HardwareCounter& counter = kHardwareCounters[i];
    all.push_back({counter.name, kCounterBase + static_cast<uint32_t>(8 * i), 64, Access::kRead, counter.meaning});
  }
  std::stable_sort(all.begin(), all.end(), [](const Register& a, const Register& b) { return a.offset < b.offset; });
  return all;
}

std::string register_tables() {
  std::string text = "| offset | register | bits | access | meaning |\n| --- | --- | --- | --- | --- |\n";
  for (const Register& reg : all_registers()) {
    text += fmt::format("| 0x{:03x} | `{}` | {} | {} | {} |\n", reg.offset, reg.name, reg.bits, name(reg.access),
                        reg.meaning);
  }
  text += "\n| register | bit | name | meaning |\n| --- | --- | --- | --- |\n";
  for (const RegisterBit& bit : kRegisterBits) {
    text += fmt::format("| `{}` | {} | `{}` | {} |\n", bit.reg, bit.bit, bit.name, bit.meaning);
  }
  text += "\n| `ERROR_CAUSE` | | meaning |\n| --- | --- | --- |\n";
  for (const ErrorCauseInfo& info : kErrorCauses) {
    text += fmt::format("| {} | {} | {} |\n", static_cast<int>(info.cause), info.name, info.meaning);
  }
  return text;
}

std::string register_name(std::string_view counter) {
  std::string out(counter);
  for (char& c : out) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return out;
}

Register find_register(std::string_view name) {
  for (const Register& reg : all_registers()) {
    if (reg.name == name) return reg;
  }
  throw InternalError(fmt::format("there is no register {}", name));
}

uint32_t register_offset(std::string_view name) {
  return find_register(name).offset;
}

}  // namespace vantage::isa
