// What a file of ONNX gives whose inputs are constants: it is computed as it is read.
#pragma once

#include <vector>

#include "compiler/graph/evaluate.h"
#include "frontend/onnx/import.h"
#include "tests/frontend/onnx_file.h"

namespace vantage::test {

// Its first output, as numbers.
inline std::vector<double> result_of(const OnnxFile& file) {
  const graph::Graph graph = onnx_models::import_model(file.bytes(), "f.onnx", "/nonexistent");
  std::vector<double> numbers;
  const Tensor value = evaluate(graph, {})[0];
  for (int64_t e = 0; e < value.size(); ++e) numbers.push_back(value.number(e));
  return numbers;
}

}  // namespace vantage::test
