#include "hw/fpga/board.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <vector>

#include "hw/spec/error.h"
#include "hw/spec/file.h"
#include "hw/spec/json.h"
#include "hw/spec/suggest.h"

namespace vantage::fpga {

namespace {

uint32_t hexadecimal(const Json& json, std::string_view key, std::string_view source) {
  const std::string text = json_string(json, key, source);
  uint32_t value = 0;
  const char* first = text.data() + std::min<size_t>(2, text.size());
  const char* last = text.data() + text.size();
  const auto valid = [&] {
    if (text.size() < 3 || !text.starts_with("0x")) return false;
    const auto [end, error] = std::from_chars(first, last, value, 16);
    return end == last && error == std::errc();
  };
  if (!valid()) {
    fail("{}: {} is \"{}\", expected a 32-bit address such as \"0x43c00000\"", source, key, text);
  }
  return value;
}

// A name that goes into other tools' scripts: letters, digits, and what part numbers have between them.
std::string word(const Json& json, std::string_view key, std::string_view source) {
  const std::string text = json_string(json, key, source);
  const auto ok = [](unsigned char c) {
    return std::isalnum(c) != 0 || std::string_view("._:-").find(static_cast<char>(c)) != std::string_view::npos;
  };
  if (text.empty() || !std::all_of(text.begin(), text.end(), ok)) {
    fail("{}: {} is \"{}\", expected letters, digits and . _ : - only", source, key, text);
  }
  return text;
}

}  // namespace

Board Board::load(const std::filesystem::path& path) {
  constexpr Bytes kLimit{1 << 20};
  return parse(read_file(path, kLimit), path.string());
}

Board Board::parse(std::string_view json_text, std::string_view source) {
  const std::vector<std::string> known = {"name", "part",       "family",    "board_part",  "luts",     "flip_flops",
                                          "dsps", "block_rams", "registers", "memory_port", "interrupt"};
  const Json json = parse_json(json_text, source);
  if (!json.is_object()) fail("{}: expected a board's object, found {}", source, json_excerpt(json));
  for (const auto& [name, value] : json.items()) {
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      fail("{}: unknown key \"{}\"{}", source, name, did_you_mean(name, known));
    }
  }
  constexpr uint64_t kMost = 100'000'000;
  Board board;
  board.name = word(json, "name", source);
  board.part = word(json, "part", source);
  board.family = json_string(json, "family", source);
  if (board.family != "xc7" && board.family != "xcup") {
    fail("{}: family is \"{}\", expected xc7 or xcup", source, board.family);
  }
  if (json.contains("board_part")) board.board_part = word(json, "board_part", source);
  board.luts = json_unsigned(json, "luts", kMost, source);
  board.flip_flops = json_unsigned(json, "flip_flops", kMost, source);
  board.dsps = json_unsigned(json, "dsps", kMost, source);
  board.block_rams = json_unsigned(json, "block_rams", kMost, source);
  board.registers = hexadecimal(json, "registers", source);
  board.memory_port = word(json, "memory_port", source);
  board.interrupt = json_unsigned(json, "interrupt", 1024, source);
  return board;
}

}  // namespace vantage::fpga
