// Any bytes as an IDX file.
#include "base/error.h"
#include "cli/idx.h"

using namespace vantage;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    const auto matrix = cli::parse_idx({reinterpret_cast<const char*>(data), size}, "fuzz");
    VANTAGE_CHECK(matrix.values.size() == matrix.rows * matrix.cols);
  } catch (const Error&) {
  }
  return 0;
}
