#include "compiler/backend/vta/kernel_index.h"

#include <functional>
#include <string>
#include <utility>

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
  for (; known_ < kernels.size(); ++known_) first_like(kernels, kernels[known_], known_);
  const uint32_t number = first_like(kernels, kernel, known_);
  if (number < known_) return number;
  kernels.push_back(std::move(kernel));
  return known_++;
}

// The first of `kernels` that is like this one; `next`, which is noted, where there is none.
uint32_t KernelIndex::first_like(const std::vector<Kernel>& kernels, const Kernel& kernel, uint32_t next) {
  const uint64_t hash = hash_of(kernel);
  const auto [begin, end] = by_hash_.equal_range(hash);
  for (auto entry = begin; entry != end; ++entry) {
    if (kernels[entry->second] == kernel) return entry->second;
  }
  by_hash_.emplace(hash, next);
  return next;
}

}  // namespace vantage::vta
