// No command writes over what it reads.
#include "base/file.h"
#include "tests/catch.h"
#include "tests/support/cli.h"
#include "tests/support/temporary.h"

namespace vantage::test::cli_inputs_stay_test {

using namespace vantage;

TEST_CASE("a file that a command reads is not what it writes", "[unit]") {
  const TemporaryFolder folder;
  const std::filesystem::path configs = source_dir() / "configs";
  const auto copy = [&](const std::filesystem::path& from, const std::string& name) {
    return folder.file(name, read_file(from, Bytes(1 << 20))).string();
  };
  const std::string config = copy(configs / "accelerators/8x8.json", "c.json");
  const std::string memory = copy(configs / "memory/ddr3.json", "m.json");
  const std::string energy = copy(configs / "energy/45nm.json", "e.json");
  const std::string model = copy(source_dir() / "tests/data/onnx/small.onnx", "s.onnx");
  const std::string text = folder.file("p.s", "finish").string();
  const auto link = (folder.path() / "link").string();
  std::filesystem::create_symlink(memory, link);
  const std::vector<std::string> gemm = {"run", "gemm",     "--m",  "16",       "--k",  "16",       "--n",
                                         "16",  "--config", config, "--memory", memory, "--energy", energy};
  const auto refused = [](std::vector<std::string> words, const std::string& option, const std::string& output) {
    words.insert(words.end(), {option, output});
    check_refused(words, option + " " + output + " would replace the input ");
  };
  for (const char* option : {"--html", "--trace", "--vcd", "--out", "--save-mapping"}) {
    for (const std::string& input : {config, memory, energy, link}) refused(gemm, option, input);
  }
  refused({"compile", model}, "--output", model);
  refused({"run", model, "--size", "batch=1"}, "--html", model);
  check_refused({"run", model, "--output", "shares=" + model}, "--output " + model + " would replace the input");
  refused({"asm", text}, "--output", (folder.path() / "." / "p.s").string());
  refused({"run", "gemm", "--lhs", model}, "--out", model);
  const auto bundle = source_dir() / "tests/data/bundles/gemm_16x64x32";
  check_refused({"run", bundle, "--trace", bundle / "bundle.json"}, "would replace a file of ");
  CHECK(read_file(memory, Bytes(1 << 20)) == read_file(configs / "memory/ddr3.json", Bytes(1 << 20)));
}

}  // namespace vantage::test::cli_inputs_stay_test
