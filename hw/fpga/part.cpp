#include "hw/fpga/part.h"

#include "base/file.h"
#include "base/json_object.h"

namespace vantage::fpga {

Part Part::of_board(const Board& board) {
  return {board.name, board.part, board.family, board.luts, board.flip_flops, board.dsps, board.block_rams};
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
  object.string("source");  // for whoever reads the file
  return {object.string("name"), object.string("part"), object.one_of("family", {"xc7", "xcup"}),
          count("luts"),         count("flip_flops"),   count("dsps"),
          count("block_rams")};
}

}  // namespace vantage::fpga
