// Any bytes as a configuration: an Error, or a Config that round-trips and whose layout exists.
#include "base/error.h"
#include "base/json.h"
#include "hw/isa/config.h"
#include "hw/isa/layout.h"

using namespace vantage;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    const auto config = isa::Config::parse({reinterpret_cast<const char*>(data), size}, "fuzz");
    VANTAGE_CHECK(isa::Config::from_json(config.to_json(), "again") == config);
    const isa::Layout layout(config);
    VANTAGE_CHECK(!layout.fields(isa::Format::kGemm).empty());
  } catch (const Error&) {
  }
  return 0;
}
