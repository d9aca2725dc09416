// A Verilated core in a shared library (model_abi.h), and an instance of it.
#pragma once

#include <filesystem>
#include <memory>

#include "sim/rtl/model_abi.h"

namespace vantage::sim {

// One core, clocked by hand. The library stays loaded until the process ends.
//
// Thread safety: none; different instances may run in different threads.
class RtlModel {
 public:
  // Throws Error when `library` cannot be loaded, or was built for another interface or configuration.
  RtlModel(const std::filesystem::path& library, uint64_t config_hash);

  // One clock cycle: the inputs of `pins` hold throughout, its outputs are those before the clock edge.
  void cycle(vantage_rtl_pins& pins) { api_->cycle(model_.get(), &pins); }

  // Records waves from here on. Throws Error when the library has none or `path` cannot be written.
  void open_waves(const std::filesystem::path& path);
  void close_waves() { api_->close_trace(model_.get()); }

 private:
  const vantage_rtl_api* api_ = nullptr;
  std::shared_ptr<void> model_;
};

}  // namespace vantage::sim
