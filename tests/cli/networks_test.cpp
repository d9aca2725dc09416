// Whole networks by command: what they print, and what they refuse.
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <set>

#include "base/json.h"
#include "base/tensor/npy.h"
#include "base/tensor/random.h"
#include "base/tensor/type.h"
#include "tests/catch.h"
#include "tests/support/cli.h"
#include "tests/support/golden.h"
#include "tests/support/temporary.h"

namespace vantage::test::cli_networks_test {

using namespace vantage;
using test::run_cli;

TEST_CASE("run resnet8 --json has every step, and the accelerator's cycles", "[unit]") {
  const auto result = run_cli({"run", "resnet8", "--json"});
  INFO(result.err);
  REQUIRE(result.status == 0);
  const Json json = parse_json(result.out, "resnet8");
  CHECK(json.at("ok") == true);
  CHECK(json.at("accuracy").at("snr_db") > 30);
  uint64_t cycles = 0;
  for (const Json& layer : json.at("layers")) {
    CHECK(layer.at("bytes") > 0);
    if (layer.at("device") != "vta") continue;
    CHECK(layer.at("cycles") >= layer.at("bound"));
    CHECK(layer.at("useful_operations") <= layer.at("padded_operations"));
    cycles += layer.at("cycles").get<uint64_t>();
  }
  CHECK(json.at("accelerator_cycles") == cycles);
  CHECK(cycles < 90'000);
}

TEST_CASE("run lenet tells digits, on every target and with every kind of scales", "[unit]") {
  for (const std::vector<std::string>& more :
       {std::vector<std::string>{}, {"--scales", "multiply-shift", "--per-channel"}, {"--config", "32x32"}}) {
    std::vector<std::string> arguments = {"run", "lenet", "--digits", "100", "--target", "fsim:", "--json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const auto result = run_cli(arguments);
    INFO(result.err);
    REQUIRE(result.status == 0);
    const Json accuracy = parse_json(result.out, "lenet").at("accuracy");
    CHECK(accuracy.at("images") == 100);
    CHECK(accuracy.at("correct") >= 98);
  }
}

TEST_CASE("code for the processor is made once", "[unit]") {
  const test::TemporaryFolder folder;
  ::setenv("VANTAGE_CACHE_DIR", folder.path().c_str(), 1);
  const auto run = [&] {
    const auto result = run_cli({"run", "lenet", "--target", "cpu:", "--json"});
    std::set<std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder.path() / "cpu-code")) {
      files.insert(entry.path().filename());
    }
    return std::pair(result, files);
  };
  const auto [first, made] = run();
  const auto [second, kept] = run();
  ::unsetenv("VANTAGE_CACHE_DIR");
  INFO(first.err << second.err);
  CHECK(first.status == 0);
  CHECK(second.status == 0);
  CHECK(made.size() > 5);
  CHECK(kept == made);
}

TEST_CASE("an ONNX file runs, compiles and is explained like a model in code", "[unit]") {
  const test::TemporaryFolder folder;
  const std::string data = (test::source_dir() / "tests" / "data" / "onnx").string() + "/";
  const std::string file = data + "small.onnx", x = data + "small_image.npy";
  const auto output = [&](int i) { return (folder.path() / fmt::format("y{}.npy", i)).string(); };
  const auto result = run_cli(
      {"run", file, "--size", "batch=1", "--calibration", x, "--input", x, "--output", output(0), "--check", "--json"});
  INFO(result.err);
  REQUIRE(result.status == 0);
  const Json json = parse_json(result.out, "run");
  CHECK(json.at("ok") == true);
  CHECK(json.at("accelerator_cycles") > 0);
  CHECK(json.at("accuracy").at("same_class") == true);
  // What onnxruntime makes of it in floats.
  const Tensor expected = read_npy(data + "small_shares.npy"), got = read_npy(output(0));
  REQUIRE(type_of(got) == type_of(expected));
  for (int64_t e = 0; e < got.size(); ++e) CHECK(std::abs(got.number(e) - expected.number(e)) < 0.02);
  const std::string tar = (folder.path() / "small.tar").string();
  REQUIRE(run_cli({"compile", file, "--size", "batch=1", "--calibration", x, "-o", tar}).status == 0);
  REQUIRE(run_cli({"run", tar, "--input", x, "--output", output(1)}).status == 0);
  CHECK(read_npy(output(1)) == got);
  const auto explained = run_cli({"explain", file, "--shape", "image=1,3,16,16", "--json"});
  INFO(explained.err);
  REQUIRE(explained.status == 0);
  CHECK(parse_json(explained.out, "explain").at("nodes").size() == 4);
}

TEST_CASE("of a batch the first class of each image is compared", "[unit]") {
  const std::string model = (test::source_dir() / "tests" / "data" / "onnx" / "small.onnx").string();
  const auto result = run_cli({"run", model, "--size", "batch=5", "--json"});
  INFO(result.err);
  REQUIRE(result.status == 0);
  const Json accuracy = parse_json(result.out, "run").at("accuracy");
  CHECK(accuracy.at("lists") == 5);
  CHECK(accuracy.at("same_class") == (accuracy.at("lists_of_same_class") == 5));
  const std::string same = fmt::format("the same in {} of 5.", accuracy.at("lists_of_same_class").get<int>());
  std::string said = run_cli({"run", model, "--size", "batch=5"}).out;
  std::replace(said.begin(), said.end(), '\n', ' ');
  CHECK_THAT(said, ContainsSubstring("the first class is " + same));
}

TEST_CASE("where all stays floats there is no value whose scale could be shown", "[unit]") {
  const std::string model = (test::source_dir() / "tests" / "data" / "onnx" / "small.onnx").string();
  std::vector<std::string> run = {"run", model, "--size", "batch=1", "--keep-floats", "100", "--quantization"};
  const auto text = run_cli(run);
  INFO(text.err);
  REQUIRE(text.status == 0);
  CHECK_THAT(text.out, ContainsSubstring("no value is made an integer\n"));
  run.emplace_back("--json");
  CHECK(parse_json(run_cli(run).out, "run").at("quantization") == Json::array());
}

TEST_CASE("a network's floats are compiled for GPUs, of which there need be none", "[unit]") {
  const test::TemporaryFolder folder;
  const auto file = [&](const std::string& name) { return (folder.path() / name).string(); };
  check_refused({"compile", "resnet8", "--architecture", "sm_80", "-o", file("net.tar")},
                "--architecture is for GPUs (--target cuda:); leave it out");
  check_refused(
      {"compile", "resnet8", "--target", "cuda:", "--config", "32x32", "-o", file("net.tar")},
      "--config is for accelerators and their integers (--target vta:), a GPU runs the network's floats; leave it out");
  check_refused({"compile", "lenet", "--target", "cuda:", "--calibration", "digits.npy", "-o", file("net.tar")},
                "--calibration is for accelerators and their integers");
  check_refused({"compile", "lenet", "--target", "cuda:", "--seed", "2", "-o", file("net.tar")},
                "--seed is for random weights and inputs, and lenet has trained ones");
  check_refused({"run", "resnet8", "--target", "cuda:", "--threads", "2"}, "--threads is for --target cpu:");
  check_refused({"run", "resnet8", "--target", "cuda:", "--per-channel"}, "--target cuda: runs the network's floats");
  check_refused({"run", "resnet8", "--target", "cuda:", "--config", "32x32"}, "--target cuda: runs on a GPU");
  check_refused({"run", "resnet8", "--repeat", "2"}, "--repeat is for --target cpu: and cuda:");
  check_refused({"run", "resnet8", "--target", "cuda:999"}, "error: cuda:");
  const std::string model = (test::source_dir() / "tests" / "data" / "onnx" / "small.onnx").string();
  const auto result = run_cli({"compile", model, "--size", "batch=1", "--target", "cuda:", "--architecture",
                               "sm_80,sm_90a", "--processor", "host", "-o", file("net.tar")});
  INFO(result.err);
  if (result.status != 0) {
    CHECK_THAT(result.err, ContainsSubstring("NVRTC, which compiles kernels, is not here"));
    WARN("not compiled for GPUs: " << result.err);
    return;
  }
  std::string said = result.out;
  std::replace(said.begin(), said.end(), '\n', ' ');  // lines end where the paths before them make them end
  CHECK_THAT(said, ContainsSubstring("floats, with code for sm_80 and sm_90a and host: 5 steps"));
  // What it makes on this machine's processor is what the model makes there.
  const auto run = run_cli({"run", file("net.tar"), "--processor", "cpu:", "--random", "1", "--json"});
  INFO(run.err);
  REQUIRE(run.status == 0);
  const Json json = parse_json(run.out, "run");
  for (const Json& layer : json.at("layers")) CHECK(layer.at("device") == "cpu");
}

TEST_CASE("a network's floats run on this machine's processor", "[unit]") {
  const test::TemporaryFolder folder;
  const std::string data = (test::source_dir() / "tests" / "data" / "onnx").string() + "/";
  const std::string y = (folder.path() / "y.npy").string();
  const std::vector<std::string> run = {"run", data + "small.onnx", "--size", "batch=1", "--target", "cpu:"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), run.begin(), run.end());
    return run_cli(more);
  };
  const auto result = with(
      {"--input", data + "small_image.npy", "--output", y, "--threads", "1", "--repeat", "2", "--check", "--json"});
  INFO(result.err);
  REQUIRE(result.status == 0);
  const Json json = parse_json(result.out, "run");
  CHECK(json.at("ok") == true);
  CHECK(json.at("target") == "cpu:");
  CHECK(json.at("threads") == 1);
  CHECK(json.at("host_ms").at("runs") == 2);
  for (const Json& layer : json.at("layers")) CHECK(layer.at("device") == "cpu");
  const Tensor expected = read_npy(data + "small_shares.npy"), got = read_npy(y);
  REQUIRE(type_of(got) == type_of(expected));
  for (int64_t e = 0; e < got.size(); ++e) CHECK(std::abs(got.number(e) - expected.number(e)) < 1e-5);
  CHECK_THAT(with({"--check"}).out, ContainsSubstring("steps make what their operators' plain loops make."));

  const auto refusal = [&](const std::vector<std::string>& more) {
    const auto refused = with(more);
    CHECK(refused.status == 2);
    CHECK(refused.out.empty());
    return refused.err;
  };
  CHECK_THAT(refusal({"--accurate"}), ContainsSubstring("--accurate is for integers"));
  CHECK_THAT(refusal({"--weights-bits", "4"}), ContainsSubstring("--weights-bits is for integers"));
  CHECK_THAT(refusal({"--cycles-at-most", "9"}), ContainsSubstring("--cycles-at-most is for integers"));
  CHECK_THAT(refusal({"--config", "32x32"}), ContainsSubstring("--config is for accelerators"));
  const auto repeated = run_cli({"run", "lenet", "--repeat", "3"});
  CHECK(repeated.status == 2);
  CHECK_THAT(repeated.err, ContainsSubstring("--repeat is for --target cpu:"));
}

