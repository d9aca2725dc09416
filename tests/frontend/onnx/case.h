// A model with what goes into it and what has to come out, as scripts write it into a folder: model.onnx, NumPy files,
// and case.json with names, tolerances, and what keeps a case from being written.
//
// Thread safety: values and functions without state.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/tensor/tensor.h"
#include "compiler/graph/evaluate.h"

namespace vantage::test {

struct OnnxCase {
  explicit OnnxCase(std::filesystem::path in);

  std::vector<std::string> names(const char* kind) const { return json.at(kind).get<std::vector<std::string>>(); }
  Tensor value(const char* kind, size_t number) const;  // "input", "output"
  std::vector<Tensor> outputs() const;
  double rtol() const { return json.at("rtol").get<double>(); }
  double atol(size_t output) const;  // one for all outputs, or one for each

  std::filesystem::path folder;
  Json json;
};

// Which inputs are constants of the model.
enum class Constants : uint8_t {
  kNone,
  kSizes,        // those that may say how large something is
  kAllButFirst,  // as weights
};

struct ImportedCase {
  graph::Graph graph;
  graph::Inputs inputs;
};

// Throws Error as the importer does.
ImportedCase import_case(const OnnxCase& c, Constants constants);

// What an error says, in one line, without the file that it begins with.
std::string said(const OnnxCase& c, std::string error);

}  // namespace vantage::test
