// Any bytes as an IDX file.
#include "base/error.h"
#include "base/tensor/idx.h"

using namespace vantage;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    const Tensor tensor = parse_idx({reinterpret_cast<const char*>(data), size}, "fuzz");
    VANTAGE_CHECK(tensor.values<int16_t>().size() < size);
  } catch (const Error&) {
  }
  return 0;
}
