// Memory that both the processor and the FPGA reach: contiguous physical addresses below 4 GiB, which is what the
// core's 32-bit addresses name.
//
// Thread safety: none.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "driver/boards/system.h"
#include "hw/fpga/board.h"

namespace vantage::boards {

inline constexpr uint64_t kPage = 4096;  // bytes of the kernel's pages

class ContiguousMemory {
 public:
  virtual ~ContiguousMemory() = default;

  virtual uint64_t physical_address() const = 0;
  virtual Bytes size() const = 0;

  // What is written is there for the FPGA afterwards, and what is read is what the FPGA wrote before: caches are seen
  // to. Throw Error. REQUIRES: inside size().
  virtual void write(Bytes offset, std::span<const std::byte> bytes) = 0;
  virtual void read(Bytes offset, std::span<std::byte> bytes) = 0;
  virtual void zero(Bytes offset, Bytes size) = 0;
};

// Memory that is mapped like any other, with caches that are maintained by hand, line by line: a line that is written
// in part has its rest from memory first, where the FPGA may have put something since.
class CachedMemory : public ContiguousMemory {
 public:
  void write(Bytes offset, std::span<const std::byte> bytes) override;
  void read(Bytes offset, std::span<std::byte> bytes) override;
  void zero(Bytes offset, Bytes size) override;

 protected:
  virtual std::byte* data() const = 0;
  // For a part of it: what the processor wrote goes to memory; what it has in its caches is dropped.
  virtual void to_device(Bytes offset, Bytes size) = 0;
  virtual void to_host(Bytes offset, Bytes size) = 0;

 private:
  void prepare(Bytes offset, Bytes size);
};

// The most of `wanted` bytes that there is: asks for half as much, in whole pages, until `allocate` has it. Throws
// Error when there is not even 1 MiB.
Bytes allocate_most(Bytes wanted, const std::function<bool(Bytes size)>& allocate);

// A way to get such memory. `open` gives some of at most `wanted` bytes. Where the board's image does not have this way
// at all it throws NotThere; where it has, but something is wrong, Error.
struct MemoryProvider {
  std::string name;
  std::function<std::unique_ptr<ContiguousMemory>(System&, const fpga::Board&, Bytes wanted)> open;
};

class NotThere : public Error {
 public:
  using Error::Error;
};

MemoryProvider udmabuf();          // the u-dma-buf kernel module
MemoryProvider xrt();              // Xilinx's runtime, of Pynq images from 2.7 on
MemoryProvider libcma();           // the library of older Pynq images
MemoryProvider dma_heap();         // /dev/dma_heap of kernels from 5.6 on, where the port sees the caches
MemoryProvider reserved_memory();  // what the board's description says that the kernel leaves alone

// All, the first that is there being the one to use.
std::vector<MemoryProvider> memory_providers();

// Memory by the first of them that is there. Throws Error that says of each why not.
std::unique_ptr<ContiguousMemory> open_contiguous_memory(const std::vector<MemoryProvider>& providers, System& system,
                                                         const fpga::Board& board, Bytes wanted);

}  // namespace vantage::boards
