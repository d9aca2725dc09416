// Any bytes as the text of a function: an Error, or a function that prints as what is read as the same again, and of
// which the verifier has an opinion.
#include "base/error.h"
#include "compiler/backend/vta/calls.h"
#include "compiler/ir/parse_function.h"
#include "compiler/ir/printer.h"
#include "compiler/ir/verify.h"

using namespace vantage;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size > 4096) return 0;
  try {
    const auto function = ir::parse_function({reinterpret_cast<const char*>(data), size}, "fuzz", vta::call_touches());
    const std::string text = ir::to_text(function);
    VANTAGE_CHECK(ir::to_text(ir::parse_function(text, "again", vta::call_touches())) == text);
    ir::verify(function);
  } catch (const Error&) {
  }
  return 0;
}
