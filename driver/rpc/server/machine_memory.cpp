#include "driver/rpc/server/machine_memory.h"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <optional>
#include <string>

namespace vantage::rpc {

namespace {

std::optional<uint64_t> number_in(const std::string& path) {
  uint64_t value = 0;
  std::ifstream file(path);
  if (file >> value) return value;
  return std::nullopt;  // there is none, or it says "max"
}

// Version 2 of control groups; a container sees its own as the root.
std::optional<uint64_t> left_of_group() {
  std::ifstream groups("/proc/self/cgroup");
  std::string line;
  while (std::getline(groups, line) && !line.starts_with("0::")) {
  }
  if (!line.starts_with("0::")) return std::nullopt;
  const std::string folder = "/sys/fs/cgroup" + line.substr(3);
  const auto most = number_in(folder + "/memory.max"), used = number_in(folder + "/memory.current");
  if (!most || !used) return std::nullopt;
  return *most - std::min(*most, *used);
}

}  // namespace

Bytes available_memory() {
  uint64_t available = UINT64_MAX;
  std::ifstream meminfo("/proc/meminfo");
  for (std::string key; meminfo >> key;) {
    uint64_t kib = 0;
    if (key == "MemAvailable:" && meminfo >> kib) {
      available = kib << 10;
      break;
    }
  }
  return Bytes(std::min(available, left_of_group().value_or(UINT64_MAX)));
}

}  // namespace vantage::rpc
