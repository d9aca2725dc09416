#include "compiler/backend/vta/kernel_index.h"

#include <functional>
#include <string>

namespace vantage::vta {

namespace {

uint64_t hash_of(const Kernel& kernel) {
  constexpr uint64_t kMultiplier = 0x9e3779b97f4a7c15;  // 2^64 over the golden ratio
  uint64_t hash = std::hash<std::string>()(kernel.kind);
  const auto add = [&](uint64_t value) {
    hash = (hash ^ value) * kMultiplier;
    hash ^= hash >> 32;
  };
  for (const isa::MicroOp& uop : kernel.uops) {
    add(uop.dst | uint64_t{uop.src} << 32);
    add(uop.wgt);
  }
  return hash;
}

}  // namespace

uint32_t KernelIndex::number(std::vector<Kernel>& kernels, Kernel kernel) {
  for (; known_ < kernels.size(); ++known_) by_hash_.emplace(hash_of(kernels[known_]), known_);
  const uint64_t hash = hash_of(kernel);
  const auto [begin, end] = by_hash_.equal_range(hash);
  for (auto entry = begin; entry != end; ++entry) {
    if (kernels[entry->second] == kernel) return entry->second;
  }
  by_hash_.emplace(hash, known_++);
  kernels.push_back(std::move(kernel));
  return known_ - 1;
}

}  // namespace vantage::vta
