// Any bytes as a .bit file: an Error, or a file whose words can be turned around and looked through.
#include "base/error.h"
#include "driver/boards/bit_file.h"

using namespace vantage;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    const boards::BitFile file =
        boards::parse_bit_file(std::string_view(reinterpret_cast<const char*>(data), size), "fuzz");
    VANTAGE_CHECK(file.bin().size() == file.configuration.size());
    file.idcode();
    boards::same_part(file.part, "xc7z020clg400-1");
  } catch (const Error&) {
  }
  return 0;
}
