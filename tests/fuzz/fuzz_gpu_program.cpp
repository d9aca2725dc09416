// Any bytes as a program for a GPU in an archive of a model: an Error, or a program that round-trips.
#include "base/error.h"
#include "base/json.h"
#include "native/gpu_program_file.h"

using namespace vantage;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const native::GpuProgram program = native::gpu_program_from_json(parse_json(text, "fuzz"), "fuzz");
    const Json json = native::to_json(program);
    VANTAGE_CHECK(native::to_json(native::gpu_program_from_json(json, "again")) == json);
  } catch (const Error&) {
  }
  return 0;
}
