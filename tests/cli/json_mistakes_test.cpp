// Mistakes in the JSON files that people write, and what is answered. The golden file is the table: a line with the
// kind of file and what is wrong in it, then the message. `KIND PATCH` is a sound file with a JSON merge patch (RFC
// 7386: null removes a key), `KIND = TEXT` the whole text.
#include <filesystem>
#include <functional>
#include <map>
#include <sstream>

#include "base/file.h"
#include "base/json.h"
#include "driver/boards/bitstream_entry.h"
#include "driver/boards/bitstream_store.h"
#include "driver/boards/run_protocol.h"
#include "hw/energy/energy_model.h"
#include "hw/fpga/board.h"
#include "hw/fpga/part.h"
#include "hw/memory/memory_timing.h"
#include "hw/program/bundle.h"
#include "hw/program/program.h"
#include "tests/catch.h"
#include "tests/support/golden.h"
#include "tests/support/temporary.h"
#include "workload/mlp.h"

namespace vantage::test::cli_json_mistakes_test {

using namespace vantage;

namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& file) {
  return read_file(test::source_dir() / file, Bytes(1 << 20));
}

struct Reader {
  std::string sound;                             // the text that patches are applied to
  std::function<void(const std::string&)> read;  // throws Error
};

// A program file around this header, with the checksum that is right.
std::string program_file(const std::string& header) {
  std::string file = serialize(Program{isa::Config::vta_default(), {isa::Finish{}}, {}, {}, {}});
  const auto put = [&](size_t at, uint32_t value) {
    for (size_t i = 0; i < 4; ++i) file[at + i] = static_cast<char>(value >> (8 * i));
  };
  file = file.substr(0, 16) + header + file.substr(file.size() - isa::kInsnBytes);
  put(8, static_cast<uint32_t>(header.size()));
  file[12] ^= 1;  // wrong now, and the message says what would be right
  const std::string message = ERROR_OF(parse_program(file, "f")), before = "the checksum is ";
  if (const size_t at = message.find(before); at != std::string::npos) {
    put(12, static_cast<uint32_t>(std::stoul(message.substr(at + before.size(), 8), nullptr, 16)));
  }
  return file;
}

std::string program_header() {
  const std::string file = serialize(Program{isa::Config::vta_default(), {isa::Finish{}}, {}, {}, {}});
  return file.substr(16, static_cast<unsigned char>(file[8]) + 256 * static_cast<unsigned char>(file[9]));
}

// Readers of single files, and of folders that hold one.
std::map<std::string, Reader> readers(const TemporaryFolder& folder) {
  const auto in_folder = [&folder](const std::string& name, const std::string& text) {
    folder.file(name, text);
    return folder.path();
  };
  for (const auto& entry : fs::directory_iterator(test::source_dir() / "examples" / "mnist_mlp")) {
    if (entry.path().filename() != "mlp.json")
      fs::create_symlink(entry.path(), folder.path() / entry.path().filename());
  }
  for (const auto& entry : fs::directory_iterator(test::source_dir() / "tests/data/bundles/gemm_16x64x32")) {
    if (entry.path().filename() != "bundle.json") fs::copy(entry.path(), folder.path());
  }
  const Json manifest = parse_json(text_of("bitstreams/manifest.json"), "manifest");
  return {
      {"config",
       {text_of("configs/accelerators/default.json"), [](const auto& t) { isa::Config::parse(t, "c.json"); }}},
      {"memory",
       {text_of("configs/memory/pynq-ddr3.json"), [](const auto& t) { MemoryTiming::parse(t, "m.json", 100); }}},
      {"part", {text_of("configs/parts/xc7z020.json"), [](const auto& t) { fpga::Part::parse(t, "p.json"); }}},
      {"energy",
       {text_of("configs/energy/45nm.json"),
        [](const auto& t) { energy::EnergyModel::parse(t, "e.json", [](const auto&) { return std::string(); }); }}},
      {"board", {text_of("configs/boards/pynq-z1.json"), [](const auto& t) { fpga::Board::parse(t, "b.json"); }}},
      {"registers",
       {text_of("configs/boards/register_maps/published.json"),
        [](const auto& t) { boards::RunProtocol::parse(t, "r.json"); }}},
      {"manifest",
       {manifest.dump(),
        [=](const auto& t) {
          boards::BitstreamStore(in_folder("manifest.json", t) / "manifest.json", "/nonexistent");
        }}},
      {"bitstream",
       {manifest["bitstreams"][0].dump(),
        [](const auto& t) { boards::BitstreamEntry::from_json(parse_json(t, "manifest.json"), "manifest.json"); }}},
      {"program", {program_header(), [](const auto& t) { parse_program(program_file(t), "p.vta"); }}},
      {"bundle",
       {text_of("tests/data/bundles/gemm_16x64x32/bundle.json"),
        [=](const auto& t) { load_bundle(in_folder("bundle.json", t)); }}},
      {"mlp",
       {text_of("examples/mnist_mlp/mlp.json"),
        [=](const auto& t) { workload::load_mlp(in_folder("mlp.json", t), 10); }}},
  };
}

}  // namespace

TEST_CASE("mistakes in JSON files are answered with file, key, value and remedy", "[golden]") {
  const TemporaryFolder folder;
  const auto known = readers(folder);
  for (const auto& [kind, reader] : known) {
    INFO(kind);
    CHECK_NOTHROW(reader.read(reader.sound));
  }
  std::istringstream table(text_of("tests/data/golden/json_mistakes.txt"));
  std::string line, text;
  int cases = 0;
  while (std::getline(table, line)) {
    if (line.starts_with("  ")) continue;  // a message, which is written anew
    text += line + "\n";
    if (line.empty() || line.starts_with("#")) continue;
    ++cases;
    const size_t space = line.find(' ');
    const Reader& reader = known.at(line.substr(0, space));
    std::string wrong = line.substr(space + 1);
    if (wrong.starts_with("= ")) {
      wrong = wrong.substr(2);
    } else {
      Json json = parse_json(reader.sound, "sound");
      json.merge_patch(parse_json(wrong, line));
      wrong = json.dump();
    }
    std::string message = ERROR_OF(reader.read(wrong));
    CHECK_FALSE(message.empty());
    const std::string here = folder.path().string() + "/";
    for (size_t at = message.find(here); at != std::string::npos; at = message.find(here))
      message.erase(at, here.size());
    text += "  " + message + "\n";
  }
  CHECK(cases >= 60);
  const std::string difference = test::compare_golden("json_mistakes.txt", text);
  if (!difference.empty()) FAIL(difference);
}

}  // namespace vantage::test::cli_json_mistakes_test
