#include "compiler/schedule/sampling.h"

#include <fmt/ranges.h>

#include <cmath>

#include "base/error.h"

namespace vantage::schedule {

namespace {

constexpr int64_t kMostParts = 64;

std::vector<int64_t> divisors(int64_t number, int64_t most) {
  std::vector<int64_t> result;
  for (int64_t small = 1; small * small <= number; ++small) {
    if (number % small != 0) continue;
    if (small <= most) result.push_back(small);
    const int64_t large = number / small;
    if (large != small && large <= most) result.push_back(large);
  }
  return result;
}

void check_request(int64_t extent, int64_t parts, int64_t max_innermost) {
  if (parts < 1 || parts > kMostParts) {
    fail("sample_perfect_tile: a loop is to be split into {} parts, expected 1 to {}", parts, kMostParts);
  }
  if (max_innermost < 1) {
    fail("sample_perfect_tile: the innermost part is to have at most {} iterations, expected at least 1",
         max_innermost);
  }
  if (extent < 1 || extent > kLargestExtent) {
    fail("sample_perfect_tile: a loop of {} iterations; it can draw for 1 to {}", extent, kLargestExtent);
  }
}

void check_probabilities(const Probabilities& probabilities) {
  double sum = 0;
  for (const double p : probabilities) {
    if (!(p >= 0)) fail("sample_categorical: the probability {} is below 0", p);
    sum += p;
  }
  if (!(std::abs(sum - 1) < 1e-6)) fail("sample_categorical: the probabilities add up to {}, expected 1", sum);
}

}  // namespace

Decision draw_perfect_tile(int64_t extent, int64_t parts, int64_t max_innermost, std::mt19937_64& random) {
  check_request(extent, parts, max_innermost);
  Decision factors(static_cast<size_t>(parts), 1);
  int64_t rest = extent;
  for (size_t i = factors.size(); i-- > 0;) {
    const bool innermost = i + 1 == factors.size();
    // Alone it is both, and must take all there is.
    const std::vector<int64_t> choices = i == 0 ? std::vector{rest} : divisors(rest, innermost ? max_innermost : rest);
    factors[i] = choices[random() % choices.size()];
    rest /= factors[i];
  }
  return factors;
}

int64_t draw_categorical(const Probabilities& probabilities, std::mt19937_64& random) {
  check_probabilities(probabilities);
  // 53 bits are what a double holds; distributions of the library differ from one to another.
  double left = static_cast<double>(random() >> 11) * 0x1p-53;
  size_t last = 0;
  for (size_t i = 0; i < probabilities.size(); ++i) {
    if (probabilities[i] == 0) continue;
    last = i;
    if (left < probabilities[i]) break;
    left -= probabilities[i];
  }
  return static_cast<int64_t>(last);
}

void require_perfect_tile(const Decision& decision, int64_t extent, int64_t parts, int64_t max_innermost) {
  check_request(extent, parts, max_innermost);
  if (static_cast<int64_t>(decision.size()) != parts) {
    fail("sample_perfect_tile: the decision has {} factors, expected {}", decision.size(), parts);
  }
  int64_t rest = extent;
  for (const int64_t factor : decision) {
    if (factor < 1 || rest % factor != 0) rest = 0;
    if (rest == 0) break;
    rest /= factor;
  }
  if (rest != 1) {
    fail("sample_perfect_tile: the factors {} do not make {} iterations", fmt::join(decision, ", "), extent);
  }
  if (decision.back() > max_innermost) {
    fail("sample_perfect_tile: the innermost factor {} is more than {}", decision.back(), max_innermost);
  }
}

void require_categorical(int64_t decision, const Probabilities& probabilities, size_t candidates) {
  check_probabilities(probabilities);
  if (probabilities.size() != candidates) {
    fail("sample_categorical: {} candidates have {} probabilities, expected one each", candidates,
         probabilities.size());
  }
  if (decision < 0 || static_cast<size_t>(decision) >= candidates) {
    fail("sample_categorical: the decision is {}, expected the place of one of {} candidates, from 0 on", decision,
         candidates);
  }
}

}  // namespace vantage::schedule
