// Memory that a server shares with one of its sessions' processes, for bytes on their way to and from a device.
#pragma once

#include <cstddef>
#include <span>

namespace vantage::rpc {

class SharedPiece {
 public:
  SharedPiece();  // new; throws std::system_error
  // What another process made. Throws std::system_error. The file is closed with this.
  explicit SharedPiece(int file);
  SharedPiece(const SharedPiece&) = delete;
  SharedPiece& operator=(const SharedPiece&) = delete;
  ~SharedPiece();

  int file() const { return file_; }
  std::span<std::byte> bytes() const { return bytes_; }  // kPieceBytes of them

 private:
  int file_;
  std::span<std::byte> bytes_;
};

}  // namespace vantage::rpc
