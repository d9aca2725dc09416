// Networks that onnxruntime quantized, with an input and what it makes of it (write_quantized_cases.py).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace vantage::test {

// How far results are from onnxruntime's, in steps of the output's scale.
struct StepsOff {
  double most = 0, mean = 0;
};

struct QuantizedCase {
  StepsOff read;                  // of the network as it is read, in floats
  StepsOff integers;              // of the same in integers
  int64_t products = 0;           // that are computed of int8
  std::vector<std::string> left;  // those that stay floats, with the reason
};

// Throws Error for a file that is none.
QuantizedCase run_quantized_case(const std::filesystem::path& file);

// What is wrong with it: more steps off than a network of that name may be, or products that stay floats without need.
// Empty: nothing.
std::string complaint(const QuantizedCase& result, const std::string& name);

}  // namespace vantage::test
