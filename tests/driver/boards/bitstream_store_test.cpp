#include "driver/boards/bitstream_store.h"

#include <random>

#include "base/cache_seal.h"
#include "base/file.h"
#include "base/json.h"
#include "base/trusted_file.h"
#include "hw/isa/config_name.h"
#include "tests/catch.h"
#include "tests/driver/boards/bit_bytes.h"
#include "tests/support/damage.h"
#include "tests/support/effort.h"
#include "tests/support/generator.h"
#include "tests/support/temporary.h"

namespace vantage::test::driver_boards_bitstream_store_test {

using namespace vantage;
using namespace vantage::test;
using boards::BitstreamStore;
using State = boards::BitstreamState;

namespace {

const auto kSilent = [](const std::string&) {};

// A manifest of one bitstream that lies in a file, and a cache for it.
struct Shelf {
  explicit Shelf(const Json& changes = Json::object()) {
    source = folder.file("source.bit", bit_bytes());
    const auto original = boards::make_bitstream("one", bit_bytes());
    entry = {{"name", "one"},
             {"boards", {"pynq-z1"}},
             {"part", "7z020clg400"},
             {"hardware_version", "0.0.2"},
             {"configuration", "1x16_i8w8a32_15_15_18_17"},
             {"register_map", "published"},
             {"clock_mhz", 100},
             {"source", "file://" + source.string()},
             {"sha256", original.sha256},
             {"bytes", original.contents.size()},
             {"licence", nullptr}};
    entry.update(changes);
  }
  BitstreamStore store() const {
    return {folder.file("manifest.json", Json{{"bitstreams", {entry}}}.dump()), folder.path() / "cache"};
  }

  // A note in the cache of what was built.
  std::filesystem::path note(const std::string& name, const Json& built, bool sealed) const {
    const auto cache = folder.path() / "cache";
    const std::string seal = CacheSeal(cache).of("bitstream " + built.dump());
    const auto path = cache / (name + ".json");
    const std::string given = sealed ? seal : std::string(64, '0');
    write_trusted_file(path, Json{{"entry", built}, {"seal", given}}.dump() + "\n");
    return path;
  }

