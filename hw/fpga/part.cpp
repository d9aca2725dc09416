#include "hw/fpga/part.h"

#include <fmt/format.h>

#include "base/file.h"
#include "base/json_object.h"

namespace vantage::fpga {

Part Part::of_board(const Board& board) {
  return {board.name,       board.part, board.family,     board.luts,
          board.flip_flops, board.dsps, board.block_rams, fmt::format("the board {}", board.name)};
}

Part Part::load(const std::filesystem::path& path) {
  constexpr Bytes kLimit{1 << 20};
  return parse(read_file(path, kLimit), path.string());
}

Part Part::parse(std::string_view json_text, std::string_view source) {
  const Json json = parse_json(json_text, source);
  const JsonObject object(json, std::string(source),
                          {"name", "part", "family", "source", "luts", "flip_flops", "dsps", "block_rams"});
  constexpr uint64_t kMostOfAKind = 100'000'000;
  const auto count = [&](std::string_view key) { return object.natural(key, 0, kMostOfAKind); };
  return {object.line("name"), object.line("part"),  object.one_of("family", {"xc7", "xcup"}),
          count("luts"),       count("flip_flops"),  count("dsps"),
          count("block_rams"), object.line("source")};
}

Json to_json(const Part& part) {
  return {{"name", part.name},     {"part", part.part},
          {"family", part.family}, {"source", part.source},
          {"luts", part.luts},     {"flip_flops", part.flip_flops},
          {"dsps", part.dsps},     {"block_rams", part.block_rams}};
}

}  // namespace vantage::fpga
