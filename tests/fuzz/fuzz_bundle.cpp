// Any bytes as bundle.json beside small data files: an Error, or a bundle that verifies and replays without harm,
// and whose program, if it has one, survives disassembly.
#include <filesystem>
#include <fstream>

#include "base/error.h"
#include "driver/open/open.h"
#include "driver/runtime/replay.h"
#include "hw/program/assembly.h"
#include "hw/program/recover.h"
#include "tests/support/temporary.h"

using namespace vantage;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const test::TemporaryFolder folder;
  folder.file("bundle.json", std::string_view(reinterpret_cast<const char*>(data), size));
  // One instruction after another is FINISH; the rest is data.
  std::string memory(256, '\0');
  for (size_t i = 0; i < memory.size(); i += 48) memory[i] = 3;
  folder.file("mem_in.bin", memory);
  folder.file("mem_out.bin", memory);
  try {
    const Bundle bundle = load_bundle(folder.path());
    bundle.verify();
    try {
      const Program program = recover_program(bundle).program;
      constexpr size_t kMost = 1000;  // more take long to write
      if (program.uops.size() < kMost) VANTAGE_CHECK(assemble(disassemble(program), "text") == program);
    } catch (const Error&) {
    }
    const auto device = driver::open_accelerator("fsim:", bundle.config);
    driver::RunOptions options;
    options.max_steps = 1000;
    driver::replay(*device, bundle, options);
  } catch (const Error&) {
  }
  return 0;
}
