// Any bytes as a configuration: an Error, or a Config that round-trips and whose layout exists.
#include "hw/spec/config.h"
#include "hw/spec/error.h"
#include "hw/spec/layout.h"

using namespace vantage;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    const auto config = spec::Config::parse({reinterpret_cast<const char*>(data), size}, "fuzz");
    VANTAGE_CHECK(spec::Config::from_json(config.to_json(), "again") == config);
    const isa::Layout layout(config);
    VANTAGE_CHECK(!layout.fields(isa::Format::kGemm).empty());
  } catch (const Error&) {
  }
  return 0;
}
