#include "sim/rtl/model_library.h"

#include <dlfcn.h>

#include "base/error.h"

namespace vantage::sim {

RtlModel::RtlModel(const std::filesystem::path& library, uint64_t config_hash) {
  // Loaded for good: a process that makes many machines would spend its time loading and unloading
  void* loaded = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (loaded == nullptr) {
    fail("{}: the model cannot be loaded: {}; remove it to have it built anew", library.string(), dlerror());
  }
  using Entry = const vantage_rtl_api* (*)();
  const auto entry = reinterpret_cast<Entry>(dlsym(loaded, "vantage_rtl"));
  if (entry == nullptr) fail("{}: this is no model of a core; remove it to have it built anew", library.string());
  api_ = entry();
  if (api_->abi != VANTAGE_RTL_ABI || api_->config_hash != config_hash) {
    fail(
        "{}: built for interface {} and configuration {:016x}, expected {} and {:016x}; remove it to have it built "
        "anew",
        library.string(), api_->abi, api_->config_hash, VANTAGE_RTL_ABI, config_hash);
  }
  model_ = {api_->create(), api_->destroy};
}

void RtlModel::open_waves(const std::filesystem::path& path) {
  if (api_->open_trace(model_.get(), path.c_str()) == 0) fail("{}: waves cannot be written there", path.string());
}

}  // namespace vantage::sim
