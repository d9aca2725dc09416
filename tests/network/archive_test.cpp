// Compiled models as files: what is read is what was saved, and what was altered is refused.
#include "network/archive.h"

#include "base/file.h"
#include "base/json.h"
#include "base/sha256.h"
#include "base/tar.h"
#include "base/tensor/compare.h"
#include "compiler/backend/cpu/library.h"
#include "compiler/graph/passes/fuse.h"
#include "compiler/graph/text.h"
#include "compiler/network/compile_network.h"
#include "compiler/network/partition.h"
#include "compiler/network/processor_functions.h"
#include "driver/open/open.h"
#include "driver/runtime/executor.h"
#include "network/network_file.h"
#include "tests/catch.h"
#include "tests/compiler/network/random_network.h"
#include "tests/support/damage.h"
#include "tests/support/effort.h"
#include "tests/support/temporary.h"

namespace vantage::test::network_archive_test {

using namespace vantage;
using test::TemporaryFolder;

namespace {

const network::PartitionCost kAlways{.operations_per_second = 1, .bytes_per_second = 1};

struct Case {
  ModelArchive model;
  graph::Graph integers;
  graph::Inputs inputs;
};

Case random_case(std::mt19937_64& random) {
  const isa::Config config = isa::Config::vta_default();
  const graph::Graph floats = test::random_network(random);
  Case made{{}, graph::Graph("f"), test::random_images(floats, random)};
  made.integers =
      graph::quantize(floats, test::statistics_of(floats, made.inputs), test::random_quantize_options(random)).graph;
  network::CompileOptions options;
  options.config = config;
  const graph::Graph parts = graph::fuse_operators(network::partition_for_vta(made.integers, config, kAlways).graph);
  network::CompiledNetwork compiled = network::compile_network(parts, options);
  made.model.network = std::move(compiled.network);
  made.model.graph = to_text(parts);
  made.model.code.push_back(
      cpu::link_library(cpu::compile_object(compiled.functions, cpu::host_target()), cpu::host_target()));
  return made;
}

std::vector<Tensor> run(const ModelArchive& model, const graph::Inputs& inputs) {
  const native::Library library = native::load_library(*model.code_for(native::this_architecture(), "model"), "model");
  std::vector<native::Function> functions;
  for (const std::string& name : model.network.functions) functions.push_back(library.find(name));
  const auto processor = driver::Processor::open("cpu:", 1);
  const auto device = driver::open_accelerator("fsim:", *model.network.config);
  driver::NetworkExecutor executor(std::make_shared<const Network>(model.network), functions, *processor, device.get());
  for (const auto& [name, value] : inputs) executor.set_input(name, value);
  executor.run();
  std::vector<Tensor> outputs;
  for (size_t i = 0; i < model.network.outputs.size(); ++i) outputs.push_back(executor.output(i));
  return outputs;
}

// The file with one of its files changed, and all hashes made right again.
void rewrite(const std::filesystem::path& path, const std::string& name,
             const std::function<std::string(std::string)>& change) {
  auto files = read_tar(read_file(path, Bytes(1 << 28)), "test", Bytes(1 << 28));
  files.at(name) = change(files.at(name));
  Json contents = parse_json(files.at("contents.json"), "test");
  contents.erase("contents_sha256");
  for (Json& file : contents["files"]) file["sha256"] = sha256(files.at(file["name"].get<std::string>()));
  contents["contents_sha256"] = sha256(contents.dump());
  files.at("contents.json") = contents.dump();
  TarWriter writer(path);
  for (const auto& [file, bytes] : files) writer.add(file, {bytes});
  writer.commit();
}

}  // namespace

TEST_CASE("a model that was saved and loaded makes what it made before", "[property]") {
  std::mt19937_64 random(Catch::rngSeed());
  const TemporaryFolder folder;
  const auto path = folder.path() / "m.tar";
  for (int round = 0; round < test::rounds(4); ++round) {
    const Case made = random_case(random);
    INFO(made.model.graph);
    save_model(made.model, path);
    const std::string bytes = read_file(path, Bytes(1 << 28));
    const ModelArchive loaded = load_model(path);
    CHECK(network_to_json(loaded.network) == network_to_json(made.model.network));
    CHECK(loaded.graph == made.model.graph);
    const std::vector<Tensor> expected = graph::evaluate(made.integers, made.inputs), got = run(loaded, made.inputs);
    for (size_t i = 0; i < expected.size(); ++i) {
      CHECK(difference(expected[i], got[i], {0x1p-18, 0x1p-18}).value_or("") == "");
    }
    // The same model is the same file.
    save_model(loaded, path);
    CHECK(read_file(path, Bytes(1 << 28)) == bytes);
  }
}

TEST_CASE("no damaged archive is taken for what was saved", "[property]") {
  std::mt19937_64 random(Catch::rngSeed());
  const Case made = random_case(random);
  const Json network = network_to_json(made.model.network);
  for (int round = 0; round < test::rounds(100); ++round) {
    const TemporaryFolder folder;
    const auto path = folder.path() / "m.tar";
    save_model(made.model, path);
    INFO(test::damage(path, random));
    try {
      // Between files are bytes that mean nothing.
      const ModelArchive loaded = load_model(path);
      CHECK(network_to_json(loaded.network) == network);
      CHECK(loaded.graph == made.model.graph);
      CHECK(loaded.code.at(0).code == made.model.code.at(0).code);
      CHECK(loaded.network.programs == made.model.network.programs);
    } catch (const Error& error) {
      CHECK_THAT(error.what(), ContainsSubstring("m.tar"));
    }
  }
}

TEST_CASE("an archive is refused with what is wrong in it", "[unit]") {
  std::mt19937_64 random(1);
  const Case made = random_case(random);
  const TemporaryFolder folder;
  const auto path = folder.path() / "m.tar";
  const auto refusal = [&](const std::string& name, const std::function<std::string(std::string)>& change) {
    save_model(made.model, path);
    rewrite(path, name, change);
    return ERROR_OF(load_model(path));
  };
  const auto network = [&](const std::function<void(Json&)>& change) {
    return refusal("network.json", [&](const std::string& text) {
      Json json = parse_json(text, "test");
      change(json);
      return json.dump();
    });
  };
  CHECK_THAT(refusal("programs/0.vta", [](const std::string& bytes) { return bytes.substr(1); }),
             ContainsSubstring("m.tar: programs/0.vta"));
  CHECK_THAT(refusal("constants.bin", [](const std::string& bytes) { return bytes.substr(0, 64); }),
             ContainsSubstring("values_at"));
  CHECK_THAT(network([](Json& json) { json["config"]["LOG_BATCH"] = 1; }), ContainsSubstring("is for configuration"));
  CHECK_THAT(network([](Json& json) { json["host_slots"][0] = 0; }), ContainsSubstring("does not fit its slot"));
  CHECK_THAT(network([](Json& json) { json["steps"][0]["operands"][0] = 4000; }),
             ContainsSubstring("given tensor 4000"));
  CHECK_THAT(network([](Json& json) { json["tensors"][0]["dtype"] = "int9000"; }), ContainsSubstring("int9000"));
  CHECK_THAT(network([](Json& json) {
               json["tensors"][0]["shape"] = {1 << 20, 1 << 20, 1 << 20, 1 << 20};
             }),
             ContainsSubstring("network.json: tensors[0]: a tensor of the shape"));
  CHECK_THAT(network([](Json& json) { json["programs"].erase(json["programs"].begin()); }),
             ContainsSubstring("estimates"));
  CHECK_THAT(network([](Json& json) { json["step"] = json["steps"]; }), ContainsSubstring("did you mean 'steps'?"));
  save_model(made.model, path);
  rewrite(path, "graph.txt", [](const std::string& text) { return text; });
  CHECK(load_model(path).graph == made.model.graph);

  write_file(path, "not a tar");
  CHECK_THAT(ERROR_OF(load_model(path)), ContainsSubstring("m.tar: is no tar archive"));
  TarWriter empty(path);
  empty.add("x", {"y"});
  empty.commit();
  CHECK_THAT(ERROR_OF(load_model(path)), ContainsSubstring("is no archive of a model: it has no contents.json"));
}

TEST_CASE("code for another kind of processor is linked here, and refused here", "[unit]") {
  std::mt19937_64 random(2);
  Case made = random_case(random);
  network::CompileOptions options;
  std::vector<native::LibraryImage> other;
  const graph::Graph fused = graph::fuse_operators(made.integers);
  const network::CompiledNetwork compiled = network::compile_network(fused, options);
  for (const char* name : {"armhf", "arm64"}) {
    const cpu::NamedTarget target = cpu::named_target(name);
    other.push_back(cpu::link_library(
        cpu::compile_object(network::schedule_functions(compiled.definitions, target.target, target.threads),
                            target.target),
        target.target));
    CHECK(
        other.back().code.starts_with("\x7f"
                                      "ELF"));
  }
  made.model.network = compiled.network;
  made.model.code = other;
  CHECK_THAT(
      ERROR_OF(made.model.code_for("x86_64", "m.tar")),
      ContainsSubstring("m.tar: has code for armv7-unknown-linux-gnueabihf and aarch64-unknown-linux-gnu, but the "
                        "processor is x86_64; compile it for that one"));
}

}  // namespace vantage::test::network_archive_test
