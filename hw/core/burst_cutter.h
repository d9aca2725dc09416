// Cuts rows of memory into bursts, which do not pass a multiple of isa::timing::kBurstBeats beats.
#pragma once

#include <cstdint>

#include "hw/isa/timing.h"

namespace vantage::core {

struct Burst {
  uint32_t address = 0;  // byte address of the first beat
  unsigned beats = 0;
};

// Rows in memory, all of equal length.
struct Rows {
  uint32_t address = 0;  // of the first row; need not be a beat's
  uint32_t row_bytes = 0;
  uint32_t rows = 0;
  uint32_t stride = 0;  // bytes from row to row
};

class BurstCutter {
 public:
  explicit BurstCutter(unsigned beat_log = 3) : beat_log_(beat_log) {}

  // REQUIRES: rows and bytes are not zero.
  void start(const Rows& rows) {
    rows_ = rows;
    begin_row();
  }

  // The next burst; whether it is its row's last, and the last of all. REQUIRES: it has not been the last.
  Burst burst() const { return {beat_ << beat_log_, beats_}; }
  unsigned beats() const { return beats_; }
  bool ends_row() const { return ends_row_; }
  bool is_last() const { return ends_row_ && rows_.rows == 1; }

  void next() {
    if (!ends_row_) {
      beat_ += beats_;
      cut();
    } else if (--rows_.rows != 0) {
      rows_.address += rows_.stride;
      begin_row();
    }
  }

 private:
  void begin_row() {
    beat_ = rows_.address >> beat_log_;
    last_ = (rows_.address + rows_.row_bytes - 1) >> beat_log_;
    cut();
  }
  void cut() {
    const uint32_t left = last_ - beat_;  // after this beat, of the row and of the window
    const uint32_t window = isa::timing::kBurstBeats - 1 - beat_ % isa::timing::kBurstBeats;
    ends_row_ = left <= window;
    beats_ = (ends_row_ ? left : window) + 1;
  }

  unsigned beat_log_;
  Rows rows_;
  uint32_t beat_ = 0, last_ = 0;  // of the row: the next beat, its last
  uint32_t beats_ = 0;
  bool ends_row_ = false;
};

}  // namespace vantage::core
