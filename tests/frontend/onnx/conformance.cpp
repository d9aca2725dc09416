// conformance [--accelerator] FOLDER [NAME...]: imports every case that a script wrote there (case.h), compiles it for
// this processor, runs it and compares what comes out. Prints a line for each, with tabs between its parts: its name;
// "passed", "passed with constants" where the inputs that say how large something is are given as such, or have become
// weights, or "failed"; and why nothing better. With --accelerator what passes is run in integers on an accelerator,
// too (on_accelerator.h): "nothing", "ran", "ran with weights" where all inputs but the first are, "refused",
// "inexact", "wrong", or "error" where it came to no end, and more about it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include "base/error.h"
#include "tests/frontend/onnx/on_accelerator.h"
#include "workload/graph_on_processor.h"

using namespace vantage;
using test::Constants;
using test::ImportedCase;
using test::OnAccelerator;
using test::OnnxCase;
namespace fs = std::filesystem;

namespace {

// As numpy.testing.assert_allclose has it.
std::string difference(const Tensor& expected, const Tensor& got, double rtol, double atol) {
  if (type_of(expected) != type_of(got)) return fmt::format("is {}, expected {}", describe(got), describe(expected));
  for (int64_t e = 0; e < expected.size(); ++e) {
    const double x = expected.number(e), y = got.number(e);
    if (x == y || (std::isnan(x) && std::isnan(y))) continue;
    if (!(std::abs(x - y) <= atol + rtol * std::abs(x)))
      return fmt::format("has {} at element {}, expected {}", y, e, x);
  }
  return {};
}

// What is wrong on the processor, if anything.
std::string run(const OnnxCase& c, const ImportedCase& imported) {
  const std::vector<Tensor> outputs = workload::run_on_processor(imported.graph, imported.inputs),
                            expected = c.outputs();
  for (size_t i = 0; i < outputs.size(); ++i) {
    const std::string wrong = difference(expected[i], outputs[i], c.rtol(), c.atol(i));
    if (!wrong.empty()) return fmt::format("output {} {}", i, wrong);
  }
  return {};
}

// What a function gives, or what it says where it throws.
template <typename Function>
std::string tried(const OnnxCase& c, const Function& function) {
  try {
    return function();
  } catch (const Error& error) {
    return test::said(c, error.what());
  } catch (const InternalError& error) {
    return test::said(c, std::string("internal error: ") + error.what());
  }
}

std::string text_of(const OnAccelerator& result) {
  switch (result.verdict) {
    case OnAccelerator::Verdict::kNothing: return "nothing\t";
    case OnAccelerator::Verdict::kRefused: return "refused\t" + result.why;
    case OnAccelerator::Verdict::kWrong: return "wrong\t" + result.why;
    case OnAccelerator::Verdict::kInexact: return fmt::format("inexact\toff by {:.4f}", result.error);
    case OnAccelerator::Verdict::kRan: break;
  }
  return fmt::format("ran\t{} programs, off by {:.4f}", result.programs, result.error);
}

// As the case has it, or else with weights.
std::string on_accelerator(const OnnxCase& c, const ImportedCase& imported) {
  const auto run = [&](const ImportedCase& of) {
    std::string text;
    const std::string error = tried(c, [&] {
      text = text_of(test::run_on_accelerator(of, c.outputs()));
      return std::string();
    });
    return error.empty() ? text : "error\t" + error;
  };
  const std::string as_it_is = run(imported);
  const bool has_none = as_it_is.starts_with("nothing") || as_it_is.starts_with("refused");
  if (!has_none || imported.inputs.size() < 2) return as_it_is;
  const std::string with_weights = tried(c, [&] { return run(test::import_case(c, Constants::kAllButFirst)); });
  if (with_weights.starts_with("ran")) return "ran with weights" + with_weights.substr(3);
  return with_weights.starts_with("wrong") || with_weights.starts_with("inexact") ? with_weights : as_it_is;
}

std::string result_of(const OnnxCase& c, bool with_accelerator) {
  if (c.json.contains("reason")) return "failed\t" + c.json.at("reason").get<std::string>();
  std::string reason;
  for (const Constants constants : {Constants::kNone, Constants::kSizes}) {
    std::optional<ImportedCase> imported;
    const std::string wrong = tried(c, [&] { return run(c, imported.emplace(test::import_case(c, constants))); });
    if (!wrong.empty()) {
      reason = wrong;
      continue;
    }
    const bool has_constants = constants == Constants::kSizes || c.json.contains("has_weights");
    std::string passed = has_constants ? "passed with constants\t" + reason : "passed\t";
    if (with_accelerator) passed += "\t" + on_accelerator(c, *imported);
    return passed;
  }
  return "failed\t" + reason;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> arguments(argv + 1, argv + argc);
  const bool with_accelerator = std::erase(arguments, "--accelerator") > 0;
  if (arguments.empty()) {
    fmt::print(stderr, "usage: conformance [--accelerator] FOLDER [NAME...]\n");
    return 2;
  }
  const std::set<std::string> names(arguments.begin() + 1, arguments.end());
  std::vector<fs::path> folders;
  for (const auto& entry : fs::directory_iterator(arguments[0])) folders.push_back(entry.path());
  std::sort(folders.begin(), folders.end());
  for (const fs::path& folder : folders) {
    if (!names.empty() && names.count(folder.filename().string()) == 0) continue;
    fmt::print("{}\t{}\n", folder.filename().string(), result_of(OnnxCase(folder), with_accelerator));
    std::fflush(stdout);
  }
  return 0;
}