TEST_CASE("an ONNX file that is quantized runs by its own scales", "[unit]") {
  const std::string data = (test::source_dir() / "tests" / "data" / "quantized").string() + "/";
  const auto result = run_cli(
      {"run", data + "cnn_qdq_uint8_by_output.onnx", "--target", "fsim:", "--check", "--quantization", "--json"});
  INFO(result.err);
  REQUIRE(result.status == 0);
  const Json json = parse_json(result.out, "run");
  CHECK(json.at("ok") == true);
  CHECK(json.at("states_scales") == true);
  CHECK(json.at("accuracy").at("snr_db") > 20);
  const Json& values = json.at("quantization");
  REQUIRE(values.size() > 5);
  CHECK(values.at(0).at("dtype") == "uint8");
  size_t products = 0;
  for (const Json& value : values) {
    CHECK(value.at("scale") > 0);
    CHECK((value.at("zero_point") >= 0 && value.at("zero_point") <= 255));
    products += value.contains("weight_scale") ? 1 : 0;
  }
  CHECK(products == 4);
  const auto text = run_cli({"run", data + "cnn_qdq_uint8_by_output.onnx", "--target", "fsim:", "--quantization"});
  CHECK_THAT(text.out, ContainsSubstring("The network states its scales itself"));
  CHECK_THAT(text.out, ContainsSubstring("uint8 128"));
  // Attention of activations with zero points.
  const auto explained = run_cli({"explain", data + "block_operators_uint8.onnx"});
  INFO(explained.err);
  REQUIRE(explained.status == 0);
  CHECK_THAT(explained.out, ContainsSubstring("processor: it multiplies activations"));
}

