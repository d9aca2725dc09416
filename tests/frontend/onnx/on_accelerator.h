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
    kWrong,  // `why`
  };
  Verdict verdict = Verdict::kNothing;
  std::string why = {};
  size_t programs = 0;
  double error = 0;  // of outputs that are floats, the largest, by the largest value of its output
};

// Calibrated with the case's own inputs and others of their range, quantized, and parted for the default configuration
// without regard to what would be faster where. Each part of the accelerator is compiled and run by `fsim:`. Wrong is
// what it makes otherwise than its operators' plain loops on the same values (workload/node_check.h), in any bit, and
// what lies farther from `expected` than kMostError.
OnAccelerator run_on_accelerator(const ImportedCase& c, const std::vector<Tensor>& expected);

// Of a value's range: so far 8 bits may be off by what they round, on the way through several products.
inline constexpr double kMostError = 0.05;

}  // namespace vantage::test
