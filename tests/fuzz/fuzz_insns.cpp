// Any bytes as instruction words, on a small machine: no crash, no hang, nothing outside memory, and machine and
// verifier agree on what is legal. The first byte picks one of a few configurations.
#include <algorithm>
#include <cstring>
#include <map>

#include "base/error.h"
#include "tests/fuzz/hostile_program.h"

using namespace vantage;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static std::map<int, test::HostileMachine> machines;
  if (size == 0) return 0;
  const int seed = data[0] % 8;
  auto& machine = machines.try_emplace(seed, seed).first->second;
  constexpr size_t kMaxInsns = 200;
  const size_t count = std::min((size - 1) / isa::kInsnBytes, kMaxInsns);
  std::vector<isa::Words> words(count);
  if (count > 0) std::memcpy(words.data(), data + 1, count * isa::kInsnBytes);
  const auto outcome = machine.run(words);
  VANTAGE_CHECK(outcome.disagreement.empty());
  return 0;
}
