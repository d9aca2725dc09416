#include "driver/boards/programmer.h"

#include <cerrno>

#include "base/error.h"

namespace vantage::boards {

namespace {

namespace fs = std::filesystem;

const fs::path kManager = "/sys/class/fpga_manager/fpga0";
const fs::path kFirmware = "/lib/firmware";
constexpr const char* kImage = "vantage.bin";
const fs::path kDevcfg = "/dev/xdevcfg";
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

// Throws Error when the kernel refuses.
void put_attribute(System& system, const fs::path& path, const std::string& text) {
  if (const int error = write_attribute(system, path, text); error != 0) {
    fail("{}: refused: {}", path.string(), meaning(error));
  }
}

class FpgaManager : public Programmer {
 public:
  std::string name() const override { return "fpga_manager"; }
  bool present(System& system) const override {
    return system.exists(kManager / "state") && system.exists(kManager / "firmware");
  }

  Plan plan(System& system, const BitFile& file) const override {
    Plan plan;
    std::string bin = file.bin();
    const fs::path image = kFirmware / kImage;
    const std::string what = fmt::format("write {} bytes to {}", bin.size(), image.string());
    plan.push_back({what, [&system, image, bin = std::move(bin)] { put_file(system, image, bin); }});
    if (const fs::path flags = kManager / "flags"; system.exists(flags)) {
      plan.push_back({fmt::format("write 0 to {}: the whole FPGA", flags.string()),
                      [&system, flags] { put_attribute(system, flags, "0"); }});
    }
    plan.push_back({.what = fmt::format("write {} to {}", kImage, (kManager / "firmware").string()),
                    .run =
                        [&system] {
                          const int error = write_attribute(system, kManager / "firmware", kImage);
                          if (error == 0) return;
                          fail("the kernel's fpga_manager refused the bitstream with error {} ({}); its state is '{}'",
                               error, meaning(error), read_attribute(system, kManager / "state"));
                        },
                    .changes_fpga = true});
    plan.push_back({fmt::format("read {}", (kManager / "state").string()), [&system] {
                      const std::string state = FpgaManager().why_not_operating(system);
                      if (!state.empty()) fail("after the FPGA was programmed, {}", state);
                    }});
    return plan;
  }

  std::string why_not_operating(System& system) const override {
    const std::string state = read_attribute(system, kManager / "state");
    return state == "operating" ? "" : fmt::format("its state is '{}', expected 'operating'", state);
  }

  bool does_not_know(System& system) const override { return read_attribute(system, kManager / "state") == "unknown"; }
};

class Xdevcfg : public Programmer {
 public:
  std::string name() const override { return "xdevcfg"; }
  bool present(System& system) const override { return system.exists(kDevcfg); }

  Plan plan(System& system, const BitFile& file) const override {
    Plan plan;
    if (system.exists(kDevicePartial)) {
      plan.push_back({fmt::format("write 0 to {}: the whole FPGA", kDevicePartial.string()),
                      [&system] { put_attribute(system, kDevicePartial, "0"); }});
    }
    std::string bin = file.bin();
    const std::string what = fmt::format("write {} bytes to {}", bin.size(), kDevcfg.string());
    plan.push_back({.what = what,
                    .run = [&system, bin = std::move(bin)] { write_whole(system, kDevcfg, bin); },
                    .changes_fpga = true});
    plan.push_back({fmt::format("read {}", kDeviceState.string()), [&system] {
                      const std::string state = Xdevcfg().why_not_operating(system);
                      if (!state.empty()) {
                        fail("after the FPGA was programmed, {}: {}", state, meaning(ETIMEDOUT));
                      }
                    }});
    return plan;
  }

  std::string why_not_operating(System& system) const override {
    const std::string done = read_attribute(system, kDeviceState);
    return done == "1" ? "" : fmt::format("{} is '{}', expected '1'", kDeviceState.string(), done);
  }

  bool does_not_know(System&) const override { return false; }  // it asks the FPGA
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
       (kManager / "firmware").string(), kDevcfg.string());
}

}  // namespace vantage::boards
