#include "network/archive.h"

#include <fmt/ranges.h>

#include <set>

#include "base/error.h"
#include "base/json_object.h"
#include "base/sha256.h"
#include "base/tar.h"
#include "base/trusted_file.h"
#include "native/gpu_program_file.h"
#include "network/gpu_choice.h"
#include "network/network_file.h"

namespace vantage {

namespace {

constexpr std::string_view kFormat = "vantage-model/1";
constexpr const char* kContents = "contents.json";   // what there is, each file with its hash
constexpr const char* kOwnHash = "contents_sha256";  // of its other keys, without blanks
constexpr const char* kNetwork = "network.json";
constexpr const char* kGraph = "graph.txt";
constexpr const char* kConstants = "constants.bin";
constexpr Bytes kLargest{uint64_t{4} << 30};

std::string program_file(size_t number) {
  return fmt::format("programs/{}.vta", number);
}

std::string code_folder(size_t number) {
  return fmt::format("code/{}", number);
}

std::string gpu_folder(size_t number) {
  return fmt::format("gpu/{}", number);
}
constexpr std::string_view kPrograms = "programs.json";

using Files = std::map<std::string, std::string, std::less<>>;

// The files of an archive, each taken once.
class Contents {
 public:
  Contents(std::string_view bytes, std::string source) : source_(std::move(source)) {
    files_ = read_tar(bytes, source_, kLargest);
    const std::string where = fmt::format("{}: {}", source_, kContents);
    if (!files_.contains(kContents)) fail("{}: is no archive of a model: it has no {}", source_, kContents);
    Json json = parse_json(files_.extract(kContents).mapped(), where);
    const JsonObject object(json, where);
    if (const std::string format = object.string("format"); format != kFormat) {
      fail("{}: format \"{}\" is not known here, expected \"{}\"; compile the model again", where, format, kFormat);
    }
    const std::string own = object.string(kOwnHash);
    json.erase(kOwnHash);
    if (sha256(json.dump(-1, ' ', false, Json::error_handler_t::replace)) != own) {
      fail("{}: altered: its {} is not that of its other keys; compile the model again", where, kOwnHash);
    }
    const JsonObject known(json, where, {"format", "files"});
    std::set<std::string> listed;
    known.each_object("files", {"name", "sha256"}, [&](const JsonObject& file) {
      const std::string name = file.string("name");
      const auto found = files_.find(name);
      if (found == files_.end()) fail("{}: {} is missing; compile the model again", source_, name);
      if (sha256(found->second) != file.string("sha256")) {
        fail("{}: {} is not what was saved; compile the model again", source_, name);
      }
      if (!listed.insert(name).second) fail("{}: {} is listed twice; compile the model again", source_, name);
    });
    if (listed.size() != files_.size()) fail("{}: has files that it does not list; compile the model again", source_);
  }

  bool has(std::string_view name) const { return files_.find(name) != files_.end(); }
  std::string take(const std::string& name) {
    const auto found = files_.find(name);
    if (found == files_.end()) fail("{}: {} is missing; compile the model again", source_, name);
    std::string bytes = std::move(found->second);
    files_.erase(found);
    return bytes;
  }

 private:
  std::string source_;
  Files files_;
};

// Writes files and notes their hashes.
class Writer {
 public:
  explicit Writer(const std::filesystem::path& path) : tar_(path) {}

  void add(const std::string& name, const std::vector<std::string_view>& pieces) {
    Sha256 hash;
    for (const std::string_view piece : pieces) hash.update(piece);
    files_.push_back({{"name", name}, {"sha256", hash.hex()}});
    tar_.add(name, pieces);
  }
  void commit() {
    Json json = {{"format", kFormat}, {"files", files_}};
    json[kOwnHash] = sha256(json.dump());
    tar_.add(kContents, {json_text(json) + "\n"});
    tar_.commit();
  }

