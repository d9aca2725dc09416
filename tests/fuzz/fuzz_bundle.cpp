// Any bytes as bundle.json beside small data files: an Error, or a bundle that verifies and replays without harm.
#include <filesystem>
#include <fstream>

#include "base/error.h"
#include "driver/open/open.h"
#include "driver/runtime/replay.h"
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
    const auto device = driver::open_accelerator("fsim:", bundle.config);
    driver::RunOptions options;
    options.max_steps = 1000;
    driver::replay(*device, bundle, options);
  } catch (const Error&) {
  }
  return 0;
}
