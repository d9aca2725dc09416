#include "tests/driver/boards/fake_kernel.h"

#include <cerrno>

#include "base/file.h"

namespace vantage::test {

namespace fs = std::filesystem;

namespace {

const fs::path kManager = "/sys/class/fpga_manager/fpga0";
const fs::path kXdevcfg = "/sys/class/xdevcfg/xdevcfg/device";

uint32_t little_endian(const std::string& bytes, size_t at) {
  uint32_t word = 0;
  for (size_t i = 4; i-- > 0;) word = word << 8 | static_cast<unsigned char>(bytes[at + i]);
  return word;
}

}  // namespace

FakeKernel::FakeKernel(std::unique_ptr<TemporaryFolder> folder, Has has, uint32_t idcode)
    : System(folder->path()), folder_(std::move(folder)), idcode_(idcode) {
  fs::create_directories(host_path("/lib/firmware"));
  if (has == Has::kFpgaManager) {
    put(kManager / "state", "unknown\n");
    put(kManager / "flags", "0\n");
    put(kManager / "firmware", "");
  }
  if (has == Has::kXdevcfg) {
    put("/dev/xdevcfg", "");
    put(kXdevcfg / "is_partial_bitstream", "0\n");
    put(kXdevcfg / "prog_done", "0\n");
  }
}

void FakeKernel::put(const fs::path& path, const std::string& text) {
  fs::create_directories(host_path(path).parent_path());
  write_file(host_path(path), text);
}

std::string FakeKernel::text(const fs::path& path) const {
  return read_file(host_path(path), Bytes(1 << 24));
}

int FakeKernel::open(const fs::path& path, int flags, unsigned mode) {
  if (const auto fault = opens_.extract(path); !fault.empty()) {
    errno = fault.mapped();
    return -1;
  }
  const int file = System::open(path, flags, mode);
  if (file >= 0) files_[file] = path;
  if (path == "/dev/xdevcfg") device_bytes_.clear();
  return file;
}

ssize_t FakeKernel::write(int file, const void* bytes, size_t size) {
  const fs::path path = files_.at(file);
  if (auto& outcomes = writes_[path]; !outcomes.empty()) {
    const ssize_t outcome = outcomes.front();
    outcomes.pop_front();
    if (outcome < 0) {
      errno = static_cast<int>(-outcome);
      return -1;
    }
    size = std::min(size, static_cast<size_t>(outcome));
    if (path != "/dev/xdevcfg" && path.parent_path() == kManager) return static_cast<ssize_t>(size);
  }
  const std::string text(static_cast<const char*>(bytes), size);
  if (path == kManager / "firmware") {
    std::error_code error;
    const fs::path image = host_path(fs::path("/lib/firmware") / text);
    const bool found = fs::is_regular_file(image, error);
    const int refused = found ? configure(read_file(image, Bytes(1 << 24))) : ENOENT;
    put(kManager / "state", refused == 0           ? "operating\n"
                            : refused == ENOENT    ? "firmware request error\n"
                            : refused == ETIMEDOUT ? "write complete error\n"
                                                   : "write init error\n");
    errno = refused;
    return refused == 0 ? static_cast<ssize_t>(size) : -1;
  }
  if (path == "/dev/xdevcfg") {
    device_bytes_ += text;
    return static_cast<ssize_t>(size);
  }
  return System::write(file, bytes, size);
}

int FakeKernel::close(int file) {
  if (files_.at(file) == "/dev/xdevcfg") put(kXdevcfg / "prog_done", configure(device_bytes_) == 0 ? "1\n" : "0\n");
  files_.erase(file);
  return System::close(file);
}

int FakeKernel::configure(const std::string& bin) {
  runs_ = false;
  if (bin.size() < 128) return EFAULT;
  if (bin.size() % 4 != 0) return EINVAL;
  size_t at = 0;
  while (at < bin.size() && little_endian(bin, at) != 0xaa995566) at += 4;
  if (at == bin.size()) return EINVAL;
  if (stuck_) return ETIMEDOUT;
  // Its IDCODE must be the part's, and it must end with the command to leave configuration.
  bool part = false, ends = false;
  for (; at + 4 < bin.size(); at += 4) {
    if (little_endian(bin, at) == 0x30018001) part = little_endian(bin, at + 4) == idcode_;
    if (little_endian(bin, at) == 0x30008001) ends = little_endian(bin, at + 4) == 0x0000000d;
  }
  stuck_ = part && !ends;
  if (!part || !ends) return ETIMEDOUT;
  runs_ = true;
  return 0;
}

void FakeKernel::clear_fpga() {
  runs_ = false;
  stuck_ = false;
}

}  // namespace vantage::test
