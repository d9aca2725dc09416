#include "driver/rpc/workspace/shared_piece.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "driver/rpc/protocol/quota.h"
#include "driver/rpc/workspace/workspace_host.h"

namespace vantage::rpc {

namespace {

[[noreturn]] void refused(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

int new_file() {
  const int low = ::memfd_create("vantage-piece", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  // Above those that the other process has its files by.
  const int file = low < 0 ? -1 : ::fcntl(low, F_DUPFD_CLOEXEC, kLeastFile);
  ::close(low);
  if (file < 0) refused("memory for a session's transfers");
  // It stays as large as it is: the other process may be bent, and what it cuts off here would be gone.
  if (::ftruncate(file, kPieceBytes) != 0 ||
      ::fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) {
    ::close(file);
    refused("memory for a session's transfers");
  }
  return file;
}

}  // namespace

SharedPiece::SharedPiece() : SharedPiece(new_file()) {}

SharedPiece::SharedPiece(int file) : file_(file) {
  void* const memory = ::mmap(nullptr, kPieceBytes, PROT_READ | PROT_WRITE, MAP_SHARED, file_, 0);
  if (memory == MAP_FAILED) {
    ::close(file_);
    refused("memory for a session's transfers");
  }
  bytes_ = {static_cast<std::byte*>(memory), kPieceBytes};
}

SharedPiece::~SharedPiece() {
  ::munmap(bytes_.data(), bytes_.size());
  ::close(file_);
}

}  // namespace vantage::rpc
