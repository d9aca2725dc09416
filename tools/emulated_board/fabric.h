// What is configured into an emulated FPGA: something that answers accesses to registers, works on the board's memory
// by itself, and has an interrupt line.
//
// Thread safety: none.
#pragma once

#include <cstdint>

namespace vantage::emulated {

class Fabric {
 public:
  virtual ~Fabric() = default;

  // 32-bit accesses at a byte offset from where its registers begin.
  virtual uint32_t read(uint32_t offset) = 0;
  virtual void write(uint32_t offset, uint32_t value) = 0;
  // Time passes: called about once a millisecond of the board's time.
  virtual void tick() = 0;
  virtual bool interrupt() const = 0;
};

}  // namespace vantage::emulated
