#include "driver/boards/register_window.h"

#include <fcntl.h>

#include <cerrno>

#include "base/error.h"

namespace vantage::boards {

namespace fs = std::filesystem;

namespace {

const fs::path kUio = "/sys/class/uio";

// The UIO device whose first map begins at this address; empty: there is none.
std::string uio_device(System& system, uint64_t address, Bytes bytes) {
  for (const std::string& name : system.list(kUio)) {
    const fs::path map = kUio / name / "maps" / "map0";
    if (!system.exists(map / "addr") || read_number(system, map / "addr") != address) continue;
    if (const uint64_t size = read_number(system, map / "size"); size < bytes.count()) {
      fail("{}: the device tree gives the core {} bytes of registers, expected at least {}", map.string(), size,
           bytes.count());
    }
    return name;
  }
  return "";
}

}  // namespace

RegisterWindow::RegisterWindow(System& system, uint64_t address, Bytes bytes) : system_(system) {
  const std::string uio = uio_device(system, address, bytes);
  is_uio_ = !uio.empty();
  file_.emplace(system, is_uio_ ? fs::path("/dev") / uio : fs::path("/dev/mem"), O_RDWR | O_SYNC);
  // A UIO device's map N begins at page N of the file.
  mapping_.emplace(system, *file_, bytes, is_uio_ ? 0 : address);
}

volatile uint32_t* RegisterWindow::at(uint32_t offset) const {
  VANTAGE_CHECK(offset % 4 == 0 && offset < mapping_->size().count());
  return reinterpret_cast<volatile uint32_t*>(mapping_->data() + offset);
}

uint32_t RegisterWindow::read(uint32_t offset) {
  return system_.load(at(offset));
}

void RegisterWindow::write(uint32_t offset, uint32_t value) {
  system_.store(at(offset), value);
}

void RegisterWindow::enable_interrupt() {
  const uint32_t one = 1;
  if (system_.write(file_->get(), &one, sizeof one) != sizeof one) {
    fail("{}: the interrupt cannot be enabled: {}", file(), text_of(errno));
  }
}

bool RegisterWindow::wait_for_interrupt(std::chrono::milliseconds time) {
  const int ready = system_.poll(file_->get(), time);
  if (ready < 0 && errno != EINTR) fail("{}: the interrupt cannot be waited for: {}", file(), text_of(errno));
  if (ready <= 0) return false;
  uint32_t count = 0;
  if (system_.read(file_->get(), &count, sizeof count) != sizeof count) {
    fail("{}: the interrupt cannot be taken: {}", file(), text_of(errno));
  }
  return true;
}

}  // namespace vantage::boards
