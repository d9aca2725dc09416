// Any bytes as a picture: an Error, or pixels from 0 to 1.
#include "base/error.h"
#include "frontend/images/image.h"

using namespace vantage;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    const int channels = size % 2 == 0 ? 1 : 3;
    const Tensor image = images::parse_image({reinterpret_cast<const char*>(data), size}, "fuzz", channels);
    VANTAGE_CHECK(image.extent(0) == channels);
    for (const float value : image.values<float>()) VANTAGE_CHECK(value >= 0 && value <= 1);
  } catch (const Error&) {
  }
  return 0;
}
