// "pynq:[BOARD][#MAP]", the board that this program runs on, as a kind of device.
//
// BOARD is a JSON file or a name from configs/boards; without it the board's image says which one it is. MAP is a name
// from configs/boards/register_maps; without it the one that `vantage flash` noted for the bitstream, else this
// project's. A core that cannot say what it is must be noted there.
#pragma once

#include "driver/device/kind.h"

namespace vantage::boards {

driver::AcceleratorKind pynq();

}  // namespace vantage::boards
