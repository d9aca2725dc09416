#include "hw/fpga/board.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <vector>

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/suggest.h"

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
    fail("{}: {} is \"{}\", expected 32 bits such as \"0x43c00000\"", source, key, text);
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

// A list of them, empty without the key.
std::vector<std::string> words(const Json& json, std::string_view key, std::string_view source) {
  std::vector<std::string> list;
  if (!json.contains(key)) return list;
  for (const Json& entry : json_array(json, key, source)) {
    list.push_back(word(Json{{std::string(key), entry}}, key, source));
  }
  return list;
}

void read_optional(Board& board, const Json& json, std::string_view source) {
  constexpr uint64_t kMostHertz = 1'000'000'000;
  board.image_names = words(json, "image_names", source);
  board.jtag = words(json, "jtag", source);
  if (json.contains("idcode")) board.idcode = hexadecimal(json, "idcode", source);
  if (json.contains("ps_clock_hz")) {
    board.ps_clock_hz = static_cast<uint32_t>(json_unsigned(json, "ps_clock_hz", kMostHertz, source));
  }
  if (json.contains("coherent")) {
    if (!json["coherent"].is_boolean()) {
      fail("{}: coherent is {}, expected true or false", source, json_excerpt(json["coherent"]));
    }
    board.coherent = json["coherent"].get<bool>();
  }
  if (json.contains("run_seconds")) {
    const Json& seconds = json["run_seconds"];
    board.run_seconds = seconds.is_number() ? seconds.get<double>() : 0;
    if (!(board.run_seconds >= 0.001 && board.run_seconds <= 1e6)) {
      fail("{}: run_seconds is {}, expected seconds from 0.001 to 1000000", source, json_excerpt(seconds));
    }
  }
  if (json.contains("reserved_memory")) {
    const std::string where = fmt::format("{}: reserved_memory", source);
    const Json& memory = json["reserved_memory"];
    board.reserved_address = hexadecimal(memory, "address", where);
    board.reserved_bytes = Bytes(json_unsigned(memory, "bytes", uint64_t{1} << 32, where));
    if (board.reserved_address + board.reserved_bytes.count() > uint64_t{1} << 32) {
      fail("{}: ends past 4 GiB, which is all that the core's addresses reach", where);
    }
  }
}

}  // namespace

Board Board::load(const std::filesystem::path& path) {
  constexpr Bytes kLimit{1 << 20};
  return parse(read_file(path, kLimit), path.string());
}

Board Board::parse(std::string_view json_text, std::string_view source) {
  const std::vector<std::string> known = {"name",       "part",        "family",         "board_part", "luts",
                                          "flip_flops", "dsps",        "block_rams",     "registers",  "memory_port",
                                          "interrupt",  "image_names", "idcode",         "jtag",       "ps_clock_hz",
                                          "coherent",   "run_seconds", "reserved_memory"};
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
  read_optional(board, json, source);
  return board;
}

}  // namespace vantage::fpga
