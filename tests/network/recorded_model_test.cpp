// A model that was compiled before, for several kinds of processors: what it makes here is what was recorded. The test
// also runs where there is no compiler, such as on a board.
#include "base/file.h"
#include "base/tensor/compare.h"
#include "base/tensor/npy.h"
#include "base/tensor/random.h"
#include "driver/open/open.h"
#include "driver/runtime/executor.h"
#include "network/archive.h"
#include "tests/catch.h"
#include "tests/support/temporary.h"

namespace vantage::test::network_recorded_model_test {

using namespace vantage;

TEST_CASE("a recorded model makes here what it made elsewhere", "[unit]") {
  const std::filesystem::path data = test::source_dir() / "tests" / "data" / "models";
  // In a folder of its own, since a checkout may be writable by others, who then could have changed its code.
  const test::TemporaryFolder folder;
  const auto path = folder.file("lenet.tar", read_file(data / "lenet.tar", Bytes(1 << 24)));
  const ModelArchive model = load_model(path);
  const auto functions = driver::open_functions("cpu:");
  const native::LibraryImage* const code = model.code_for(functions->architecture(), path.string());
  REQUIRE(code != nullptr);
  functions->load_library(*code, path.string(), model.network.functions);
  const auto device = driver::open_accelerator("fsim:", *model.network.config);
  driver::NetworkExecutor executor(std::make_shared<const Network>(model.network), *functions, device.get());

  std::mt19937_64 random(7);
  Tensor image(kFloat32, {1, 1, 28, 28});
  fill(image, random);
  executor.set_input("image", image);
  executor.run();
  // Only the last step, a softmax, has floats that may be rounded differently.
  CHECK(difference(read_npy(data / "lenet_classes.npy"), executor.output(0), {0x1p-20, 0x1p-20}).value_or("") == "");
}

}  // namespace vantage::test::network_recorded_model_test
