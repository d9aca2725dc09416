// Any bytes as a .npy file.
#include "base/error.h"
#include "base/tensor/npy.h"

using namespace vantage;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    const Tensor tensor = parse_npy({reinterpret_cast<const char*>(data), size}, "fuzz");
    VANTAGE_CHECK(tensor.is_dense() && tensor.bytes().size() < size);
  } catch (const Error&) {
  }
  return 0;
}
