// Stands in for libFuzzer where there is no clang: runs every corpus file, then so many seeded mutations of them, or
// VANTAGE_TEST_EFFORT times as many. A target that has a mutator of its own, by the names that libFuzzer has for it,
// gets its inputs from that.
//
//   fuzz_NAME RUNS CORPUS [SEED [SECONDS]]
//
// CORPUS is a folder, or one file. An input that ends the process, or takes longer than SECONDS of its time, is written
// to ./found.
#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "tests/support/effort.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);
extern "C" __attribute__((weak)) size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t most, unsigned seed);
extern "C" __attribute__((weak)) size_t LLVMFuzzerCustomCrossOver(const uint8_t* data, size_t size,
                                                                  const uint8_t* other, size_t other_size, uint8_t* out,
                                                                  size_t most, unsigned seed);
extern "C" __attribute__((weak)) void __sanitizer_set_death_callback(void (*callback)());

namespace {

// What is being run, for whoever has to write it down once the process is at its end.
const std::string* running = nullptr;

void keep_input() {
  if (running == nullptr) return;
  if (std::FILE* file = std::fopen("found", "wb"); file != nullptr) {
    std::fwrite(running->data(), 1, running->size(), file);
    std::fclose(file);
    std::fprintf(stderr, "the input is in ./found\n");
  }
  running = nullptr;
}

void keep_input_at_abort(int) {
  keep_input();
}

const uint8_t* bytes_of(const std::string& text) {
  return reinterpret_cast<const uint8_t*>(text.data());
}

// Returns the seconds that it takes of this process.
double run(const std::string& input) {
  running = &input;
  const std::clock_t begin = std::clock();
  LLVMFuzzerTestOneInput(bytes_of(input), input.size());
  running = nullptr;
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
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

// By the target's own mutator, of one input or of two.
std::string mutated_as_told(const std::string& input, const std::vector<std::string>& corpus, std::mt19937_64& random) {
  const size_t most = 2 * input.size() + (1 << 16);
  std::string output(most, '\0');
  auto* out = reinterpret_cast<uint8_t*>(output.data());
  const auto seed = static_cast<unsigned>(random());
  if (LLVMFuzzerCustomCrossOver != nullptr && random() % 2 == 0) {
    const std::string& other = corpus[random() % corpus.size()];
    output.resize(
        LLVMFuzzerCustomCrossOver(bytes_of(input), input.size(), bytes_of(other), other.size(), out, most, seed));
    return output;
  }
  std::copy(input.begin(), input.end(), output.begin());
  output.resize(LLVMFuzzerCustomMutator(out, input.size(), most, seed));
  return output;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3 || argc > 5) {
    std::fprintf(stderr, "usage: %s RUNS CORPUS [SEED [SECONDS]]\n", argv[0]);
    return 2;
  }
  std::vector<std::filesystem::path> files;
  if (std::filesystem::is_directory(argv[2])) {
    for (const auto& entry : std::filesystem::directory_iterator(argv[2])) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
  } else {
    files.emplace_back(argv[2]);
  }
  std::vector<std::string> corpus;
  for (const auto& path : files) {
    std::ifstream file(path, std::ios::binary);
    corpus.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  if (corpus.empty()) {
    std::fprintf(stderr, "no corpus in %s\n", argv[2]);
    return 1;
  }
  if (__sanitizer_set_death_callback != nullptr) __sanitizer_set_death_callback(keep_input);
  std::signal(SIGABRT, keep_input_at_abort);
  const double most = argc > 4 ? std::strtod(argv[4], nullptr) : 0;
  double slowest = 0;
  const auto run_within = [&](const std::string& input) {
    const double seconds = run(input);
    slowest = std::max(slowest, seconds);
    if (most == 0 || seconds <= most) return;
    std::fprintf(stderr, "an input takes %.1f s\n", seconds);
    running = &input;
    keep_input();
    std::exit(1);
  };
  for (const std::string& input : corpus) run_within(input);
  std::mt19937_64 random(argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 1);
  const uint64_t runs = vantage::test::seeds(std::strtoull(argv[1], nullptr, 10));
  for (uint64_t i = 0; i < runs; ++i) {
    const std::string& input = corpus[random() % corpus.size()];
    // Now and then as bytes all the same.
    const bool as_told = LLVMFuzzerCustomMutator != nullptr && random() % 16 != 0;
    run_within(as_told ? mutated_as_told(input, corpus, random) : mutated(input, corpus, random));
  }
  std::printf("%zu corpus files and %llu mutations; the slowest took %.0f ms\n", corpus.size(),
              static_cast<unsigned long long>(runs), slowest * 1000);
  return 0;
}
