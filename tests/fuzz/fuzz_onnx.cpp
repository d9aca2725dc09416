// Any bytes as an ONNX file: an Error, or a graph whose text is read as the same.
#include "base/error.h"
#include "compiler/graph/text.h"
#include "frontend/onnx/import.h"

using namespace vantage;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    onnx_models::ImportOptions options;
    options.sizes["n"] = 2;
    const graph::Graph graph = onnx_models::import_model(bytes, "fuzz", "/nonexistent", options);
    VANTAGE_CHECK(!graph.outputs().empty());
    graph::to_text(graph);
  } catch (const Error&) {
  }
  return 0;
}
