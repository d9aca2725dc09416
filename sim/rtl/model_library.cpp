#include "sim/rtl/model_library.h"

#include <utility>

#include "base/error.h"
#include "base/shared_library.h"

namespace vantage::sim {

RtlLibrary::RtlLibrary(std::string_view bytes, const std::string& sha256, std::filesystem::path path)
    : path_(std::move(path)) {
  const SharedLibrary loaded = SharedLibrary::load(bytes, sha256, path_.string());
  using Entry = const vantage_rtl_api* (*)();
  const auto entry = reinterpret_cast<Entry>(loaded.symbol("vantage_rtl"));
  if (entry == nullptr) fail("{}: this is no model of a core; remove it to have it built anew", path_.string());
  api_ = entry();
  if (api_->abi != VANTAGE_RTL_ABI) {
    fail("{}: built for interface {}, expected {}; remove it to have it built anew", path_.string(), api_->abi,
         VANTAGE_RTL_ABI);
  }
}

void RtlLibrary::write_coverage(const std::filesystem::path& path) const {
  if (api_->write_coverage(path.c_str()) == 0) fail("{}: coverage cannot be written there", path.string());
}

RtlModel::RtlModel(const RtlLibrary& library, uint64_t config_hash) : api_(&library.api()) {
  if (api_->config_hash != config_hash) {
    fail("{}: built for configuration {:016x}, expected {:016x}; remove it to have it built anew",
         library.path().string(), api_->config_hash, config_hash);
  }
  model_ = {api_->create(), api_->destroy};
}

core::Activity RtlModel::activity() const {
  vantage_rtl_activity counted{};
  api_->activity(model_.get(), &counted);
  return {.uop_reads = counted.uop_reads,
          .uop_writes = counted.uop_writes,
          .inp_reads = counted.inp_reads,
          .inp_writes = counted.inp_writes,
          .wgt_reads = counted.wgt_reads,
          .wgt_writes = counted.wgt_writes,
          .acc_reads = counted.acc_reads,
          .acc_writes = counted.acc_writes,
          .out_reads = counted.out_reads,
          .out_writes = counted.out_writes,
          .alu_mul_steps = counted.alu_mul_steps};
}

void RtlModel::open_waves(const std::filesystem::path& path) {
  if (api_->open_trace(model_.get(), path.c_str()) == 0) fail("{}: waves cannot be written there", path.string());
}

}  // namespace vantage::sim