TEST_CASE("weights have as many bits as are asked for, and floats as many cycles", "[unit]") {
  // A few images of noise: what is tried is tried on each.
  const test::TemporaryFolder folder;
  const std::string images = (folder.path() / "images.npy").string();
  std::mt19937_64 random(1);
  Tensor noise(kFloat32, {4, 1, 28, 28});
  fill(noise, random);
  write_npy(images, noise);
  const auto run = [&](std::vector<std::string> more) {
    std::vector<std::string> all = {"run",    "lenet",         "--target", "fsim:", "--accurate", "--quantization",
                                    "--json", "--calibration", images};
    all.insert(all.end(), more.begin(), more.end());
    const auto result = run_cli(all);
    INFO(result.err);
    REQUIRE(result.status == 0);
    return parse_json(result.out, "lenet");
  };
  const Json eight = run({}), four = run({"--weights-bits", "4"});
  CHECK(four.at("accuracy").at("snr_db") < eight.at("accuracy").at("snr_db"));
  REQUIRE(eight.at("weights").size() > 2);
  for (const Json& weights : eight.at("weights")) {
    CHECK(weights.at("int8_db") > weights.at("int4_groups_db"));
    CHECK(weights.at("int4_groups_db").get<double>() > weights.at("int4_db").get<double>() - 0.01);
  }
  // All that the accelerator would have had.
  const Json kept = run({"--cycles-at-most", "1000000000"});
  CHECK(kept.at("kept_floats").size() >= 4);
  CHECK(kept.at("accuracy").at("snr_db") > eight.at("accuracy").at("snr_db"));
  const auto refused =
      run_cli({"run", "lenet", "--target", "fsim:", "--cycles-at-most", "10", "--calibration", images});
  CHECK(refused.status != 0);
  CHECK_THAT(refused.err, ContainsSubstring("in integers alone the network takes"));
}

