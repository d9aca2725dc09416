// What a memory takes of an FPGA: the rule by which Yosys's memory_libmap chooses between LUTs and block RAMs of
// several shapes for Series 7 (its brams_xc4v.txt and lutrams_xc5v.txt), as far as the core has such memories.
#pragma once

#include <cstdint>

namespace vantage::fpga {

enum class RamPorts {
  kWriteRead,   // one port that writes and one that reads, a cycle later (vta_fifo)
  kReadBack,    // the port that writes may also read (vta_ram)
  kUnusedBack,  // it may, and nothing is connected there: found out only when the memory has been mapped
};

struct MappedRam {
  uint64_t luts = 0;        // that hold it
  uint64_t flip_flops = 0;  // that make a read of LUTs last a cycle
  uint64_t block_rams_18k = 0;
  uint64_t banks = 1;  // of as many words, between which an address and a multiplexer choose
  bool operator==(const MappedRam&) const = default;
};

// A memory of `depth` words of `width` bits of which the `used` low ones are ever read: what holds none of them is left
// out. A power of two is expected of the depth. 2 <= depth, 1 <= used <= width.
MappedRam map_ram(uint64_t width, uint64_t depth, RamPorts ports, uint64_t used);

}  // namespace vantage::fpga
