#include "compiler/backend/cuda/kept_code.h"

#include <optional>
#include <utility>

#include "base/cache.h"
#include "base/cache_seal.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json_object.h"
#include "base/replace_file.h"
#include "base/sha256.h"
#include "base/trusted_file.h"
#include "compiler/backend/cuda/codegen.h"

namespace vantage::cuda {

namespace fs = std::filesystem;

namespace {

// Another one when files are written another way.
constexpr std::string_view kKeptFormat = "vantage-gpu-code/2";
constexpr Bytes kLargestKept{1 << 28};
constexpr int64_t kMost = INT32_MAX;

// Every part with its length in front, so that no two lists of parts are one text.
void add_part(Sha256& hash, std::string_view part) {
  hash.update(fmt::format("{}:", part.size()));
  hash.update(part);
}

std::string key_of(const Nvrtc& nvrtc, const std::string& source, const CompileOptions& options) {
  Sha256 hash;
  for (const std::string_view part : {kKeptFormat, std::string_view(source)}) add_part(hash, part);
  add_part(hash, nvrtc.version());
  add_part(hash, options.architecture);
  for (const std::string& argument : nvrtc_arguments(options)) add_part(hash, argument);
  for (const EmbeddedFile& header : device_files()) {
    add_part(hash, header.name);
    add_part(hash, header.text);
  }
  return hash.hex();
}

// A line of JSON, and behind it the PTX and the machine code as they are.
std::string kept_text(const GpuCode& code) {
  Json json = {
      {"ptx", code.ptx.size()}, {"cubin", code.cubin.size()}, {"kernels", Json::array()}, {"losses", code.losses}};
  for (const KernelUse& use : code.kernels) {
    json["kernels"].push_back({{"name", use.name},
                               {"registers", use.registers},
                               {"stack", use.stack_bytes},
                               {"spill_stores", use.spill_store_bytes},
                               {"spill_loads", use.spill_load_bytes},
                               {"shared", use.shared_bytes}});
  }
  return json.dump() + "\n" + code.ptx + code.cubin;
}

GpuCode parse_kept(std::string_view text, const std::string& source) {
  const size_t line = std::min(text.find('\n'), text.size());
  const Json json = parse_json(text.substr(0, line), source);
  const JsonObject object(json, source, {"ptx", "cubin", "kernels", "losses"});
  text.remove_prefix(std::min(line + 1, text.size()));
  const uint64_t ptx = object.natural("ptx", 0, text.size());
  const uint64_t cubin = object.natural("cubin", text.size() - ptx, text.size() - ptx);
  GpuCode code{std::string(text.substr(0, ptx)), std::string(text.substr(ptx, cubin)), {}};
  code.losses = object.strings("losses");
  const std::vector<std::string> keys = {"name", "registers", "stack", "spill_stores", "spill_loads", "shared"};
  object.each_object("kernels", keys, [&](const JsonObject& kernel) {
    const auto number = [&](std::string_view key) { return static_cast<int64_t>(kernel.natural(key, 0, kMost)); };
    code.kernels.push_back({kernel.string("name"), number("registers"), number("stack"), number("spill_stores"),
                            number("spill_loads"), number("shared")});
  });
  return code;
}

class KeepingNvrtc final : public Nvrtc {
 public:
  KeepingNvrtc(std::shared_ptr<const Nvrtc> nvrtc, fs::path folder)
      : nvrtc_(std::move(nvrtc)), folder_(std::move(folder)) {}

  std::string version() const override { return nvrtc_->version(); }
  std::vector<std::string> architectures() const override { return nvrtc_->architectures(); }

  GpuCode compile(const std::string& source, const std::string& name, const CompileOptions& options) const override {
    const std::string key = key_of(*nvrtc_, source, options);
    if (auto known = kept(key)) return std::move(*known);
    GpuCode code = nvrtc_->compile(source, name, options);
    keep(key, code);
    return code;
  }

 private:
  // The key is part of it: code in another's place is another's.
  static std::string sealed(const std::string& key, std::string_view text) {
    return fmt::format("{} {}\n{}", kKeptFormat, key, text);
  }

  std::optional<GpuCode> kept(const std::string& key) const {
    const fs::path file = folder_ / key;
    std::error_code none;
    if (!fs::exists(file, none)) return std::nullopt;
    try {
      const std::string bytes = read_trusted_file(file, kLargestKept);
      const size_t line = std::min(bytes.find('\n'), bytes.size());
      const std::string_view text = std::string_view(bytes).substr(std::min(line + 1, bytes.size()));
      if (!CacheSeal::holds(folder_, sealed(key, text), bytes.substr(0, line))) return std::nullopt;
      return parse_kept(text, file.string());
    } catch (const Error&) {
      return std::nullopt;  // it is made anew
    }
  }

  void keep(const std::string& key, const GpuCode& code) const {
    try {
      make_cache_folder(folder_);
      const std::string text = kept_text(code);
      const fs::path file = folder_ / key;
      FileCalls calls;
      replace_file(calls, file, CacheSeal(folder_).of(sealed(key, text)) + "\n" + text,
                   {.temporary = unused_name_beside(file), .mode = 0600, .exact_mode = true});
    } catch (const Error&) {
      // The next one compiles again.
    }
  }

  const std::shared_ptr<const Nvrtc> nvrtc_;
  const fs::path folder_;
};

}  // namespace

std::shared_ptr<const Nvrtc> keeping_code(std::shared_ptr<const Nvrtc> nvrtc, fs::path folder) {
  return std::make_shared<KeepingNvrtc>(std::move(nvrtc), std::move(folder));
}

}  // namespace vantage::cuda
