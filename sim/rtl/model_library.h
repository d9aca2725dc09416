// A Verilated core in a shared library (model_abi.h), and an instance of it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "hw/core/activity.h"
#include "sim/rtl/model_abi.h"

namespace vantage::sim {

// A loaded library. It stays loaded until the process ends; copies name the same one.
class RtlLibrary {
 public:
  // Loads `bytes`, which lie in `path` and are what a build here made (model_builder.h): `sha256` is theirs. Throws
  // Error when they are no model of this interface.
  RtlLibrary(std::string_view bytes, const std::string& sha256, std::filesystem::path path);

  const std::filesystem::path& path() const { return path_; }
  // Writes how often each line and branch of the RTL ran in those of its models that are gone, in the format of
  // `verilator_coverage`. Throws Error when the library counts none (ModelBuild::coverage) or `path` cannot be written.
  void write_coverage(const std::filesystem::path& path) const;
  const vantage_rtl_api& api() const { return *api_; }

 private:
  std::filesystem::path path_;
  const vantage_rtl_api* api_ = nullptr;
};

// One core, clocked by hand.
//
// Thread safety: none; different instances may run in different threads.
class RtlModel {
 public:
  // Throws Error when `library` was built for another configuration.
  RtlModel(const RtlLibrary& library, uint64_t config_hash);

  // One clock cycle: the inputs of `pins` hold throughout, its outputs are those before the clock edge.
  void cycle(vantage_rtl_pins& pins) { api_->cycle(model_.get(), &pins); }

  // What the core's memories and its ALU have done since this was made.
  core::Activity activity() const;

  // Records waves from here on. Throws Error when the library has none or `path` cannot be written.
  void open_waves(const std::filesystem::path& path);
  void close_waves() { api_->close_trace(model_.get()); }

 private:
  const vantage_rtl_api* api_ = nullptr;
  std::shared_ptr<void> model_;
};

}  // namespace vantage::sim
