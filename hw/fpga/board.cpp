#include "hw/fpga/board.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <vector>

#include "base/error.h"
#include "base/file.h"
#include "base/json_object.h"
#include "hw/isa/register_map.h"

namespace vantage::fpga {

namespace {

uint32_t hexadecimal(const JsonObject& json, std::string_view key) {
  const Json& found = json.value(key);
  const std::string text = found.is_string() ? found.get<std::string>() : "";
  uint32_t value = 0;
  const char* first = text.data() + std::min<size_t>(2, text.size());
  const char* last = text.data() + text.size();
  const auto valid = [&] {
    if (text.size() < 3 || !text.starts_with("0x")) return false;
    const auto [end, error] = std::from_chars(first, last, value, 16);
    return end == last && error == std::errc();
  };
  if (!valid()) json.refuse(key, "32 bits as text, such as \"0x43c00000\"");
  return value;
}

// Whether `text` may go into other tools' scripts: letters, digits, and what part numbers have between them.
bool is_word(std::string_view text) {
  const auto ok = [](unsigned char c) {
    return std::isalnum(c) != 0 || std::string_view("._:-").find(static_cast<char>(c)) != std::string_view::npos;
  };
  return !text.empty() && std::all_of(text.begin(), text.end(), ok);
}

std::string word(const JsonObject& json, std::string_view key) {
  std::string text = json.string(key);
  if (!is_word(text)) json.refuse(key, "letters, digits and . _ : - only");
  return text;
}

// A list of them, empty without the key.
std::vector<std::string> words(const JsonObject& json, std::string_view key) {
  auto list = json.optional(key, &JsonObject::strings).value_or(std::vector<std::string>());
  if (!std::all_of(list.begin(), list.end(), is_word)) json.refuse(key, "strings of letters, digits and . _ : - only");
  return list;
}

void read_reserved_memory(Board& board, const JsonObject& memory) {
  board.reserved_address = hexadecimal(memory, "address");
  board.reserved_bytes = Bytes(memory.natural("bytes", 0, isa::kAddressSpace.count()));
  if (board.reserved_address + board.reserved_bytes.count() > isa::kAddressSpace.count()) {
    fail("{}: address is {} and bytes is {}, which ends past the {} GiB that the core's addresses reach; use less",
         memory.where(), memory.string("address"), board.reserved_bytes.count(), isa::kAddressSpace.count() >> 30);
  }
}

void read_optional(Board& board, const JsonObject& json) {
  constexpr int kMostHertz = 1'000'000'000;
  board.image_names = words(json, "image_names");
  board.jtag = words(json, "jtag");
  constexpr int kMostMegahertz = 5000;
  if (json.has("max_clock_mhz")) board.max_clock_mhz = json.integer("max_clock_mhz", 1, kMostMegahertz);
  if (json.has("board_part")) board.board_part = word(json, "board_part");
  if (json.has("idcode")) board.idcode = hexadecimal(json, "idcode");
  if (json.has("ps_clock_hz")) board.ps_clock_hz = static_cast<uint32_t>(json.integer("ps_clock_hz", 0, kMostHertz));
  if (json.has("coherent")) board.coherent = json.boolean("coherent");
  if (json.has("run_seconds")) board.run_seconds = json.number("run_seconds", 0.001, 1e6);
  if (json.has("reserved_memory")) read_reserved_memory(board, json.object("reserved_memory", {"address", "bytes"}));
}

}  // namespace

Board Board::load(const std::filesystem::path& path) {
  constexpr Bytes kLimit{1 << 20};
  return parse(read_file(path, kLimit), path.string());
}

Board Board::parse(std::string_view json_text, std::string_view source) {
  const Json json = parse_json(json_text, source);
  const JsonObject object(json, std::string(source),
                          {"name", "part", "family", "board_part", "luts", "flip_flops", "dsps", "block_rams",
                           "max_clock_mhz", "registers", "memory_port", "interrupt", "image_names", "idcode", "jtag",
                           "ps_clock_hz", "coherent", "run_seconds", "reserved_memory"});
  constexpr uint64_t kMost = 100'000'000;
  Board board;
  board.name = word(object, "name");
  board.part = word(object, "part");
  board.family = object.one_of("family", {"xc7", "xcup"});
  board.luts = object.natural("luts", 0, kMost);
  board.flip_flops = object.natural("flip_flops", 0, kMost);
  board.dsps = object.natural("dsps", 0, kMost);
  board.block_rams = object.natural("block_rams", 0, kMost);
  board.registers = hexadecimal(object, "registers");
  board.memory_port = word(object, "memory_port");
  board.interrupt = object.natural("interrupt", 0, 1024);
  read_optional(board, object);
  return board;
}

}  // namespace vantage::fpga
