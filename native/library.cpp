#include "native/library.h"

#include <dlfcn.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/sha256.h"
#include "base/suggest.h"

namespace vantage::native {

namespace {

constexpr const char* kFormat = "vantage-library";
constexpr uint64_t kVersion = 1;
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
std::set<std::string> processor_features() {
  std::ifstream cpuinfo("/proc/cpuinfo");
  for (std::string line; std::getline(cpuinfo, line);) {
    if (line.rfind("flags", 0) != 0 && line.rfind("Features", 0) != 0) continue;
    std::istringstream words(line.substr(line.find(':') + 1));
    return {std::istream_iterator<std::string>(words), {}};
  }
  return {};
}

void require_processor(const Manifest& manifest, const std::string& where) {
  if (manifest.triple.rfind(kArchitecture, 0) != 0) {
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

Signature parse_function(const Json& json, const std::string& where) {
  try {
    return nlohmann::json::parse(json.dump()).get<Signature>();
  } catch (const nlohmann::json::exception& error) {
    fail("{}: {}", where, error.what());
  } catch (const Error& error) {
    fail("{}: {}", where, error.what());
  }
}

}  // namespace

std::string to_text(const Manifest& manifest) {
  Json json = {{"format", kFormat},         {"version", kVersion},
               {"triple", manifest.triple}, {"requires", manifest.requires_},
               {"build", manifest.build},   {"sha256", manifest.sha256},
               {"functions", Json::array()}};
  for (const Signature& function : manifest.functions) {
    nlohmann::json text = function;
    json["functions"].push_back(Json::parse(text.dump()));
  }
  return json_text(json) + "\n";
}

Manifest parse_manifest(std::string_view text, const std::string& source) {
  const Json json = parse_json(text, source);
  try {
    if (!json.is_object() || json.value("format", "") != kFormat) fail("{}: is no manifest of a library", source);
    const auto version = json.at("version").get<uint64_t>();
    if (version != kVersion) {
      fail("{}: is of version {}, this program reads version {}; compile the library again", source, version, kVersion);
    }
    Manifest manifest;
    json.at("triple").get_to(manifest.triple);
    json.at("requires").get_to(manifest.requires_);
    json.at("build").get_to(manifest.build);
    json.at("sha256").get_to(manifest.sha256);
    for (size_t i = 0; i < json.at("functions").size(); ++i) {
      manifest.functions.push_back(parse_function(json["functions"][i], fmt::format("{}: functions[{}]", source, i)));
    }
    return manifest;
  } catch (const nlohmann::json::exception& error) {
    fail("{}: {}", source, error.what());
  }
}

const Function& Library::find(std::string_view name) const {
  std::vector<std::string> known;
  for (const Function& function : functions) {
    if (function.signature().name == name) return function;
    known.push_back(function.signature().name);
  }
  fail("the library has no function '{}'{}", name, did_you_mean(name, known));
}

Library load_library(const std::filesystem::path& folder) {
  const std::filesystem::path manifest_path = folder / kManifestFile, path = folder / kLibraryFile;
  Library library;
  library.manifest = parse_manifest(read_file(manifest_path, kLargestManifest), manifest_path.string());
  require_processor(library.manifest, manifest_path.string());
  if (sha256(read_file(path, kLargestLibrary)) != library.manifest.sha256) {
    fail("{}: is not the library that {} was written for; compile it again", path.string(), kManifestFile);
  }
  const auto close = [](void* handle) {
    if (handle != nullptr) dlclose(handle);
  };
  const std::shared_ptr<void> handle(dlopen(std::filesystem::absolute(path).c_str(), RTLD_NOW | RTLD_LOCAL), close);
  if (handle == nullptr) fail("{}: {}", path.string(), dlerror());
  // The system gives out what it has already loaded from a path, whatever lies there now.
  const auto* build = static_cast<const char*>(dlsym(handle.get(), kBuildSymbol));
  if (build == nullptr || library.manifest.build != build) {
    fail("{}: an older library of this path is still loaded; save the new one in a folder of its own", path.string());
  }
  for (const Signature& signature : library.manifest.functions) {
    void* entry = dlsym(handle.get(), entry_symbol(signature.name).c_str());
    if (entry == nullptr) fail("{}: has no function '{}', which the manifest names", path.string(), signature.name);
    library.functions.emplace_back(reinterpret_cast<vantage_entry>(entry), signature, handle);
  }
  return library;
}

}  // namespace vantage::native
