// Any bytes as a program file. The checksum is made right first, or nothing behind it would ever be reached.
#include <zlib.h>

#include <string>

#include "base/error.h"
#include "hw/program/program.h"
#include "hw/program/verifier.h"

using namespace vantage;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string file(reinterpret_cast<const char*>(data), size);
  if (file.size() >= 16) {
    const auto crc = crc32_z(crc32_z(0, nullptr, 0), data + 16, size - 16);
    for (size_t i = 0; i < 4; ++i) file[12 + i] = static_cast<char>(crc >> (8 * i));
  }
  try {
    const Program program = parse_program(file, "fuzz");
    VANTAGE_CHECK(parse_program(serialize(program), "again") == program);
    verify(program, {});
  } catch (const Error&) {
  }
  return 0;
}
