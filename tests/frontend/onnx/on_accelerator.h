// A model of floats in integers, on a simulated accelerator: whatever of it there is for one.
//
// Thread safety: functions without state.
#pragma once

#include <string>
#include <vector>

#include "tests/frontend/onnx/case.h"

namespace vantage::test {

struct OnAccelerator {
  enum class Verdict : uint8_t {
    kNothing,  // neither products nor folds
    kRefused,  // the processor computes them; `why` is said of the first
    kRan,
    kInexact,  // lies farther from `expected` than kMostError
    kWrong,    // a program makes otherwise than its operators' plain loops on the same values, in any bit: `why`
  };
  Verdict verdict = Verdict::kNothing;
  std::string why = {};
  size_t programs = 0;
  double error = 0;  // of outputs that are floats, the largest, by the largest value of its output
};

// Calibrated with the case's own inputs and others of their range, quantized, and parted for the default configuration
// without regard to what would be faster where. Each part of the accelerator is compiled, run by `fsim:` and checked
// (workload/node_check.h); plain loops compute the others.
OnAccelerator run_on_accelerator(const ImportedCase& c, const std::vector<Tensor>& expected);

// Of a value's range: so far 8 bits may be off by what they round, on the way through several products.
inline constexpr double kMostError = 0.05;

}  // namespace vantage::test
