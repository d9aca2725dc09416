#include "compiler/backend/vta/kernel_nest.h"

#include <map>
#include <random>
#include <set>

#include "hw/core/nest.h"
#include "tests/catch.h"
#include "tests/support/generator.h"

namespace vantage::test::backend_vta_kernel_nest_test {

using namespace vantage;
using namespace vantage::vta;

namespace {

// The default configuration's limits, but so many micro-ops.
FoldLimits with(uint64_t uops) {
  FoldLimits limits = FoldLimits::of(isa::Config::vta_default());
  limits.uops = uops;
  return limits;
}

using Steps = std::vector<std::array<uint64_t, 3>>;

Steps steps_of(const KernelNest& nest) {
  Steps steps = {{nest.dst, nest.src, nest.wgt}};
  for (const Axis& axis : nest.axes) {
    Steps inner;
    for (const auto& step : steps) {
      for (uint64_t i = 0; i < axis.extent; ++i) {
        inner.push_back({step[0] + i * axis.dst, step[1] + i * axis.src, step[2] + i * axis.wgt});
      }
    }
    steps = std::move(inner);
  }
  return steps;
}

Steps steps_of(const std::vector<FoldedKernel>& kernels) {
  Steps steps;
  for (const FoldedKernel& k : kernels) {
    for (uint64_t out = 0; out < k.loop.iter_out; ++out) {
      for (uint64_t in = 0; in < k.loop.iter_in; ++in) {
        for (const isa::MicroOp& uop : k.uops) {
          steps.push_back({uop.dst + out * k.loop.dst_factor_out + in * k.loop.dst_factor_in,
                           uop.src + out * k.loop.src_factor_out + in * k.loop.src_factor_in,
                           uop.wgt + out * k.wgt_factor_out + in * k.wgt_factor_in});
        }
      }
    }
  }
  return steps;
}

KernelNest random_nest(std::mt19937_64& random) {
  const auto pick = [&](uint32_t n) { return static_cast<uint32_t>(random() % n); };
  KernelNest nest{pick(10), pick(10), pick(10), {}};
  for (uint32_t i = pick(5); i > 0; --i)
    nest.axes.push_back({pick(12) == 0 ? 0 : 1 + pick(5), pick(9), pick(9), pick(9)});
  return nest;
}

}  // namespace

TEST_CASE("folding in fixed order keeps every step and their order", "[property]") {
  std::mt19937_64 random = test::generator(1);
  for (int i = 0; i < 3000; ++i) {
    const KernelNest nest = random_nest(random);
    const uint64_t max_uops = 1 + random() % 40;
    const auto kernels = fold(nest, StepOrder::kFixed, with(max_uops));
    REQUIRE(steps_of(kernels) == steps_of(nest));
    for (const auto& kernel : kernels) CHECK(kernel.uops.size() <= max_uops);
  }
}

TEST_CASE("folding in free order keeps every step", "[property]") {
  std::mt19937_64 random = test::generator(2);
  for (int i = 0; i < 6000; ++i) {
    const KernelNest nest = random_nest(random);
    const StepOrder order = i % 2 == 0 ? StepOrder::kFree : StepOrder::kSourceKept;
    Steps expected = steps_of(nest);
    Steps got = steps_of(fold(nest, order, with(1 + random() % 40)));
    std::sort(expected.begin(), expected.end());
    std::sort(got.begin(), got.end());
    REQUIRE(got == expected);
  }
}

TEST_CASE("the longest axes become hardware loops, neighbours that continue each other become one", "[unit]") {
  const auto kernels = fold({0, 0, 0, {{2, 16, 4, 0}, {16, 1, 0, 4}, {4, 0, 1, 1}}}, StepOrder::kFree, with(100));
  REQUIRE(kernels.size() == 1);
  CHECK(kernels[0].uops.size() == 2);
  CHECK(kernels[0].loop.iter_out == 16);
  CHECK(kernels[0].loop.iter_in == 4);
  const auto merged = fold({0, 0, 0, {{4, 8, 8, 0}, {8, 1, 1, 0}}}, StepOrder::kFixed, with(100));
  REQUIRE(merged.size() == 1);
  CHECK(merged[0].uops.size() == 1);
  CHECK(merged[0].loop.iter_in == 32);
}

TEST_CASE("a source that one axis moves is read once for all steps on it", "[unit]") {
  // Rows, channels and pixels; a value for each channel.
  const KernelNest nest{0, 8000, 0, {{7, 784, 0, 0}, {4, 196, 1, 0}, {196, 1, 0, 0}}};
  const auto kernels = fold(nest, StepOrder::kSourceKept, with(100));
  REQUIRE(kernels.size() == 1);
  CHECK(kernels[0].uops.size() == 7);
  CHECK(core::source_reads(kernels[0].loop, kernels[0].uops) == 4);
  CHECK(core::source_reads(fold(nest, StepOrder::kFree, with(100))[0].loop,
                           fold(nest, StepOrder::kFree, with(100))[0].uops) == 7 * 4 * 196);
}

TEST_CASE("an axis longer than an iteration count is left to the micro-ops or split", "[unit]") {
  const KernelNest nest{0, 0, 0, {{20000, 1, 0, 0}, {3, 0, 1, 0}}};
  for (const auto& kernel : fold(nest, StepOrder::kFixed, with(64))) {
    CHECK(kernel.loop.iter_out <= 16383);
    CHECK(kernel.loop.iter_in <= 16383);
  }
  CHECK(steps_of(fold(nest, StepOrder::kFixed, with(64))) == steps_of(nest));
  // Long axes cost a few instructions of one micro-op, not one instruction per element.
  CHECK(fold({0, 0, 0, {{40000, 1, 1, 0}}}, StepOrder::kFree, with(64)).size() == 2);
  const KernelNest inner{0, 0, 0, {{2, 50000, 0, 0}, {32766, 1, 0, 0}}};
  for (StepOrder order : {StepOrder::kFree, StepOrder::kFixed}) {
    Steps expected = steps_of(inner);
    Steps got = steps_of(fold(inner, order, with(64)));
    if (order == StepOrder::kFree) {
      std::sort(expected.begin(), expected.end());
      std::sort(got.begin(), got.end());
    }
    CHECK((got == expected));
  }
}

TEST_CASE("the intervals of a nest hold exactly the elements that it touches", "[property]") {
  std::mt19937_64 random = test::generator(3);
  for (int i = 0; i < 1000; ++i) {
    const KernelNest nest = random_nest(random);
    std::set<uint64_t> expected, got;
    for (const auto& step : steps_of(nest)) expected.insert(step[1]);
    uint64_t end = 0;
    const auto parts = touched(nest, &KernelNest::src, &Axis::src);
    for (const Interval& part : parts) {
      CHECK(part.begin < part.end);
      CHECK((got.empty() || part.begin > end));  // in order and apart
      end = part.end;
      for (uint64_t element = part.begin; element < part.end; ++element) got.insert(element);
    }
    if (parts.size() == 1 && got != expected) {  // too many for a list
      CHECK(*got.begin() == *expected.begin());
      CHECK(*got.rbegin() == *expected.rbegin());
      CHECK(std::includes(got.begin(), got.end(), expected.begin(), expected.end()));
    } else {
      CHECK((got == expected));
    }
  }
  // Four rows of nine elements, 36 apart.
  const KernelNest rows{0, 5, 0, {{4, 0, 36, 0}, {3, 0, 3, 0}, {3, 0, 1, 0}}};
  CHECK(
      (touched(rows, &KernelNest::src, &Axis::src) == std::vector<Interval>{{5, 14}, {41, 50}, {77, 86}, {113, 122}}));
  const KernelNest many{0, 7, 0, {{1000, 0, 2, 0}}};
  CHECK((touched(many, &KernelNest::src, &Axis::src) == std::vector<Interval>{{7, 2006}}));
}

}  // namespace vantage::test::backend_vta_kernel_nest_test
