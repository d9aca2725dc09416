// The accelerator's DRAM: a flat byte-addressed space that starts as zeros. Pages cost host memory only once written.
//
// Thread safety: none; a Dram belongs to one device.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

#include "base/units.h"
#include "hw/isa/register_map.h"

namespace vantage::sim {

class Dram {
 public:
  // All that the core's addresses name.
  static constexpr Bytes kFullSize = isa::kAddressSpace;
  // As much of it as this machine's own addresses leave room for.
  static constexpr Bytes kDefaultSize{sizeof(void*) == 4 ? uint64_t{1} << 28 : kFullSize.count()};

  // Throws Error when the host cannot reserve `size` bytes of address space. REQUIRES: whole pages of the host.
  explicit Dram(Bytes size = kFullSize);
  // The first `size` bytes of a file, shared with everyone who maps it. Throws Error when it cannot be mapped or is
  // shorter.
  Dram(const std::filesystem::path& file, Bytes size);
  Dram(const Dram&) = delete;
  Dram& operator=(const Dram&) = delete;
  ~Dram();

  Bytes size() const { return size_; }

  // Everything, for machines that have checked their ranges.
  std::byte* data() { return data_; }
  const std::byte* data() const { return data_; }

  // A checked view of [address, address + size). Throws Error when it ends past the memory.
  std::span<std::byte> range(Bytes address, Bytes size);
  std::span<const std::byte> range(Bytes address, Bytes size) const;

  void write(Bytes address, std::span<const std::byte> bytes);  // checked like range()

  // Back to zeros, giving the pages back to the host. REQUIRES: no file
  void clear();

 private:
  // Maps all of it, and a guard behind.
  void reserve();

  std::byte* data_ = nullptr;
  Bytes size_;
  bool is_file_ = false;
};

}  // namespace vantage::sim
