// A board's FPGA has one user at a time on the board, whether it runs programs or flashes.
//
// Thread safety: none needed; a second lock of the same process is refused like another program's.
#pragma once

#include <optional>

#include "driver/boards/system.h"

namespace vantage::boards {

// Held by this object; the system lets go of it when the process ends, however that is. It is a file in a folder that
// only root, or the user who has the board, may write: what lies where anyone may write, anyone can hold.
class BoardLock {
 public:
  // Throws Error when another program holds it, and when the folder or the file may be another user's.
  explicit BoardLock(System& system);

 private:
  std::optional<File> file_;
};

}  // namespace vantage::boards
