// The system calls of a board whose FPGA and memory are another process (emulated_board.cpp): registers go over its
// socket, memory is a file that both map. Faults can be put anywhere.
#pragma once

#include <sys/types.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "driver/boards/board_accelerator.h"
#include "tests/driver/boards/fake_kernel.h"

namespace vantage::test {

// The process.
class EmulatedBoard {
 public:
  static constexpr uint32_t kRegisters = 0x43c00000;
  static constexpr uint64_t kMemory = 0x10000000;  // physical address of what the driver may have
  static constexpr Bytes kMemoryBytes{uint64_t{1} << 20};

  // `arguments` as emulated_board takes them: {"--core", "rtl"}.
  explicit EmulatedBoard(const std::vector<std::string>& arguments);
  EmulatedBoard(const EmulatedBoard&) = delete;
  EmulatedBoard& operator=(const EmulatedBoard&) = delete;
  ~EmulatedBoard();

  std::filesystem::path socket() const { return folder_.path() / "fpga"; }
  std::filesystem::path memory() const { return folder_.path() / "memory"; }

 private:
  TemporaryFolder folder_;
  pid_t process_ = -1;
};

// How the board's image gives memory.
enum class MemoryKind { kReserved, kUdmabuf, kDmaHeap, kLibCma, kXrt };

class BoardSystem : public FakeKernel {
 public:
  // With a bitstream in the FPGA. `uio`: the device tree has the core.
  BoardSystem(const EmulatedBoard& board, bool uio, MemoryKind memory);
  ~BoardSystem() override;

  // The call of this number, from 1, fails with EIO; 0: none. What counts as a call is everything below but now().
  void fail_call(int number) { failing_call_ = number; }
  int calls() const { return calls_; }
  void lose_interrupts() { loses_interrupts_ = true; }
  // What a JTAG cable, or the board's start, leaves behind: a design that the kernel has not put there.
  void program_elsewhere() { put("/sys/class/fpga_manager/fpga0/state", "unknown\n"); }
  // Changes what a register gives.
  std::function<uint32_t(uint32_t offset, uint32_t value)> tamper = [](uint32_t, uint32_t value) { return value; };

  // Called as this object ends.
  std::function<void()> at_end = [] {};

  // A register of the processing system: its clocks, as a Zynq-7000's PLL of 1 GHz and an UltraScale+'s have them, and
  // its configuration port.
  uint32_t& system_register(uint64_t physical_address);
  // The writes to it, in order.
  std::vector<uint32_t> system_writes;

  int mappings() const { return static_cast<int>(mappings_.size()); }
  int syncs() const { return syncs_; }
  int buffers = 0;  // of libraries, not freed

  int open(const std::filesystem::path& path, int flags, unsigned mode) override;
  ssize_t read(int file, void* bytes, size_t size) override;
  ssize_t write(int file, const void* bytes, size_t size) override;
  ssize_t read_at(int file, void* bytes, size_t size, uint64_t offset) override;
  int sync_file(int file) override;
  int rename(const std::filesystem::path& from, const std::filesystem::path& to) override;
  int remove(const std::filesystem::path& path) override;
  bool make_folders(const std::filesystem::path& folder) override;
  int lock(int file) override;
  int ioctl(int file, unsigned long request, void* argument) override;
  void* map(int file, Bytes size, uint64_t offset) override;
  int unmap(void* mapping, Bytes size) override;
  int poll(int file, std::chrono::milliseconds timeout) override;
  uint32_t load(const volatile uint32_t* address) override;
  void store(volatile uint32_t* address, uint32_t value) override;
  void* library(const std::string& name) override;
  std::string library_error() override { return asked_library_ + ": no such file"; }
  void* symbol(void* library, const std::string& name) override;
  std::chrono::steady_clock::time_point now() const override;
  void sleep(std::chrono::microseconds time) const override;

  // For the libraries' functions: memory with caches of its own, that come and go by lines.
  void* allocate_cached(Bytes size);
  void free_cached(void* data);
  void sync(Bytes offset, Bytes size, bool to_device);

 private:
  bool fails();
  uint32_t access(char op, uint32_t address, uint32_t data) const;
  bool is_system(const volatile uint32_t* address) const;
  void* map_memory(Bytes size, uint64_t physical_address);

  std::string asked_library_;
  int connection_ = -1;
  int memory_ = -1;
  int calls_ = 0;
  int failing_call_ = 0;
  bool loses_interrupts_ = false;
  bool interrupt_enabled_ = false;
  uint32_t interrupts_ = 0;
  int syncs_ = 0;
  mutable uint32_t interrupt_level_ = 0;
  mutable std::chrono::microseconds slept_{0};
  std::byte* window_ = nullptr;             // where registers are mapped: nothing may touch it
  std::byte* cached_ = nullptr;             // what the processor sees of memory with caches
  std::vector<uint32_t> system_registers_;  // of the processing system, a page from each of kSystemPages
  std::map<void*, uint64_t> mappings_;
};

// The board's description, and options to open it.
boards::BoardOptions board_options(const std::string& map, MemoryKind memory);

}  // namespace vantage::test
