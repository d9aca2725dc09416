// A Zynq-7000 board in QEMU (tools/emulated_board/virtual_zynq): Linux, the kernel's way to program an FPGA, the tool
// for boards cross-compiled; in its FPGA the core's RTL, with registers and memory port both.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "hw/isa/config.h"
#include "sim/rtl/model_library.h"

namespace vantage::emulated {

struct VirtualZynqOptions {
  isa::Config config = isa::Config::vta_default();
  std::filesystem::path project;         // the root of the project's tree
  std::filesystem::path cache;           // for what is built: minutes once, gigabytes
  std::optional<sim::RtlLibrary> model;  // of the configuration's RTL (sim/rtl/model_builder.h), to be set
  int port = 9091;                       // of 127.0.0.1, where the board's server is reached
  // Told what begins, and every line of the board's console.
  std::function<void(const std::string&)> progress = [](const std::string&) {};
  std::function<void(const std::string&)> console = [](const std::string&) {};
};

class VirtualZynq {
 public:
  // What callers of the board's server must carry, which only this machine reaches.
  static constexpr const char* kToken = "virtual-zynq-on-loopback";

  // Throws Error when the port is taken, or the temporary folder has too little room: known before minutes of building.
  static void require_possible(const VirtualZynqOptions& options);

  // Builds what is not built yet, and starts the board. Throws Error, ToolError with what a tool said.
  explicit VirtualZynq(const VirtualZynqOptions& options);
  VirtualZynq(const VirtualZynq&) = delete;
  VirtualZynq& operator=(const VirtualZynq&) = delete;
  ~VirtualZynq();  // switches it off

  // Waits until its server answers. Throws Error when the board ends before.
  void wait_until_served();
  // Waits until the board is off; its last program's status.
  int wait();
  // Switches it off. From any thread.
  void stop();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace vantage::emulated
