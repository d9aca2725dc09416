// Any bytes as the text of a graph: an Error, or a graph that prints as what is read as the same again.
#include "base/error.h"
#include "compiler/graph/text.h"

using namespace vantage;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size > 4096) return 0;
  try {
    const graph::Graph read = graph::parse_graph({reinterpret_cast<const char*>(data), size}, "fuzz");
    const std::string text = graph::to_text(read);
    const graph::Graph again = graph::parse_graph(text, "again", graph::constants(read));
    VANTAGE_CHECK(graph::to_text(again) == text);
  } catch (const Error&) {
  }
  return 0;
}