TEST_CASE("integers are not asked of what is no number", "[unit]") {
  const test::TemporaryFolder folder;
  const std::string data = (test::source_dir() / "tests" / "data" / "onnx").string() + "/";
  Tensor image = read_npy(data + "small_image.npy");
  image.set_number(5, NAN);
  const std::string x = (folder.path() / "x.npy").string();
  write_npy(x, image);
  const std::vector<std::string> run = {"run", data + "small.onnx", "--size", "batch=1", "--input", x};
  test::check_refused(run, "the input image is nan at [0, 0, 0, 5]; integers have no scale for it");
  const std::string archive = (folder.path() / "small.tar").string();
  REQUIRE(run_cli({"compile", data + "small.onnx", "--size", "batch=1", "-o", archive}).status == 0);
  test::check_refused({"run", archive, "--input", x},
                      "the input image is nan at [0, 0, 0, 5]; integers have no scale for it");
  std::vector<std::string> on_floats = run;
  on_floats.insert(on_floats.end(), {"--target", "cpu:"});
  CHECK(run_cli(on_floats).status == 0);
}

TEST_CASE("a network that has nothing for the accelerator says so", "[unit]") {
  const std::string file = (test::source_dir() / "tests" / "fuzz" / "corpus" / "onnx" / "isinf_negative.onnx").string();
  CHECK_THAT(run_cli({"run", file, "--target", "fsim:"}).out,
             ContainsSubstring("Nothing of it runs on the accelerator.\n"));
  CHECK(parse_json(run_cli({"run", file, "--target", "fsim:", "--json"}).out, "run").at("target") == "cpu:");
  test::check_refused({"run", file, "--what-if"}, " runs on an accelerator; leave it out");
}

TEST_CASE("what an ONNX file wants is said", "[unit]") {
  const std::string file = (test::source_dir() / "tests" / "data" / "onnx" / "small.onnx").string();
  test::check_refused({"run", file},
                      "the input image has the size batch at axis 0; give that a value, as --size batch=1");
  test::check_refused({"run", file, "--size", "bach=1"}, "there is no symbol bach; did you mean 'batch'?");
  test::check_refused({"run", file, "--size", "batch"}, "--size batch: expected NAME=VALUE");
  test::check_refused({"run", file, "--size", "batch=no"}, "'no' is no size");
  test::check_refused({"run", file, "--shape", "image=1,3,"}, "'' is no size");
  test::check_refused({"run", file, "--size", "batch=1", "--size", "batch=2"}, "batch is given twice, first as 1");
  test::check_refused({"run", file, "--size", "batch=1", "--shape", "image=1,3,8,8"},
                      "batch is given as 1, but so are the shapes or values of all inputs with that size");
  test::check_refused({"run", file, "--constant", "x=a.npy", "--constant", "x=b.npy"}, "x is given twice");
  test::check_refused({"run", file, "--keep-floats", "nan"}, "'nan' is not a number from 0 to 100");
  test::check_refused({"explain", file, "--size", "batch=1", "--weights", "w"}, "has its own");
  test::check_refused({"explain", "resnet8", "--size", "batch=1"},
                      "the model resnet8 has no size batch, nor any other");
  test::check_refused({"run", "nothing.onnx"}, "nothing.onnx");
  test::check_refused({"run", "onnx", "small.pb"}, "is no ONNX file; its name would end in .onnx");
}

