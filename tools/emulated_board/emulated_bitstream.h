// A .bit file that configures nothing: what an emulated FPGA takes for one, so that flashing can be tried.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace vantage::emulated {

// For a part as .bit files name it ("7z020clg484"), with its IDCODE. Its packets are those of a 7 series device, its
// frames are zeros.
std::string emulated_bitstream(std::string_view design, std::string_view part, uint32_t idcode);

}  // namespace vantage::emulated
