// Xilinx .bit files: what the design is called and which part it is for, then the words that configure it.
//
// Format: a 2-byte length and so many bytes that are always the same, then the 2-byte number 1; then fields, each a
// letter, a 2-byte length and a text that ends with a zero: `a` the design, `b` the part, `c` the date, `d` the time;
// last `e`, a 4-byte length and the configuration. Numbers have their high byte first. The configuration is words in
// the same order, after dummies a sync word, then packets: Xilinx UG470 (7 series), UG570 (UltraScale).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace vantage::boards {

struct BitFile {
  std::string design;  // "vta_wrapper;UserID=0XFFFFFFFF;Version=2018.3"
  std::string part;    // "7z020clg400", "xczu3eg-sbva484-1-e"
  std::string date;    // "2019/05/07"
  std::string time;    // "15:04:05"
  std::string configuration;

  // The part that the configuration says it is for, before it writes a frame; none when it does not say.
  std::optional<uint32_t> idcode() const;
  // As the kernel's drivers take it: every word with its low byte first.
  std::string bin() const;
};

// Throws Error, beginning with `source`, when the bytes are no such file: what was expected, where, and what came.
BitFile parse_bit_file(std::string_view bytes, std::string_view source);

// Whether a .bit file's part and a board's, as Vivado names it ("xc7z020clg400-1"), are one device in one package;
// speed grades may differ.
bool same_part(std::string_view bit_part, std::string_view board_part);

}  // namespace vantage::boards
