#include "tests/frontend/onnx/case.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/file.h"
#include "base/tensor/npy.h"
#include "frontend/onnx/import.h"

namespace vantage::test {

namespace {

// Inputs of so few integers, or lists of so few numbers, say where and how large, not what.
constexpr int64_t kMostSizes = 64;

bool is_constant(const Tensor& value, size_t number, Constants constants) {
  const bool is_size = (!value.dtype().is_float() || value.rank() <= 1) && value.size() <= kMostSizes;
  switch (constants) {
    case Constants::kNone: return false;
    case Constants::kSizes: return is_size;
    case Constants::kAllButFirst: return number > 0;
  }
  return false;
}

}  // namespace

OnnxCase::OnnxCase(std::filesystem::path in)
    : folder(std::move(in)), json(Json::parse(read_file(folder / "case.json", Bytes(1 << 20)))) {}

Tensor OnnxCase::value(const char* kind, size_t number) const {
  return read_npy(folder / fmt::format("{}_{}.npy", kind, number));
}

std::vector<Tensor> OnnxCase::outputs() const {
  std::vector<Tensor> all;
  for (size_t i = 0; i < names("outputs").size(); ++i) all.push_back(value("output", i));
  return all;
}

double OnnxCase::atol(size_t output) const {
  const Json& given = json.at("atol");
  return (given.is_array() ? given.at(output) : given).get<double>();
}

ImportedCase import_case(const OnnxCase& c, Constants constants) {
  onnx_models::ImportOptions options;
  graph::Inputs inputs;
  const std::vector<std::string> given = c.names("inputs");
  for (size_t i = 0; i < given.size(); ++i) {
    Tensor value = c.value("input", i);
    if (is_constant(value, i, constants)) {
      options.constants.emplace(given[i], std::move(value));
    } else {
      options.shapes[given[i]] = value.shape();
      inputs.emplace(given[i], std::move(value));
    }
  }
  graph::Graph graph = onnx_models::import_model(c.folder / "model.onnx", options);
  // By the names that the graph has, which are the file's as far as names can be.
  graph::Inputs named;
  size_t next = 0;
  const std::vector<uint32_t> nodes = graph.inputs();
  for (const std::string& name : given) {
    if (options.constants.count(name) != 0 || inputs.at(name).size() == 0) continue;
    named.emplace(graph.nodes()[nodes.at(next++)].name, inputs.at(name));
  }
  return {std::move(graph), std::move(named)};
}

std::string said(const OnnxCase& c, std::string error) {
  const std::string file = (c.folder / "model.onnx").string() + ": ";
  if (error.starts_with(file)) error = error.substr(file.size());
  std::replace(error.begin(), error.end(), '\n', ' ');
  return error;
}

}  // namespace vantage::test
