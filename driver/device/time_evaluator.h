// How long something takes.
#pragma once

#include <functional>
#include <vector>

namespace vantage::driver {

struct TimeOptions {
  int number = 1;     // runs that are timed together, as one sample
  int repeat = 10;    // samples
  double min_ms = 0;  // a sample takes at least so long: `number` grows until it does
};

// Seconds for one run, from every sample in order.
struct Timing {
  std::vector<double> samples;
  int number = 1;  // runs in each

  // Throw InternalError without samples.
  double min() const;
  double mean() const;
  double median() const;
  double deviation() const;  // of the samples: the square root of their variance, 0 for a single one
};

// Runs it once to warm up, then as the options say. Throws Error for a number or repeat below 1, or a negative time.
Timing time_evaluator(const std::function<void()>& run, const TimeOptions& options = {});
// The same by another clock: `seconds` makes so many runs, and says how long one of them took.
Timing time_samples(const std::function<double(int number)>& seconds, const TimeOptions& options = {});

}  // namespace vantage::driver
