// A client of a server who was there before others did harm, and works as before.
#pragma once

#include <vector>

#include "tests/driver/rpc/test_server.h"

namespace vantage::test {

class Bystander {
 public:
  explicit Bystander(const TestServer& server)
      : device_(server.open()),
        in_(device_->allocate(Bytes(128))),
        out_(device_->allocate(Bytes(32))),
        program_(device_->load(copy_program(), {{"in", &in_}, {"out", &out_}})) {}

  bool works() {
    value_ ^= std::byte{0x5a};
    in_.write(std::vector<std::byte>(128, value_));
    std::vector<std::byte> got(32);
    if (!program_->run().ok()) return false;
    out_.read(got);
    return got == std::vector<std::byte>(32, value_);
  }

 private:
  std::unique_ptr<driver::Accelerator> device_;
  driver::Buffer in_, out_;
  std::unique_ptr<driver::LoadedProgram> program_;
  std::byte value_{0};
};

}  // namespace vantage::test
