// Ways to put a bitstream on a board's FPGA from the board itself.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "driver/boards/bit_file.h"
#include "driver/boards/system.h"

namespace vantage::boards {

// Told each step before it is done, in a line: what a dry run prints.
using Step = std::function<void(const std::string&)>;

class Programmer {
 public:
  virtual ~Programmer() = default;

  virtual std::string name() const = 0;  // "fpga_manager"
  // Whether the board's kernel has it.
  virtual bool present(System& system) const = 0;
  // Programs the FPGA and reads back that it runs. Throws Error that says what the kernel said and what that means;
  // then the FPGA may hold nothing.
  virtual void program(System& system, const BitFile& file, const Step& step) const = 0;
};

// /sys/class/fpga_manager/fpga0 with `flags` and `firmware`, as kernels of Pynq images from 2.4 on have it.
std::unique_ptr<Programmer> fpga_manager();
// /dev/xdevcfg, as kernels of older images have it.
std::unique_ptr<Programmer> xdevcfg();

// The one that the kernel has. Throws Error when it has none.
std::unique_ptr<Programmer> find_programmer(System& system);

}  // namespace vantage::boards
