// A core's registers in this process's addresses: by the UIO device that names their place, and its interrupt, or by
// /dev/mem.
//
// Thread safety: none.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "driver/boards/system.h"

namespace vantage::boards {

class RegisterWindow {
 public:
  // `bytes` from a physical address. Throws Error that says which of both ways failed, and how.
  RegisterWindow(System& system, uint64_t address, Bytes bytes);

  // The file that it goes through: "/dev/uio0", "/dev/mem".
  std::string file() const { return file_->path().string(); }

  // REQUIRES: a multiple of 4 inside the window.
  uint32_t read(uint32_t offset);
  void write(uint32_t offset, uint32_t value);

  bool has_interrupt() const { return is_uio_; }
  // Lets the next interrupt through: the kernel masks each one that it has delivered. Throws Error.
  void enable_interrupt();
  // Waits for one; false when none came within that time. One that came earlier counts. Throws Error.
  bool wait_for_interrupt(std::chrono::milliseconds time);

 private:
  volatile uint32_t* at(uint32_t offset) const;

  System& system_;
  bool is_uio_ = false;
  std::optional<File> file_;
  std::optional<Mapping> mapping_;
};

}  // namespace vantage::boards
