// A folder that behaves as the root of a board's kernel does where an FPGA is programmed: what its files hold, what
// writes are refused with, and which states follow.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <string>

#include "driver/boards/system.h"
#include "tests/support/temporary.h"

namespace vantage::test {

class FakeKernel : public boards::System {
 public:
  enum class Has { kFpgaManager, kXdevcfg, kNeither };
  // An FPGA of this IDCODE.
  explicit FakeKernel(Has has, uint32_t idcode = 0x03727093)
      : FakeKernel(std::make_unique<TemporaryFolder>(), has, idcode) {}

  // The next writes to this path take so many bytes, or fail with an errno (negative).
  void next_writes(const std::filesystem::path& path, std::deque<ssize_t> outcomes) {
    writes_[path] = std::move(outcomes);
  }
  // The next open of it fails with this errno.
  void next_open(const std::filesystem::path& path, int error) { opens_[path] = error; }

  std::string text(const std::filesystem::path& path) const;
  bool runs() const { return runs_; }
  int open_files() const { return static_cast<int>(files_.size()); }

  int open(const std::filesystem::path& path, int flags, unsigned mode) override;
  ssize_t write(int file, const void* bytes, size_t size) override;
  int close(int file) override;

 protected:
  void put(const std::filesystem::path& path, const std::string& text);
  // The FPGA is emptied, as by its pin PROG_B.
  void clear_fpga();
  const std::filesystem::path& path_of(int file) const { return files_.at(file); }
  // A descriptor that some call made.
  void add_file(int file, const std::filesystem::path& path) { files_[file] = path; }

 private:
  // 0, or the errno with which the FPGA's driver refuses the image.
  int configure(const std::string& bin);

  std::unique_ptr<TemporaryFolder> folder_;
  uint32_t idcode_;
  bool runs_ = false;
  bool stuck_ = false;  // after an image that did not end well, until the FPGA is cleared
  std::map<int, std::filesystem::path> files_;
  std::map<std::filesystem::path, std::deque<ssize_t>> writes_;
  std::map<std::filesystem::path, int> opens_;
  std::string device_bytes_;

  FakeKernel(std::unique_ptr<TemporaryFolder> folder, Has has, uint32_t idcode);
};

}  // namespace vantage::test