TEST_CASE("explain says what takes which operator", "[golden]") {
  std::string text;
  for (const char* model : {"resnet8", "mobilenet"}) {
    const auto result = run_cli({"explain", model});
    INFO(result.err);
    REQUIRE(result.status == 0);
    text += result.out + "\n";
  }
  const std::string difference = test::compare_golden("explain.txt", text);
  if (!difference.empty()) FAIL(difference);
}

TEST_CASE("a compiled network runs from its file, in another process, as it did in its own", "[unit]") {
  const test::TemporaryFolder folder;
  const std::string tar = (folder.path() / "lenet.tar").string(), x = (folder.path() / "x.npy").string();
  const auto output = [&](int i) { return (folder.path() / fmt::format("y{}.npy", i)).string(); };
  REQUIRE(run_cli({"compile", "lenet", "-o", tar, "--processor", "host,arm64"}).status == 0);
  Tensor image(kFloat32, {1, 1, 28, 28});
  std::mt19937_64 random(1);
  fill(image, random);
  write_npy(x, image);
  const auto here = run_cli({"run", "lenet", "--input", x, "--output", output(0), "--json"});
  INFO(here.err);
  REQUIRE(here.status == 0);
  const auto result = run_cli({"run", tar, "--input", x, "--output", output(1), "--repeat", "2", "--json"});
  INFO(result.err);
  REQUIRE(result.status == 0);
  const Json json = parse_json(result.out, "run");
  CHECK(json.at("ok") == true);
  CHECK(json.at("model") == "lenet");
  CHECK(json.at("accelerator_cycles") == parse_json(here.out, "run").at("accelerator_cycles"));
  CHECK(json.at("host_ms").at("runs") == 2);
  REQUIRE(
      run_cli({"run", "archive", tar, "--input", "image=" + x, "--output", output(2), "--target", "fsim:"}).status ==
      0);
  CHECK(read_npy(output(1)) == read_npy(output(0)));
  CHECK(read_npy(output(2)) == read_npy(output(0)));
  CHECK(run_cli({"run", tar, "--random", "1", "--layers"}).out.find("conv1") != std::string::npos);

  test::check_refused({"run", tar}, "inputs without values: give --input image=FILE.npy (float32[1, 1, 28, 28])");
  test::check_refused({"run", tar, "--input", "picture=" + x}, "--input picture");
  test::check_refused({"run", tar, "--input", x, "--input", x}, "--input names image twice");
  test::check_refused({"run", tar, "--random", "1", "--config", "32x32"}, "is compiled for 1x16_");
  test::check_refused({"run", tar, "--random", "1", "--config", "pynq"}, "its TARGET is \"pynq\", not \"sim\"");
  test::check_refused({"run", (folder.path() / "m.tar").string()}, "m.tar: cannot be read");
  write_npy(x, Tensor(kFloat32, {1, 28, 28, 1}));
  test::check_refused({"run", tar, "--input", x}, "but the input image is float32[1, 1, 28, 28]");
  test::check_refused({"compile", "lenet", "-o", tar, "--processor", "armel"}, "there is no processor 'armel'");
}

TEST_CASE("networks that cannot be had are refused", "[unit]") {
  test::check_refused({"explain", "resnet19"}, "resnet18");
  test::check_refused({"run", "resnet8", "--weights", "/nowhere"},
                      "/nowhere/conv1_weight.npy: the weights conv1.weight are missing; expected "
                      "float32[16, 3, 3, 3]");
  test::check_refused({"run", "lenet", "--digits", "10001"}, "--digits is 10001, there are 10000");
  // What is no number, by its place; and what becomes none, by where.
  const test::TemporaryFolder folder;
  const std::string file = (folder.path() / "images.npy").string();
  Tensor images(kFloat32, {2, 1, 28, 28});
  images.set_number(images.element({1, 0, 2, 3}), NAN);
  write_npy(file, images);
  test::check_refused({"run", "lenet", "--calibration", file},
                      file + " is nan at [1, 0, 2, 3]; integers have no scale for it");
  for (int64_t e = 28 * 28; e < images.size(); ++e) images.set_number(e, 3e38);
  write_npy(file, images);
  test::check_refused({"run", "lenet", "--calibration", file}, "calibrating with inputs 2 of 2: ");
}

}  // namespace vantage::test::cli_networks_test