 private:
  TarWriter tar_;
  Json files_ = Json::array();
};

std::vector<std::string> architectures_of(const std::vector<GpuFunctions>& code) {
  std::vector<std::string> names;
  for (const GpuFunctions& functions : code) names.push_back(functions.front().architecture);
  return names;
}

void add_gpu_code(Writer& writer, const GpuFunctions& functions, const std::string& folder) {
  Json json = {{"architecture", functions.front().architecture},
               {"toolkit", functions.front().toolkit},
               {"programs", Json::array()}};
  for (size_t i = 0; i < functions.size(); ++i) {
    json["programs"].push_back(native::to_json(functions[i]));
    writer.add(fmt::format("{}/{}.cubin", folder, i), {functions[i].cubin});
    writer.add(fmt::format("{}/{}.ptx", folder, i), {functions[i].ptx});
  }
  writer.add(fmt::format("{}/{}", folder, kPrograms), {json_text(json) + "\n"});
}

GpuFunctions take_gpu_code(Contents& contents, const Network& network, const std::string& folder,
                           const std::string& source) {
  const std::string where = fmt::format("{}: {}/{}", source, folder, kPrograms);
  const Json json = parse_json(contents.take(fmt::format("{}/{}", folder, kPrograms)), where);
  const JsonObject object(json, where, {"architecture", "toolkit", "programs"});
  const std::string architecture = object.string("architecture");
  if (!parse_gpu_name(architecture)) object.refuse("architecture", "one of a GPU, such as \"sm_90a\"");
  const Json& programs = object.array("programs");
  if (programs.empty() || programs.size() != network.functions.size()) {
    fail("{}: has {} programs, and the network {} functions; compile the model again", where, programs.size(),
         network.functions.size());
  }
  GpuFunctions functions;
  for (size_t i = 0; i < programs.size(); ++i) {
    const std::string here = fmt::format("{}: programs[{}]", where, i);
    native::GpuProgram& program = functions.emplace_back(native::gpu_program_from_json(programs[i], here));
    if (program.signature.name != network.functions[i]) {
      fail("{}: is {}, and the network's function is {}; compile the model again", here, program.signature.name,
           network.functions[i]);
    }
    program.architecture = architecture;
    program.toolkit = object.string("toolkit");
    program.cubin = contents.take(fmt::format("{}/{}.cubin", folder, i));
    program.ptx = contents.take(fmt::format("{}/{}.ptx", folder, i));
  }
  return functions;
}

}  // namespace

const native::LibraryImage* ModelArchive::code_for(std::string_view architecture, const std::string& source) const {
  if (network.functions.empty()) return nullptr;
  if (code.empty() && !gpu_code.empty()) {
    fail("{}: has code for GPUs alone ({}); run it with --target cuda:, or compile it with --processor host as well",
         source, fmt::join(architectures_of(gpu_code), " and "));
  }
  std::vector<std::string> triples;
  for (const native::LibraryImage& image : code) {
    triples.push_back(native::parse_manifest(image.manifest, source).triple);
    if (native::is_for(triples.back(), architecture)) return &image;
  }
  fail("{}: has code for {}, but the processor is {}; compile it for that one (vantage compile --processor)", source,
       fmt::join(triples, " and "), architecture);
}

const GpuFunctions& ModelArchive::gpu_code_for(std::string_view architecture, const std::string& source) const {
  if (gpu_code.empty()) {
    fail("{}: has no code for GPUs; compile the model with --target cuda: --architecture {}", source, architecture);
  }
  const std::vector<std::string> names = architectures_of(gpu_code);
  if (const auto chosen = choose_gpu_code(names, architecture)) return gpu_code[*chosen];
  fail(
      "{}: has code for {}, and the GPU is {}; compile it for that one (vantage compile --target cuda: "
      "--architecture {})",
      source, fmt::join(names, " and "), architecture, architecture);
}

bool is_model_archive(std::string_view bytes) {
  return is_tar(bytes);
}

void save_model(const ModelArchive& model, const std::filesystem::path& path) {
  Writer writer(path);
  writer.add(kNetwork, {json_text(network_to_json(model.network)) + "\n"});
  writer.add(kGraph, {model.graph});
  for (size_t i = 0; i < model.network.programs.size(); ++i) {
    writer.add(program_file(i), {serialize(model.network.programs[i])});
  }
  for (size_t i = 0; i < model.code.size(); ++i) {
    writer.add(fmt::format("{}/{}", code_folder(i), native::kManifestFile), {model.code[i].manifest});
    writer.add(fmt::format("{}/{}", code_folder(i), native::kLibraryFile), {model.code[i].code});
  }
  for (size_t i = 0; i < model.gpu_code.size(); ++i) add_gpu_code(writer, model.gpu_code[i], gpu_folder(i));
  std::vector<std::string_view> constants;
  each_constant(model.network, [&](std::string_view piece) { constants.push_back(piece); });
  writer.add(kConstants, constants);
  writer.commit();
}

ModelArchive load_model(const std::filesystem::path& path) {
  const std::string source = path.string();
  Contents contents(read_trusted_file(path, kLargest), source);
  ModelArchive model;
  std::vector<Program> programs;
  for (size_t i = 0; contents.has(program_file(i)); ++i) {
    programs.push_back(parse_program(contents.take(program_file(i)), fmt::format("{}: {}", source, program_file(i))));
  }
  const std::string where = fmt::format("{}: {}", source, kNetwork);
  const Json json = parse_json(contents.take(kNetwork), where);
  model.network = network_from_json(json, where, std::move(programs), contents.take(kConstants));
  check_network(model.network, where);
  model.graph = contents.take(kGraph);
  for (size_t i = 0;; ++i) {
    const std::string manifest = fmt::format("{}/{}", code_folder(i), native::kManifestFile);
    if (!contents.has(manifest)) break;
    model.code.push_back(
        {contents.take(manifest), contents.take(fmt::format("{}/{}", code_folder(i), native::kLibraryFile))});
  }
  for (size_t i = 0; contents.has(fmt::format("{}/{}", gpu_folder(i), kPrograms)); ++i) {
    model.gpu_code.push_back(take_gpu_code(contents, model.network, gpu_folder(i), source));
  }
  return model;
}

}  // namespace vantage
