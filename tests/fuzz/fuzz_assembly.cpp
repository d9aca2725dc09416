// Any bytes as assembly text: an Error, or a program that round-trips through its text and its file.
#include "base/error.h"
#include "hw/program/assembly.h"
#include "hw/program/verifier.h"

using namespace vantage;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    const Program program = assemble({reinterpret_cast<const char*>(data), size}, "fuzz");
    VANTAGE_CHECK(assemble(disassemble(program), "again") == program);
    VANTAGE_CHECK(parse_program(serialize(program), "again") == program);
    verify(program, {});
  } catch (const Error&) {
  }
  return 0;
}
