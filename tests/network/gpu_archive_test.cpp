// Code for GPUs in archives of models: which of it a GPU is given, and what is refused.
#include <algorithm>

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/sha256.h"
#include "base/tar.h"
#include "native/gpu_program_file.h"
#include "network/archive.h"
#include "network/gpu_choice.h"
#include "tests/catch.h"
#include "tests/support/damage.h"
#include "tests/support/effort.h"
#include "tests/support/temporary.h"

namespace vantage::test::network_gpu_archive_test {

using namespace vantage;
using test::TemporaryFolder;

namespace {

using Kind = native::GpuArgument::Kind;

native::Parameter parameter(const std::string& name, bool is_written) {
  native::Parameter p;
  p.name = name;
  p.dtype = dl_dtype(kFloat32);
  p.is_tensor = true;
  p.is_written = is_written;
  p.shape = {"64"};
  p.strides = {"1"};
  p.alignment = 16;
  return p;
}

// All that a program can have.
native::GpuProgram program_for(const std::string& architecture) {
  native::GpuProgram program;
  program.signature = {"relu", {parameter("x", false), parameter("y", true)}};
  program.is_read = {true, false};
  program.architecture = architecture;
  program.toolkit = "13.0";
  program.cubin = std::string(
                      "\x7f"
                      "ELF\0",
                      5) +
                  architecture;
  program.ptx = "// ptx for " + architecture;
  program.kernels = {{"relu_0", 1024, false}, {"relu_1", 100000, true}};
  program.temporaries = {256};
  program.tensor_maps = {{{Kind::kTemporary, 0}, dl_dtype(kFloat16), {8, 16}, {32, 2}, {8, 16}}};
  program.launches = {{0, {4, 1, 1}, {16, 1, 1}, {{Kind::kParameter, 0}, {Kind::kTemporary, 0}}},
                      {1, {1, 1, 1}, {64, 1, 1}, {{Kind::kParameter, 1}, {Kind::kTensorMap, 0}, {Kind::kScalar, 7}}}};
  return program;
}

ModelArchive model_for(const std::vector<std::string>& architectures) {
  ModelArchive model;
  model.network.name = "net";
  model.network.functions = {"relu"};
  const TensorType type{kFloat32, {64}};
  model.network.tensors = {{"x", type, Place::kHost, {}, 256, 0, nullptr},
                           {"y", type, Place::kHost, {}, 256, 1, nullptr}};
  model.network.steps = {{NetworkStep::Kind::kFunction, "relu", 0, {0, 1}}};
  model.network.inputs = {0};
  model.network.outputs = {1};
  model.network.host_slots = {256, 256};
  model.graph = "graph";
  for (const std::string& name : architectures) model.gpu_code.push_back({program_for(name)});
  return model;
}

// The file with some of its files changed, and all hashes made right again.
void rewrite(const std::filesystem::path& path,
             const std::function<void(std::map<std::string, std::string, std::less<>>&)>& change) {
  auto files = read_tar(read_file(path, Bytes(1 << 24)), "test", Bytes(1 << 24));
  change(files);
  Json contents = parse_json(files.at("contents.json"), "test");
  contents.erase("contents_sha256");
  Json listed = Json::array();
  for (const Json& file : contents["files"]) {
    const auto bytes = files.find(file["name"].get<std::string>());
    if (bytes != files.end()) listed.push_back({{"name", bytes->first}, {"sha256", sha256(bytes->second)}});
  }
  contents["files"] = listed;
  contents["contents_sha256"] = sha256(contents.dump());
  files.at("contents.json") = contents.dump();
  TarWriter writer(path);
  for (const auto& [file, bytes] : files) writer.add(file, {bytes});
  writer.commit();
}

}  // namespace

TEST_CASE("programs for GPUs are read as they were written", "[unit]") {
  const TemporaryFolder folder;
  const auto path = folder.path() / "m.tar";
  const ModelArchive model = model_for({"sm_80", "sm_90a"});
  save_model(model, path);
  const ModelArchive loaded = load_model(path);
  REQUIRE(loaded.gpu_code.size() == 2);
  for (size_t i = 0; i < 2; ++i) {
    const native::GpuProgram &was = model.gpu_code[i][0], &is = loaded.gpu_code[i].at(0);
    CHECK(native::to_json(is) == native::to_json(was));
    CHECK(is.architecture == was.architecture);
    CHECK(is.toolkit == was.toolkit);
    CHECK(is.cubin == was.cubin);
    CHECK(is.ptx == was.ptx);
    CHECK(is.launches[1].arguments == was.launches[1].arguments);
    CHECK(is.kernels[1].is_given);
    CHECK(is.tensor_maps[0].strides == was.tensor_maps[0].strides);
  }
}

TEST_CASE("no damaged code for GPUs is taken for what was saved", "[property]") {
  std::mt19937_64 random(Catch::rngSeed());
  const ModelArchive model = model_for({"sm_80"});
  for (int round = 0; round < test::rounds(100); ++round) {
    const TemporaryFolder folder;
    const auto path = folder.path() / "m.tar";
    save_model(model, path);
    INFO(test::damage(path, random));
    try {
      const ModelArchive loaded = load_model(path);
      CHECK(native::to_json(loaded.gpu_code.at(0).at(0)) == native::to_json(model.gpu_code[0][0]));
      CHECK(loaded.gpu_code[0][0].cubin == model.gpu_code[0][0].cubin);
    } catch (const Error& error) {
      CHECK_THAT(error.what(), ContainsSubstring("m.tar"));
    }
  }
}

TEST_CASE("a GPU is given the code that it runs best", "[unit]") {
  const auto chosen = [](const std::vector<std::string>& names, const std::string& gpu) {
    const auto number = choose_gpu_code(names, gpu);
    return number ? names[*number] : "none";
  };
  const std::vector<std::string> all = {"sm_75", "sm_80", "sm_86", "sm_90", "sm_90a", "sm_100", "sm_100a"};
  CHECK(chosen(all, "sm_90") == "sm_90a");
  CHECK(chosen(all, "sm_86") == "sm_86");
  CHECK(chosen(all, "sm_89") == "sm_86");    // machine code of its generation
  CHECK(chosen(all, "sm_120") == "sm_100");  // from its PTX
  CHECK(chosen(all, "sm_70") == "none");
  CHECK(chosen({"sm_90a"}, "sm_100") == "none");
  CHECK(chosen({}, "sm_90") == "none");
  CHECK(chosen({"", "sm_", "sm_9x9", "sm_90-"}, "sm_90") == "none");
  const ModelArchive model = model_for({"sm_90a", "sm_100"});
  CHECK(model.gpu_code_for("sm_90", "m.tar")[0].architecture == "sm_90a");
  CHECK(ERROR_OF(model.gpu_code_for("sm_80", "m.tar")) ==
        "m.tar: has code for sm_90a and sm_100, and the GPU is sm_80; compile it for that one (vantage compile "
        "--target cuda: --architecture sm_80)");
  CHECK(ERROR_OF(model_for({}).gpu_code_for("sm_80", "m.tar")) ==
        "m.tar: has no code for GPUs; compile the model with --target cuda: --architecture sm_80");
}

TEST_CASE("code for GPUs is refused with what is wrong in it", "[unit]") {
  const TemporaryFolder folder;
  const auto path = folder.path() / "m.tar";
  const auto refusal = [&](const std::function<void(Json&)>& change) {
    save_model(model_for({"sm_80"}), path);
    rewrite(path, [&](auto& files) {
      Json json = parse_json(files.at("gpu/0/programs.json"), "test");
      change(json);
      files.at("gpu/0/programs.json") = json.dump();
    });
    return ERROR_OF(load_model(path));
  };
  const auto program = [&](const std::function<void(Json&)>& change) {
    return refusal([&](Json& json) { change(json["programs"][0]); });
  };
  CHECK_THAT(refusal([](Json& json) { json["architecture"] = "ampere"; }), ContainsSubstring("such as \"sm_90a\""));
  CHECK_THAT(refusal([](Json& json) { json["programs"].clear(); }),
             ContainsSubstring("has 0 programs, and the network 1 functions"));
  CHECK_THAT(program([](Json& p) { p["function"]["name"] = "other"; }),
             ContainsSubstring("is other, and the network's function is relu"));
  CHECK_THAT(program([](Json& p) { p["is_read"] = Json::array({true}); }),
             ContainsSubstring("says of 1 parameters whether they are read, and has 2"));
  CHECK_THAT(program([](Json& p) { p["is_read"] = Json::array({1, 0}); }), ContainsSubstring("true and false"));
  CHECK_THAT(program([](Json& p) { p["function"]["parameters"][0]["shape"][0] = "n"; }),
             ContainsSubstring("sizes of the parameter x are no numbers"));
  CHECK_THAT(program([](Json& p) { p["function"]["parameters"][0]["strides"].push_back("1"); }),
             ContainsSubstring("the parameter x has 2 strides for 1 dimensions"));
  CHECK_THAT(program([](Json& p) { p["kernels"][0]["name"] = "a b"; }), ContainsSubstring("'a b' is no kernel's name"));
  CHECK_THAT(program([](Json& p) { p["kernels"][0]["shared_bytes"] = 1 << 30; }),
             ContainsSubstring("bytes of shared memory, which no GPU has"));
  CHECK_THAT(program([](Json& p) { p["launches"][0]["kernel"] = 2; }),
             ContainsSubstring("the kernel 2 is launched, and there are 2"));
  CHECK_THAT(program([](Json& p) { p["launches"][0]["grid"][1] = 65536; }),
             ContainsSubstring("a grid is 65536 blocks along y, expected 1 to 65535"));
  CHECK_THAT(program([](Json& p) { p["launches"][0]["grid"].push_back(1); }), ContainsSubstring("three numbers"));
  CHECK_THAT(program([](Json& p) { p["launches"][0]["block"][0] = 0; }),
             ContainsSubstring("a block is 0 threads along x, expected 1 to 1024"));
  CHECK_THAT(program([](Json& p) {
               p["launches"][0]["block"] = {512, 4, 1};
             }),
             ContainsSubstring("a block has 2048 threads, expected at most 1024"));
  CHECK_THAT(program([](Json& p) {
               p["launches"][0]["arguments"][0] = {{"parameter", 2}};
             }),
             ContainsSubstring("the parameter 2 is used, and there are 2"));
  CHECK_THAT(program([](Json& p) {
               p["launches"][0]["arguments"][0] = {{"pointer", 2}};
             }),
             ContainsSubstring("launches[0]: arguments[0]: expected one key"));
  CHECK_THAT(program([](Json& p) {
               p["launches"][1]["arguments"][1] = {{"tensor_map", 1}};
             }),
             ContainsSubstring("the tensor_map 1 is used, and there are 1"));
  CHECK_THAT(program([](Json& p) { p["temporaries"][0] = -1; }), ContainsSubstring("whole numbers up to"));
  CHECK_THAT(program([](Json& p) {
               p["tensor_maps"][0]["tensor"] = {{"scalar", 0}};
             }),
             ContainsSubstring("of a parameter or of temporary memory"));
  CHECK_THAT(program([](Json& p) {
               p["tensor_maps"][0]["box"] = {8, 512};
             }),
             ContainsSubstring("a box is 512 elements wide, expected 1 to 256"));
  CHECK_THAT(program([](Json& p) { p["tensor_maps"][0]["strides"] = {2}; }), ContainsSubstring("as many each"));
  CHECK_THAT(program([](Json& p) { p["tensor_maps"][0]["dtype"] = "float17"; }), ContainsSubstring("float17"));
  CHECK_THAT(program([](Json& p) { p["tensor_maps"][0]["dtype"] = "float64"; }),
             ContainsSubstring("a tensor map is of float64, expected elements of 1, 2 or 4 bytes"));
  CHECK_THAT(program([](Json& p) {
               p["tensor_maps"][0]["strides"] = {32, 4};
             }),
             ContainsSubstring("are 4 bytes apart, expected 2 in the last dimension"));
  CHECK_THAT(program([](Json& p) {
               p["tensor_maps"][0]["strides"] = {24, 2};
             }),
             ContainsSubstring("are 24 bytes apart, expected a multiple of 16"));
  CHECK_THAT(program([](Json& p) {
               p["tensor_maps"][0]["shape"] = {0, 16};
             }),
             ContainsSubstring("a tensor map is 0 elements long"));
  CHECK_THAT(program([](Json& p) { p["launch"] = p["launches"]; }), ContainsSubstring("did you mean 'launches'?"));
  save_model(model_for({"sm_80"}), path);
  rewrite(path, [](auto& files) { files.erase("gpu/0/0.ptx"); });
  CHECK_THAT(ERROR_OF(load_model(path)), ContainsSubstring("gpu/0/0.ptx is missing"));
}

}  // namespace vantage::test::network_gpu_archive_test
