// A fabric at the end of a Unix socket, access by access: what the patched QEMU of an emulated board (virtual_zynq/)
// and the tests' boards speak.
//
// Little-endian. A request is 12 bytes: u8 'R', 'W' or 'P', u8 size of the access in bytes, u16 0, u32 physical
// address, u32 data; the answer 8: u32 data, u32 level of the interrupt. 'P' comes about once a millisecond of the
// board's time.
#pragma once

#include <cstdint>
#include <filesystem>
#include <stop_token>

#include "tools/emulated_board/fabric.h"

namespace vantage::emulated {

class FabricServer {
 public:
  // Listens at a socket of this name. Throws Error.
  explicit FabricServer(std::filesystem::path socket);
  FabricServer(const FabricServer&) = delete;
  FabricServer& operator=(const FabricServer&) = delete;
  ~FabricServer();  // removes it

  // Serves one client, until it goes or `stop` is requested: the fabric's registers begin at `address`; elsewhere reads
  // give 0 and writes do nothing. Throws Error when the client speaks otherwise.
  void serve(Fabric& fabric, uint32_t address, uint32_t bytes, const std::stop_token& stop = {});

 private:
  const std::filesystem::path path_;
  int listener_ = -1;
};

}  // namespace vantage::emulated