  TemporaryFolder folder;
  std::filesystem::path source;
  Json entry;
};

}  // namespace

TEST_CASE("the shipped manifest is sound", "[unit]") {
  const TemporaryFolder cache;
  const BitstreamStore store(source_dir() / "bitstreams" / "manifest.json", cache.path());
  CHECK(store.entries().size() >= 4);
  for (const auto& entry : store.entries()) {
    INFO(entry.name);
    CHECK(isa::config_of_name(entry.configuration).name() == entry.configuration);
    CHECK(store.check(entry).state == State::kAbsent);
    for (const std::string& board : entry.boards) {
      const auto path = source_dir() / "configs" / "boards" / (board + ".json");
      CHECK(boards::same_part(entry.part, fpga::Board::load(path).part));
    }
    CHECK(std::filesystem::exists(source_dir() / "configs/boards/register_maps" / (entry.register_map + ".json")));
  }
}

TEST_CASE("a bitstream is fetched when it is what the manifest says", "[unit]") {
  const Shelf shelf;
  const BitstreamStore store = shelf.store();
  const auto& entry = store.find("one");
  CHECK_THAT(ERROR_OF(store.load(entry)), ContainsSubstring("`vantage bitstream fetch one`"));
  store.fetch(entry, entry.source, kSilent);
  CHECK(store.check(entry).state == State::kVerified);
  const auto loaded = store.load(entry);
  CHECK(loaded.verified);
  CHECK(loaded.register_map == "published");
  CHECK(loaded.contents == bit_bytes());
  // The same bytes from anywhere are known by their hash.
  CHECK(store.load_file(shelf.source).verified);
  CHECK_FALSE(store.load_file(shelf.folder.file("other.bit", bit_bytes("7z020clg400", configuration(1)))).verified);

  write_file(store.file(entry), bit_bytes("7z020clg400", configuration(1)));
  CHECK(store.check(entry).state == State::kDamaged);
  CHECK_THAT(ERROR_OF(store.load(entry)), ContainsSubstring("get it again with"));
  write_file(store.file(entry), "no bitstream");
  CHECK(store.check(entry).state == State::kDamaged);
  CHECK_THAT(ERROR_OF(store.find("two")), ContainsSubstring("there is no bitstream two"));
}

TEST_CASE("what is fetched and is something else is not kept", "[unit]") {
  for (const auto& [change, reason] : std::vector<std::pair<Json, std::string>>{
           {{{"sha256", std::string(64, 'a')}}, "expected " + std::string(64, 'a')},
           {{{"bytes", 7}}, "expected 7"},
           {{{"part", "7z010clg400"}}, "expected 7z010clg400"}}) {
    const Shelf shelf(change);
    const BitstreamStore store = shelf.store();
    const auto& entry = store.find("one");
    CHECK_THAT(ERROR_OF(store.fetch(entry, entry.source, kSilent)), ContainsSubstring(reason));
    CHECK(store.check(entry).state == State::kAbsent);
  }
  const Shelf shelf;
  const auto store = shelf.store();
  CHECK_THAT(ERROR_OF(store.fetch(store.find("one"), "file:///nowhere/x.bit", kSilent)),
             ContainsSubstring("curl failed with status 37"));
}

TEST_CASE("without a hash a bitstream is not verified", "[unit]") {
  const Shelf shelf({{"sha256", nullptr}, {"bytes", nullptr}});
  const auto store = shelf.store();
  const auto& entry = store.find("one");
  store.fetch(entry, entry.source, kSilent);
  CHECK(store.check(entry).state == State::kUnverified);
  CHECK_THAT(store.check(entry).text, ContainsSubstring("no hash to compare with; it is "));
  CHECK_FALSE(store.load(entry).verified);
}

TEST_CASE("mistakes in a manifest are named", "[unit]") {
  const auto error_with = [](const Json& change) {
    const Shelf shelf(change);
    return ERROR_OF(shelf.store());
  };
  CHECK_THAT(error_with({{"name", "../../etc/passwd"}}), ContainsSubstring("expected letters, digits and . _ - only"));
  CHECK_THAT(error_with({{"sha256", "ABC"}}), ContainsSubstring("expected 64 digits of lower-case hexadecimal"));
  CHECK_THAT(error_with({{"clock_mhz", 1e300}}), ContainsSubstring("expected a number from 1 to 1000"));
  CHECK_THAT(error_with({{"boards", Json::array()}}), ContainsSubstring("boards is empty"));
  CHECK_THAT(error_with({{"size", 3}}), ContainsSubstring("unknown key \"size\""));
}

TEST_CASE("notes in the cache stand for what was built here, and for nothing else", "[unit]") {
  const std::string hash(64, 'a');
  const auto store_with = [&](const Json& changes, const Json& note, bool sealed = true) {
    const Shelf shelf(changes);
    Json json = shelf.entry;
    json.update({{"source", "build"}, {"sha256", hash}});
    json.update(note);
    shelf.note("note", json, sealed);
    return shelf.store();
  };
  // What is fetched is compared with the manifest's hash.
  const BitstreamStore fetched = store_with(Json::object(), Json::object());
  CHECK(fetched.find("one").sha256 != hash);
  REQUIRE(fetched.warnings().size() == 1);
  CHECK_THAT(fetched.warnings()[0],
             ContainsSubstring("note.json: one is a bitstream that is fetched, as the manifest says"));
  // A recipe's result is what was built, and so is what the manifest does not know.
  const BitstreamStore recipe = store_with(Json{{"source", "build"}}, Json::object());
  CHECK(recipe.find("one").sha256 == hash);
  CHECK(recipe.entries().size() == 1);
  CHECK(recipe.warnings().empty());
  CHECK(store_with(Json::object(), Json{{"name", "two"}}).find("two").built_here);
  // One that merely lies there says nothing, however right it is.
  const BitstreamStore forged = store_with(Json{{"source", "build"}}, Json::object(), false);
  CHECK(forged.find("one").sha256 != hash);
  REQUIRE(forged.warnings().size() == 1);
  CHECK_THAT(forged.warnings()[0], ContainsSubstring("note.json: it has not the seal of what was built"));
  // One that is damaged does no harm to the others.
  for (const Json& damage : {Json{{"sha256", "ABC"}}, Json{{"source", "https://a.test/one.bit"}}, Json{{"size", 1}}}) {
    const BitstreamStore store = store_with(Json{{"source", "build"}}, damage);
    CHECK(store.entries().size() == 1);
    REQUIRE(store.warnings().size() == 1);
    CHECK_THAT(store.warnings()[0], ContainsSubstring("note.json: ") && ContainsSubstring("build the bitstream again"));
  }
}

TEST_CASE("no damaged bitstream is loaded, whether it is the file or the note of its build", "[property]") {
  std::mt19937_64 random = test::generator(1);
  for (int i = 0; i < rounds(333); ++i) {
    const Shelf shelf;
    Json built = shelf.entry;
    built.update({{"source", "build"}, {"name", "built"}});
    const auto note = shelf.note("built", built, true);
    const auto file = note.parent_path() / "built.bit";
    write_trusted_file(file, bit_bytes());
    if (i == 0) {
      const BitstreamStore store = shelf.store();
      REQUIRE(store.load(store.find("built")).verified);
    }
    INFO(i << ": " << damage(random() % 2 == 0 ? file : note, random));
    const BitstreamStore store = shelf.store();
    CHECK_THAT(ERROR_OF(store.load(store.find("built"))), ContainsSubstring("bitstream built"));
  }
}

TEST_CASE("what cannot become a bitstream is refused before Vivado runs", "[unit]") {
  const auto board = fpga::Board::load(source_dir() / "configs/boards/pynq-z1.json");
  Json keys = isa::Config::vta_default().to_json();
  keys["CLOCK_MHZ"] = 2000;
  const auto fast = isa::Config::from_json(keys, "fast");
  const Shelf shelf(Json{{"name", "vantage-pynq-z1-1x16_i8w8a32_15_15_18_17"}});
  BitstreamStore store = shelf.store();
  CHECK_THAT(ERROR_OF(store.build(fast, board, kSilent)), ContainsSubstring("CLOCK_MHZ is 2000, expected 1 to 1000"));
  CHECK_THAT(ERROR_OF(store.build(isa::Config::vta_default(), board, kSilent)),
             ContainsSubstring("vantage bitstream fetch vantage-pynq-z1-1x16_i8w8a32_15_15_18_17"));
}

TEST_CASE("Vivado's bitstream is kept with its hash", "[unit]") {
  const Shelf shelf;
  BitstreamStore store = shelf.store();
  const auto board = fpga::Board::load(source_dir() / "configs/boards/pynq-z1.json");
  const auto config = isa::Config::vta_default();
  const std::string path = std::getenv("PATH");
  ::setenv("PATH", "/usr/bin:/bin", 1);
  CHECK_THAT(ERROR_OF(store.build(config, board, kSilent)), ContainsSubstring("the program vivado is missing"));

  // A Vivado that only copies: what it is called with, and what is taken from it.
  const TemporaryFolder tools;
  tools.file("made.bit", bit_bytes());
  const auto vivado = tools.file("vivado", fmt::format("#!/bin/sh\n[ \"$6\" = vivado.tcl ] && [ -f vta.sv ] && cp {} "
                                                       "vta-1x16_i8w8a32_15_15_18_17.bit\n",
                                                       (tools.path() / "made.bit").string()));
  std::filesystem::permissions(vivado, std::filesystem::perms::owner_all);
  ::setenv("PATH", (tools.path().string() + ":/usr/bin:/bin").c_str(), 1);
  const auto entry = store.build(config, board, kSilent);
  // Another that only differs in what a configuration's string does not say is another bitstream.
  auto keys = config.keys();
  keys.log_bus_width = 7;
  keys.clock_mhz = 50;
  const auto wide = isa::Config::from_keys(keys, "wide");
  const auto other = store.build(wide, board, kSilent);
  ::setenv("PATH", path.c_str(), 1);
  CHECK(other.name == entry.name + "-log_bus_width-7-clock_mhz-50");
  CHECK(store.load(other).config == wide);
  CHECK(store.load(entry).config == config);
  CHECK(entry.name == "vantage-pynq-z1-1x16_i8w8a32_15_15_18_17");
  CHECK(store.check(entry).state == State::kVerified);
  // It is known to the next who looks.
  const BitstreamStore again = shelf.store();
  CHECK(again.load(again.find(entry.name)).verified);
  CHECK(again.find(entry.name).built_here);
}

}  // namespace vantage::test::driver_boards_bitstream_store_test
