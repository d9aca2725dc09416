// Ways to put a bitstream on a board's FPGA from the board itself.
#pragma once

#include <memory>
#include <string>

#include "driver/boards/bit_file.h"
#include "driver/boards/plan.h"
#include "driver/boards/system.h"

namespace vantage::boards {

class Programmer {
 public:
  virtual ~Programmer() = default;

  virtual std::string name() const = 0;  // "fpga_manager"
  // Whether the board's kernel has it.
  virtual bool present(System& system) const = 0;
  // Empty when the FPGA holds a design that runs, as far as the kernel knows; else what it says.
  virtual std::string why_not_operating(System& system) const = 0;
  // Whether the kernel cannot tell because it did not program the FPGA itself.
  virtual bool does_not_know(System& system) const = 0;
  // What programs the FPGA and reads back that it runs. The steps throw Error that says what the kernel said and what
  // that means; then the FPGA may hold nothing. The system must outlive them.
  virtual Plan plan(System& system, const BitFile& file) const = 0;
};

// /sys/class/fpga_manager/fpga0 with `flags` and `firmware`, as kernels of Pynq images from 2.4 on have it.
std::unique_ptr<Programmer> fpga_manager();
// /dev/xdevcfg, as kernels of older images have it.
std::unique_ptr<Programmer> xdevcfg();

// The one that the kernel has. Throws Error when it has none.
std::unique_ptr<Programmer> find_programmer(System& system);

}  // namespace vantage::boards
