#include "bench/gpu_banks.h"

#include <algorithm>

#include "compiler/backend/cuda/shared_banks.h"

namespace vantage::bench {

void BankFacts::add(const cuda::Kernel& kernel, const cuda::KernelCode& code) {
  for (const cuda::BankUse& use : cuda::bank_uses(kernel, code.shared_accesses)) {
    ways = std::max(ways, use.ways);
    if (use.access.is_vector_load) load_rounds = std::max(load_rounds, use.rounds);
  }
}

}  // namespace vantage::bench
