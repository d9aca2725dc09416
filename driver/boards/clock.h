// The clock that the processing system gives to the FPGA (FCLK_CLK0, PL0), set through its registers: Xilinx UG585,
// "Clocks" and system level control registers, for Zynq-7000; UG1085 and UG1087, CRL_APB, for UltraScale+.
#pragma once

#include <cstdint>

#include "driver/boards/system.h"
#include "hw/fpga/board.h"

namespace vantage::boards {

// Two dividers of a PLL's rate, each from 1 to 63.
struct Dividers {
  uint32_t first;
  uint32_t second;
  double hertz;  // what they give
};

// The fastest that is not faster than wanted. Throws Error when the slowest still is.
Dividers choose_dividers(double pll_hertz, double wanted_hertz);

// Sets it through /dev/mem: the fastest that its PLL gives and that is not faster than wanted. Throws Error.
void set_fabric_clock(System& system, const fpga::Board& board, double wanted_hertz);

// What it is, in hertz, as the registers say. Throws Error.
double fabric_clock(System& system, const fpga::Board& board);

// The register that set_fabric_clock writes, to put it back as it was. Throw Error.
uint32_t read_clock_register(System& system, const fpga::Board& board);
void write_clock_register(System& system, const fpga::Board& board, uint32_t value);

}  // namespace vantage::boards
