#include "hw/core/dma_transfer.h"

namespace vantage::core {

DmaTransfer DmaTransfer::of(const isa::Transfer& t, const isa::Config& config) {
  if (t.moves_nothing()) return {};
  const auto element = static_cast<uint32_t>(config.element_size(t.memory).count());
  const uint64_t width = t.padded_row();
  DmaTransfer result;
  result.zeros_first = width * t.y_pad_0 + t.x_pad_0;
  result.zeros_between = t.x_pad_0 + t.x_pad_1;
  result.zeros_last = width * t.y_pad_1 + t.x_pad_1;
  const bool adjoining = t.x_stride == t.x_size && t.x_pad_0 == 0 && t.x_pad_1 == 0;
  result.rows.address = t.dram_base * element;
  result.rows.row_bytes = t.x_size * element * (adjoining ? t.y_size : 1);
  result.rows.rows = adjoining ? 1 : t.y_size;
  result.rows.stride = t.x_stride * element;
  return result;
}

}  // namespace vantage::core
