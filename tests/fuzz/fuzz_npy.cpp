// Any bytes as a .npy file.
#include "base/error.h"
#include "cli/npy.h"

using namespace vantage;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  for (cli::NpyType type : {cli::NpyType::kInt8, cli::NpyType::kInt32}) {
    try {
      const auto matrix = cli::parse_npy({reinterpret_cast<const char*>(data), size}, type, "fuzz");
      VANTAGE_CHECK(matrix.values.size() == matrix.rows * matrix.cols);
    } catch (const Error&) {
    }
  }
  return 0;
}
