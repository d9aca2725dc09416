#include "driver/boards/programmer.h"

#include <cerrno>

#include "hw/spec/error.h"

namespace vantage::boards {

namespace {

namespace fs = std::filesystem;

const fs::path kManager = "/sys/class/fpga_manager/fpga0";
const fs::path kFirmware = "/lib/firmware";
constexpr const char* kImage = "vantage.bin";
const fs::path kDevice = "/dev/xdevcfg";
const fs::path kDeviceState = "/sys/class/xdevcfg/xdevcfg/device/prog_done";
const fs::path kDevicePartial = "/sys/class/xdevcfg/xdevcfg/device/is_partial_bitstream";

// What the kernel's refusals of a bitstream mean, as its drivers give them.
std::string meaning(int error) {
  switch (error) {
    case EINVAL: return "its words are in another order, or it has no sync word";
    case ETIMEDOUT:
      return "the FPGA never said that it is configured: the bitstream is cut off, damaged or for another part";
    case ENOENT: return "the kernel does not find the image below /lib/firmware";
    case EFAULT: return "it is too short to be a bitstream";
    case EACCES:
    case EPERM: return "only root may program the FPGA";
    default: return std::generic_category().message(error);
  }
}

class FpgaManager : public Programmer {
 public:
  std::string name() const override { return "fpga_manager"; }
  bool present(System& system) const override {
    return system.exists(kManager / "state") && system.exists(kManager / "firmware");
  }

  void program(System& system, const BitFile& file, const Step& step) const override {
    const std::string bin = file.bin();
    step(fmt::format("write {} bytes to {}", bin.size(), (kFirmware / kImage).string()));
    write_whole(system, kFirmware / kImage, bin);
    if (system.exists(kManager / "flags")) {
      step(fmt::format("write 0 to {}: the whole FPGA", (kManager / "flags").string()));
      if (const int error = write_attribute(system, kManager / "flags", "0"); error != 0) {
        fail("{}: refused: {}", (kManager / "flags").string(), meaning(error));
      }
    }
    step(fmt::format("write {} to {}", kImage, (kManager / "firmware").string()));
    if (const int error = write_attribute(system, kManager / "firmware", kImage); error != 0) {
      fail("the kernel's fpga_manager refused the bitstream with error {} ({}); its state is '{}'", error,
           meaning(error), read_attribute(system, kManager / "state"));
    }
    step(fmt::format("read {}", (kManager / "state").string()));
    if (const std::string state = read_attribute(system, kManager / "state"); state != "operating") {
      fail("the FPGA's state is '{}' after it was programmed, expected 'operating'", state);
    }
  }
};

class Xdevcfg : public Programmer {
 public:
  std::string name() const override { return "xdevcfg"; }
  bool present(System& system) const override { return system.exists(kDevice); }

  void program(System& system, const BitFile& file, const Step& step) const override {
    if (system.exists(kDevicePartial)) {
      step(fmt::format("write 0 to {}: the whole FPGA", kDevicePartial.string()));
      if (const int error = write_attribute(system, kDevicePartial, "0"); error != 0) {
        fail("{}: refused: {}", kDevicePartial.string(), meaning(error));
      }
    }
    const std::string bin = file.bin();
    step(fmt::format("write {} bytes to {}", bin.size(), kDevice.string()));
    write_whole(system, kDevice, bin);
    step(fmt::format("read {}", kDeviceState.string()));
    if (const std::string done = read_attribute(system, kDeviceState); done != "1") {
      fail("{} is '{}' after the FPGA was programmed, expected '1': {}", kDeviceState.string(), done,
           meaning(ETIMEDOUT));
    }
  }
};

}  // namespace

std::unique_ptr<Programmer> fpga_manager() {
  return std::make_unique<FpgaManager>();
}

std::unique_ptr<Programmer> xdevcfg() {
  return std::make_unique<Xdevcfg>();
}

std::unique_ptr<Programmer> find_programmer(System& system) {
  for (auto make : {fpga_manager, xdevcfg}) {
    if (auto programmer = make(); programmer->present(system)) return programmer;
  }
  fail("this kernel has neither {} nor {}; from another machine `openFPGALoader` reaches the board over JTAG",
       (kManager / "firmware").string(), kDevice.string());
}

}  // namespace vantage::boards
