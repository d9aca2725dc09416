// conformance FOLDER: imports every case that write_cases.py wrote there, compiles it for this processor, runs it and
// compares what comes out. Prints a line for each: its name, "passed", "passed with constants" where the inputs that
// say how large something is are given as such, or have become weights, or "failed", and why.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/tensor/npy.h"
#include "frontend/onnx/import.h"
#include "workload/graph_on_processor.h"

using namespace vantage;
namespace fs = std::filesystem;

namespace {

// Inputs of so few integers, or lists of so few numbers, say where and how large, not what.
constexpr int64_t kMostSizes = 64;

struct Case {
  fs::path folder;
  Json json;

  Tensor value(const char* kind, size_t number) const {
    return read_npy(folder / fmt::format("{}_{}.npy", kind, number));
  }
};

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

// What is wrong, if anything.
std::string run(const Case& c, bool with_constants) {
  const auto names = [&](const char* kind) { return c.json.at(kind).get<std::vector<std::string>>(); };
  onnx_models::ImportOptions options;
  graph::Inputs inputs;
  const std::vector<std::string> given = names("inputs");
  for (size_t i = 0; i < given.size(); ++i) {
    Tensor value = c.value("input", i);
    options.shapes[given[i]] = value.shape();
    const bool is_size = (!value.dtype().is_float() || value.rank() <= 1) && value.size() <= kMostSizes;
    if (with_constants && is_size) {
      options.constants.emplace(given[i], std::move(value));
    } else {
      inputs.emplace(given[i], std::move(value));
    }
  }
  for (auto constant = options.constants.begin(); constant != options.constants.end(); ++constant) {
    options.shapes.erase(constant->first);
  }
  const graph::Graph graph = onnx_models::import_model(c.folder / "model.onnx", options);
  // By the names that the graph has, which are the file's as far as names can be.
  graph::Inputs named;
  size_t next = 0;
  const std::vector<uint32_t> nodes = graph.inputs();
  for (const std::string& name : given) {
    if (options.constants.count(name) != 0 || inputs.at(name).size() == 0) continue;
    named.emplace(graph.nodes()[nodes.at(next++)].name, inputs.at(name));
  }
  const std::vector<Tensor> outputs = workload::run_on_processor(graph, named);
  for (size_t i = 0; i < outputs.size(); ++i) {
    const std::string wrong = difference(c.value("output", i), outputs[i], c.json.at("rtol"), c.json.at("atol"));
    if (!wrong.empty()) return fmt::format("output {} {}", i, wrong);
  }
  return {};
}

std::string in_one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

std::string result_of(const Case& c) {
  if (c.json.contains("reason")) return "failed\t" + c.json.at("reason").get<std::string>();
  std::string reason;
  for (const bool with_constants : {false, true}) {
    try {
      const std::string wrong = run(c, with_constants);
      if (wrong.empty()) {
        return with_constants || c.json.contains("has_weights") ? "passed with constants\t" : "passed\t";
      }
      reason = wrong;
    } catch (const Error& error) {
      reason = error.what();
    } catch (const InternalError& error) {
      reason = std::string("internal error: ") + error.what();
    }
  }
  // Without the file that it begins with.
  const std::string file = (c.folder / "model.onnx").string() + ": ";
  if (reason.starts_with(file)) reason = reason.substr(file.size());
  return "failed\t" + in_one_line(reason);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "usage: conformance FOLDER [NAME...]\n");
    return 2;
  }
  std::vector<fs::path> folders;
  for (const auto& entry : fs::directory_iterator(argv[1])) folders.push_back(entry.path());
  std::sort(folders.begin(), folders.end());
  for (const fs::path& folder : folders) {
    if (argc > 2 && std::find(argv + 2, argv + argc, folder.filename().string()) == argv + argc) continue;
    const Case c{folder, Json::parse(read_file(folder / "case.json", Bytes(1 << 20)))};
    fmt::print("{}\t{}\n", folder.filename().string(), result_of(c));
    std::fflush(stdout);
  }
  return 0;
}
