#include "driver/boards/board_lock.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "base/error.h"

namespace vantage::boards {

namespace {

const std::filesystem::path kLockFolder = "/run/vantage";
const std::filesystem::path kLockFile = kLockFolder / "board.lock";

// Takes `forbidden` away from the mode of what is this user's own, and throws Error for what another user may have put
// there.
void make_own(System& system, const File& file, mode_t type, const char* what, mode_t forbidden) {
  struct stat status {};
  if (system.status(file.get(), status) != 0) fail("{}: {}", file.path().string(), text_of(errno));
  if ((status.st_mode & S_IFMT) != type || (status.st_uid != 0 && status.st_uid != ::geteuid())) {
    fail("{}: belongs to user {}, or is no {}; the board's lock must be root's or this user's: as root, remove it",
         file.path().string(), status.st_uid, what);
  }
  if ((status.st_mode & forbidden) == 0) return;
  const mode_t mode = status.st_mode & 07777 & ~forbidden;
  if (status.st_uid != ::geteuid() || system.change_mode(file.get(), mode) != 0) {
    fail("{}: others may use it, so that anyone could hold the board; as root: chmod {:o} {}", file.path().string(),
         mode, file.path().string());
  }
}

}  // namespace

BoardLock::BoardLock(System& system) {
  if (!system.exists(kLockFolder) && !system.make_folders(kLockFolder)) {
    fail("{}: cannot be made: {}; run this as root once", kLockFolder.string(), text_of(errno));
  }
  const File folder(system, kLockFolder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  make_own(system, folder, S_IFDIR, "folder", S_IWGRP | S_IWOTH);
  // A pipe in its place is not waited for. Who may read it may hold it.
  file_.emplace(system, kLockFile, O_RDONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0600);
  make_own(system, *file_, S_IFREG, "plain file", S_IRWXO);
  if (system.lock(file_->get()) == 0) return;
  if (errno != EWOULDBLOCK) fail("{}: cannot be locked: {}", kLockFile.string(), text_of(errno));
  fail("the board is in use by another program of this kind; end that one, or let its server lend the board");
}

}  // namespace vantage::boards
