// quantized_cases FOLDER: runs each of write_quantized_cases.py's networks in a folder, says how far it is off, and
// fails for one that is too far.
#include <fmt/format.h>

#include <cstdio>

#include "base/error.h"
#include "tests/frontend/onnx/quantized_case.h"

int main(int argc, char** argv) {
  namespace test = vantage::test;
  bool ok = argc == 2;
  for (const auto& entry : std::filesystem::directory_iterator(ok ? argv[1] : "/nonexistent")) {
    const std::string name = entry.path().stem().string();
    std::string wrong;
    test::QuantizedCase result;
    try {
      result = test::run_quantized_case(entry.path());
      wrong = test::complaint(result, name);
    } catch (const vantage::Error& error) {
      wrong = error.what();
    }
    fmt::print("{}: as read {:.2g} steps off ({:.2g} in the mean), in integers {:.2g} ({:.2g}); {} products{}\n", name,
               result.read.most, result.read.mean, result.integers.most, result.integers.mean, result.products,
               wrong.empty() ? "" : "\tfailed: " + wrong);
    std::fflush(stdout);
    ok = ok && wrong.empty();
  }
  return ok ? 0 : 1;
}
