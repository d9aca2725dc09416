// A board's FPGA has one user at a time on the board, whether it runs programs or flashes.
//
// Thread safety: none needed; a second lock of the same process is refused like another program's.
#pragma once

#include <optional>

#include "driver/boards/system.h"

namespace vantage::boards {

// Held by this object; the system lets go of it when the process ends, however that is.
class BoardLock {
 public:
  // Throws Error when another program holds it.
  explicit BoardLock(System& system);

 private:
  std::optional<File> file_;
};

}  // namespace vantage::boards
