#include "sim/rtl/rtl_core.h"

#include <utility>

#include "base/error.h"
#include "hw/isa/register_map.h"
#include "hw/isa/rtl_package.h"
#include "sim/rtl/fst_file.h"

namespace vantage::sim {

using isa::register_offset;

RtlCore::RtlCore(const isa::Config& config, RtlLibrary library, RtlOptions options)
    : config_hash_(isa::hardware_hash(config)),
      library_(std::move(library)),
      options_(std::move(options)),
      port_(options_.memory, config.bus_width(), options_.back_pressure),
      checker_(config.bus_width()),
      waves_(options_.waves.empty() ? nullptr : std::make_unique<NewFile>(options_.waves)) {
  power_on();
}

void RtlCore::power_on() {
  model_.emplace(library_, config_hash_);
  if (waves_) model_->open_waves(waves_->path());
  reset();
}

void RtlCore::finish_waves() {
  if (!waves_) return;
  model_->close_waves();
  if (!is_whole_fst(waves_->path()))
    fail("{}: the waves were not written whole: is the disk full?", options_.waves.string());
  waves_->commit();
  waves_.reset();
}

void RtlCore::reset() {
  pins_ = {};
  port_.abandon();
  for (int i = 0; i < 4; ++i) clock();
  pins_.rst_n = pins_.m_rst_n = 1;
}

void RtlCore::reset_core(Dram& dram, unsigned cycles) {
  pins_.s_aw_valid = pins_.s_w_valid = pins_.s_ar_valid = 0;
  pins_.rst_n = 0;
  for (unsigned i = 0; i < cycles; ++i) cycle(dram);
  pins_.rst_n = 1;
}

void RtlCore::clock() {
  model_->cycle(pins_);
  checker_.cycle(isa::Cycle(now_), pins_);
}

unsigned RtlCore::cycle(Dram& dram) {
  port_.before(isa::Cycle(now_), dram, pins_);
  clock();
  memory_active_ = port_.after(isa::Cycle(now_), dram, pins_);
  ++now_;
  return pins_.trace;
}

void RtlCore::write(Dram& dram, uint32_t offset, uint32_t value) {
  pins_.s_aw_valid = pins_.s_w_valid = pins_.s_b_ready = 1;
  pins_.s_aw_addr = static_cast<uint16_t>(offset);
  pins_.s_w_data = value;
  do cycle(dram);
  while (!pins_.s_aw_ready);
  pins_.s_aw_valid = pins_.s_w_valid = 0;
  if (offset == register_offset("CONTROL") && (value & isa::kControlStart.mask()) != 0 && port_.idle()) {
    now_ = 0;
    port_.restart();
  } else {
    cycle(dram);  // takes the response
    VANTAGE_CHECK(pins_.s_b_valid);
  }
}

uint32_t RtlCore::read(Dram& dram, uint32_t offset) {
  pins_.s_ar_valid = pins_.s_r_ready = 1;
  pins_.s_ar_addr = static_cast<uint16_t>(offset);
  do cycle(dram);
  while (!pins_.s_ar_ready);
  pins_.s_ar_valid = 0;
  do cycle(dram);
  while (!pins_.s_r_valid);
  return pins_.s_r_data;
}

}  // namespace vantage::sim
