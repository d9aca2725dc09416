#include "native/library.h"

#include <fmt/ranges.h>

#if defined(__arm__) || defined(__aarch64__)
#include <asm/hwcap.h>
#include <sys/auxv.h>
#endif

#include <fstream>
#include <set>
#include <sstream>

#include "base/error.h"
#include "base/json_object.h"
#include "base/sha256.h"
#include "base/shared_library.h"
#include "base/suggest.h"
#include "base/trusted_file.h"

namespace vantage::native {

namespace {

constexpr const char* kFormat = "vantage-library";
constexpr uint64_t kVersion = 2;
constexpr const char* kOwnHash = "manifest_sha256";  // of all the other keys, without blanks
constexpr Bytes kLargestManifest{uint64_t{16} << 20};
constexpr Bytes kLargestLibrary{uint64_t{1} << 30};

#if defined(__x86_64__)
constexpr std::string_view kArchitecture = "x86_64";
#elif defined(__aarch64__)
constexpr std::string_view kArchitecture = "aarch64";
#elif defined(__arm__)
constexpr std::string_view kArchitecture = "arm";
#else
constexpr std::string_view kArchitecture = "unknown";
#endif

// What this machine's processors have; empty when nobody says.
#if defined(__arm__) || defined(__aarch64__)
// By the kernel, which an emulator stands for as well: its /proc/cpuinfo may be the machine's around it.
std::set<std::string> processor_features() {
  struct Feature {
    const char* name;
    unsigned long kind, bit;
  };
  static constexpr Feature kFeatures[] = {
#if defined(__arm__)
    {"neon", AT_HWCAP, HWCAP_NEON},
    {"vfpv4", AT_HWCAP, HWCAP_VFPv4},
#else
    {"asimddp", AT_HWCAP, HWCAP_ASIMDDP},
    {"asimdhp", AT_HWCAP, HWCAP_ASIMDHP},
    {"atomics", AT_HWCAP, HWCAP_ATOMICS},
    {"sve", AT_HWCAP, HWCAP_SVE},
    {"i8mm", AT_HWCAP2, HWCAP2_I8MM},
    {"bf16", AT_HWCAP2, HWCAP2_BF16},
    {"sve2", AT_HWCAP2, HWCAP2_SVE2},
#endif
  };
  std::set<std::string> present = {"hwcap"};
  for (const Feature& feature : kFeatures) {
    if ((::getauxval(feature.kind) & feature.bit) != 0) present.insert(feature.name);
  }
  return present;
}
#else
std::set<std::string> processor_features() {
  std::ifstream cpuinfo("/proc/cpuinfo");
  for (std::string line; std::getline(cpuinfo, line);) {
    if (line.rfind("flags", 0) != 0) continue;
    std::istringstream words(line.substr(line.find(':') + 1));
    return {std::istream_iterator<std::string>(words), {}};
  }
  return {};
}
#endif

void require_processor(const Manifest& manifest, const std::string& where) {
  if (!is_for(manifest.triple, kArchitecture)) {
    fail("{}: the library is for {}, this process runs on {}; compile it for this machine", where, manifest.triple,
         kArchitecture);
  }
  const std::set<std::string> present = processor_features();
  std::vector<std::string> missing;
  for (const std::string& feature : manifest.requires_) {
    if (!present.empty() && present.count(feature) == 0) missing.push_back(feature);
  }
  if (!missing.empty()) {
    fail("{}: the library needs a processor with {}; compile it for this machine", where, fmt::join(missing, ", "));
  }
}

// What the library calls, in the order of its manifest.
std::vector<const External*> require_externals(const Manifest& manifest, const Externals& externals,
                                               const std::string& where) {
  std::vector<const External*> found;
  std::vector<std::string> missing;
  for (const Manifest::Call& call : manifest.externals) {
    const External* external = externals.find(call.name);
    if (external == nullptr) {
      missing.push_back(fmt::format("{}, {}{}", call.name, call.type, did_you_mean(call.name, externals.names())));
    } else if (describe(*external) != call.type) {
      fail("{}: the library calls {} as {}, but it is {}; give the one that it was compiled with", where, call.name,
           call.type, describe(*external));
    }
    found.push_back(external);
  }
  if (!missing.empty()) {
    fail("{}: the library calls functions that are not given: {}; pass them to load_library as Externals", where,
         fmt::join(missing, "; "));
  }
  return found;
}

}  // namespace

std::string to_text(const Manifest& manifest) {
  Json json = {{"format", kFormat},         {"version", kVersion},
               {"triple", manifest.triple}, {"requires", manifest.requires_},
               {"sha256", manifest.sha256}, {"functions", Json::array()}};
  for (const Signature& function : manifest.functions) json["functions"].push_back(to_json(function));
  // Most have none, and are for readers that know of none, too.
  for (const Manifest::Call& call : manifest.externals) {
    json["externals"].push_back({{"name", call.name}, {"type", call.type}});
  }
  json[kOwnHash] = sha256(json.dump());
  return json_text(json) + "\n";
}

Manifest parse_manifest(std::string_view text, const std::string& source) {
  Json json = parse_json(text, source);
  if (!json.is_object() || json.value("format", Json()) != kFormat) fail("{}: is no manifest of a library", source);
  const JsonObject object(json, source);
  const uint64_t version = object.natural("version", 0, UINT64_MAX);
  if (version != kVersion) {
    fail("{}: is of version {}, this program reads version {}; compile the library again", source, version, kVersion);
  }
  const std::string own_hash = object.string(kOwnHash);
  json.erase(kOwnHash);
  if (sha256(json.dump(-1, ' ', false, Json::error_handler_t::replace)) != own_hash) {
    fail("{}: damaged: its {} is not that of its other keys; compile the library again", source, kOwnHash);
  }
  const JsonObject known(json, source,
                         {"format", "version", "triple", "requires", "build", "sha256", "functions", "externals"});
  Manifest manifest;
  manifest.triple = object.string("triple");
  manifest.requires_ = object.strings("requires");
  manifest.sha256 = object.string("sha256");
  object.each_object("functions", {"name", "parameters"},
                     [&](const JsonObject& function) { manifest.functions.push_back(signature_from_json(function)); });
  if (object.has("externals")) {
    object.each_object("externals", {"name", "type"}, [&](const JsonObject& call) {
      manifest.externals.push_back({call.string("name"), call.string("type")});
    });
  }
  return manifest;
}

const Function& Library::find(std::string_view name) const {
  std::vector<std::string> known;
  for (const Function& function : functions) {
    if (function.signature().name == name) return function;
    known.push_back(function.signature().name);
  }
  fail("the library has no function '{}'{}", name, did_you_mean(name, known));
}

std::string_view this_architecture() {
  return kArchitecture;
}

bool is_for(std::string_view triple, std::string_view architecture) {
  const std::string_view kind = triple.substr(0, triple.find('-'));
  // ARM's 32-bit processors have a version in their name, "armv7"; others have a second one.
  return kind == architecture || (architecture == "arm" && kind.starts_with("armv")) ||
         (architecture == "aarch64" && kind == "arm64") || (architecture == "x86_64" && kind == "amd64");
}

Library load_library(const std::filesystem::path& folder, const Externals& externals) {
  const std::filesystem::path manifest = folder / kManifestFile, code = folder / kLibraryFile;
  // A manifest that is wrong is told of before a library is missed.
  LibraryImage image{read_trusted_file(manifest, kLargestManifest), {}};
  require_processor(parse_manifest(image.manifest, manifest.string()), manifest.string());
  image.code = read_trusted_file(code, kLargestLibrary);
  return load_library(image, folder.string(), externals);
}

Library load_library(const LibraryImage& image, const std::string& source, const Externals& externals) {
  const std::string where = fmt::format("{}/{}", source, kManifestFile);
  const std::string path = fmt::format("{}/{}", source, kLibraryFile);
  Library library;
  library.manifest = parse_manifest(image.manifest, where);
  require_processor(library.manifest, where);
  const auto called = require_externals(library.manifest, externals, where);
  if (sha256(image.code) != library.manifest.sha256) {
    fail("{}: is not the library that {} was written for; compile it again", path, kManifestFile);
  }
  const SharedLibrary loaded = SharedLibrary::load(image.code, library.manifest.sha256, path);
  for (const External* external : called) {
    void* const variable = loaded.symbol(extern_symbol(external->name));
    if (variable == nullptr) fail("{}: calls no function '{}', which the manifest names", path, external->name);
    set_extern(variable, *external);
  }
  for (const Signature& signature : library.manifest.functions) {
    void* entry = loaded.symbol(entry_symbol(signature.name));
    if (entry == nullptr) fail("{}: has no function '{}', which the manifest names", path, signature.name);
    library.functions.emplace_back(reinterpret_cast<vantage_entry>(entry), signature, nullptr);
  }
  return library;
}

}  // namespace vantage::native
