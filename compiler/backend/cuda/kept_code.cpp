#include "compiler/backend/cuda/kept_code.h"

#include <utility>

#include "base/error.h"
#include "base/json_object.h"
#include "base/kept_files.h"
#include "compiler/backend/cuda/codegen.h"

namespace vantage::cuda {

namespace fs = std::filesystem;

namespace {

// Another one when files are written another way.
constexpr const char* kKeptFormat = "vantage-gpu-code/3";
constexpr int64_t kMost = INT32_MAX;

std::string key_of(const Nvrtc& nvrtc, const std::string& source, const CompileOptions& options) {
  const std::string version = nvrtc.version();
  const std::vector<std::string> arguments = nvrtc_arguments();
  std::vector<std::string_view> parts = {source, version, options.architecture};
  parts.insert(parts.end(), arguments.begin(), arguments.end());
  for (const EmbeddedFile& header : device_files()) parts.insert(parts.end(), {header.name, header.text});
  return kept_key(parts);
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
      : nvrtc_(std::move(nvrtc)), files_(std::move(folder), kKeptFormat) {}

  std::string version() const override { return nvrtc_->version(); }
  std::vector<std::string> architectures() const override { return nvrtc_->architectures(); }

  GpuCode compile(const std::string& source, const std::string& name, const CompileOptions& options) const override {
    const std::string key = key_of(*nvrtc_, source, options);
    if (const auto known = files_.find(key)) {
      try {
        return parse_kept(*known, key);
      } catch (const Error&) {
        // It is made anew.
      }
    }
    GpuCode code = nvrtc_->compile(source, name, options);
    files_.keep(key, kept_text(code));
    return code;
  }

 private:
  const std::shared_ptr<const Nvrtc> nvrtc_;
  mutable KeptFiles files_;
};

}  // namespace

std::shared_ptr<const Nvrtc> keeping_code(std::shared_ptr<const Nvrtc> nvrtc, fs::path folder) {
  return std::make_shared<KeepingNvrtc>(std::move(nvrtc), std::move(folder));
}

}  // namespace vantage::cuda
