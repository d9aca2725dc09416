#include "driver/boards/board_lock.h"

#include <fcntl.h>

#include <cerrno>

#include "base/error.h"

namespace vantage::boards {

namespace {

const std::filesystem::path kFile = "/run/lock/vantage-board";

}  // namespace

BoardLock::BoardLock(System& system) {
  if (!system.exists(kFile)) {
    if (!system.exists(kFile.parent_path()) && !system.make_folders(kFile.parent_path())) {
      fail("{}: cannot be made: {}", kFile.parent_path().string(), text_of(errno));
    }
    file_.emplace(system, kFile, O_RDONLY | O_CREAT, 0644);
  } else {
    // One that another user made may be opened, but in that folder not be opened as if to make it.
    file_.emplace(system, kFile, O_RDONLY);
  }
  if (system.lock(file_->get()) == 0) return;
  if (errno != EWOULDBLOCK) fail("{}: cannot be locked: {}", kFile.string(), text_of(errno));
  fail("the board is in use by another program of this kind; end that one, or let its server lend the board");
}

}  // namespace vantage::boards
