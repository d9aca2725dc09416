// Stands in for libFuzzer where there is no clang: runs every corpus file, then so many seeded mutations of them, or
// VANTAGE_TEST_EFFORT times as many.
//
//   fuzz_NAME RUNS CORPUS_FOLDER
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "tests/support/effort.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

void run(const std::string& input) {
  LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(input.data()), input.size());
}

// A few random edits: bits, bytes, numbers at their limits, pieces removed, repeated or taken from another input.
std::string mutated(std::string input, const std::vector<std::string>& corpus, std::mt19937_64& random) {
  const auto pick = [&](size_t count) { return count == 0 ? 0 : random() % count; };
  static const char* const kTokens[] = {
      "0", "-1", "4294967296", "18446744073709551616", "1e999", "null", "\"\"", "{", "}", "[", "]", "\n", "\xff",
      ",", "=",  "'"};
  for (size_t edits = 1 + pick(4); edits > 0; --edits) {
    const size_t at = pick(input.size());
    const size_t length = std::min(input.size() - at, pick(16));
    switch (pick(6)) {
      case 0:
        if (!input.empty()) input[at] = static_cast<char>(input[at] ^ (1 << pick(8)));
        break;
      case 1: input.erase(at, length); break;
      case 2: input.insert(at, input.substr(at, length)); break;
      case 3: input.replace(at, length, kTokens[pick(std::size(kTokens))]); break;
      case 4: {
        const std::string& other = corpus[pick(corpus.size())];
        const size_t from = pick(other.size());
        input.insert(at, other.substr(from, pick(64)));
        break;
      }
      default: input.resize(at); break;
    }
  }
  return input;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: %s RUNS CORPUS_FOLDER\n", argv[0]);
    return 2;
  }
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(argv[2])) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::vector<std::string> corpus;
  for (const auto& path : files) {
    std::ifstream file(path, std::ios::binary);
    corpus.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  if (corpus.empty()) {
    std::fprintf(stderr, "no corpus in %s\n", argv[2]);
    return 1;
  }
  for (const std::string& input : corpus) run(input);
  std::mt19937_64 random(1);
  const uint64_t runs = vantage::test::seeds(std::strtoull(argv[1], nullptr, 10));
  for (uint64_t i = 0; i < runs; ++i) {
    const std::string input = mutated(corpus[random() % corpus.size()], corpus, random);
    run(input);
  }
  std::printf("%zu corpus files and %llu mutations\n", corpus.size(), static_cast<unsigned long long>(runs));
  return 0;
}
