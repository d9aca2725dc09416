#include "driver/boards/programmer.h"

#include <cerrno>

#include "tests/catch.h"
#include "tests/driver/boards/bit_bytes.h"
#include "tests/driver/boards/fake_kernel.h"

namespace vantage::test::driver_boards_programmer_test {

using namespace vantage;
using namespace vantage::test;
using Has = FakeKernel::Has;

namespace {

const auto kSilent = [](const std::string&) {};

boards::BitFile good() {
  return boards::parse_bit_file(bit_bytes(), "vta.bit");
}

boards::BitFile of(const std::string& payload) {
  return boards::parse_bit_file(bit_bytes("7z020clg400", payload), "vta.bit");
}

std::string refusal(FakeKernel& kernel, const boards::BitFile& file) {
  const std::string message = ERROR_OF(carry_out(find_programmer(kernel)->plan(kernel, file), kSilent));
  CHECK_FALSE(kernel.runs());
  CHECK(kernel.open_files() == 0);
  return message;
}

}  // namespace

TEST_CASE("the kernel's own way is found, and programs the FPGA step by step", "[unit]") {
  FakeKernel manager(Has::kFpgaManager);
  std::string steps;
  const auto note = [&](const std::string& step) { steps += step + "\n"; };
  const auto programmer = boards::find_programmer(manager);
  CHECK(programmer->name() == "fpga_manager");
  carry_out(programmer->plan(manager, good()), note);
  CHECK(manager.runs());
  CHECK(manager.text("/lib/firmware/vantage.bin") == good().bin());
  CHECK(steps == fmt::format("write {} bytes to /lib/firmware/vantage.bin\n"
                             "write 0 to /sys/class/fpga_manager/fpga0/flags: the whole FPGA\n"
                             "write vantage.bin to /sys/class/fpga_manager/fpga0/firmware\n"
                             "read /sys/class/fpga_manager/fpga0/state\n",
                             good().configuration.size()));
  CHECK(manager.open_files() == 0);

  FakeKernel old(Has::kXdevcfg);
  CHECK(boards::find_programmer(old)->name() == "xdevcfg");
  carry_out(boards::find_programmer(old)->plan(old, good()), kSilent);
  CHECK(old.runs());

  FakeKernel neither(Has::kNeither);
  CHECK_THAT(ERROR_OF(boards::find_programmer(neither)), ContainsSubstring("openFPGALoader"));
}

TEST_CASE("what the kernel refuses is explained", "[unit]") {
  for (const Has has : {Has::kFpgaManager, Has::kXdevcfg}) {
    FakeKernel kernel(has);
    const std::string other_part = refusal(kernel, of(configuration(0x03722093)));
    CHECK_THAT(other_part, ContainsSubstring("for another part"));
    // It is not stuck after that, but after one that was cut off
    carry_out(boards::find_programmer(kernel)->plan(kernel, good()), kSilent);
    CHECK(kernel.runs());
    const std::string cut = configuration(0x03727093).substr(0, 400);
    CHECK_THAT(refusal(kernel, of(cut)), ContainsSubstring("cut off, damaged"));
  }
  FakeKernel kernel(Has::kFpgaManager);
  CHECK(refusal(kernel, of(configuration(0x03722093))) ==
        fmt::format("the kernel's fpga_manager refused the bitstream with error {} (the FPGA never said that it is "
                    "configured: the bitstream is cut off, damaged or for another part); its state is 'write complete "
                    "error'",
                    ETIMEDOUT));
  CHECK_THAT(refusal(kernel, of(words({0xaa995566, 1, 2, 3}))), ContainsSubstring("it is too short to be a bitstream"));
}

TEST_CASE("faults of the system are told, and leave no file open", "[unit]") {
  const std::filesystem::path firmware = "/sys/class/fpga_manager/fpga0/firmware",
                              image = "/lib/firmware/vantage.bin.new";
  FakeKernel kernel(Has::kFpgaManager);
  kernel.next_open(image, EROFS);
  CHECK(refusal(kernel, good()) == "/lib/firmware/vantage.bin: cannot be written: Read-only file system");
  kernel.next_writes(image, {100, -ENOSPC});
  CHECK(refusal(kernel, good()) == "/lib/firmware/vantage.bin: cannot be written: No space left on device");
  kernel.next_writes(image, {0});
  CHECK_THAT(refusal(kernel, good()), ContainsSubstring("nothing more can be written"));
  kernel.next_open(firmware, EACCES);
  CHECK_THAT(refusal(kernel, good()), ContainsSubstring("Permission denied"));
  kernel.next_writes(firmware, {4});
  CHECK_THAT(refusal(kernel, good()), ContainsSubstring("the kernel took 4 of 11 bytes"));
  kernel.next_writes(firmware, {-EPERM});
  CHECK_THAT(refusal(kernel, good()), ContainsSubstring("only root may program the FPGA"));
  // Said to be taken, but nothing came of it
  kernel.next_writes(firmware, {11});
  CHECK_THAT(refusal(kernel, good()), ContainsSubstring("expected 'operating'"));
}

TEST_CASE("short and interrupted writes of an image go on", "[unit]") {
  FakeKernel kernel(Has::kFpgaManager);
  kernel.next_writes("/lib/firmware/vantage.bin.new", {1, -EINTR, 7, 100});
  carry_out(boards::find_programmer(kernel)->plan(kernel, good()), kSilent);
  CHECK(kernel.runs());
  FakeKernel old(Has::kXdevcfg);
  old.next_writes("/dev/xdevcfg", {1, -EINTR, 7, 100});
  carry_out(boards::find_programmer(old)->plan(old, good()), kSilent);
  CHECK(old.runs());
  old.next_writes("/dev/xdevcfg", {16, -EIO});
  CHECK(refusal(old, good()) == "/dev/xdevcfg: cannot be written: Input/output error");
}

}  // namespace vantage::test::driver_boards_programmer_test
