// Mappings are kept, and what is kept is no more trusted than a file of a stranger's.
#include "workload/mapping_search.h"

#include <fstream>

#include "base/json.h"
#include "compiler/ops/conv2d/vta_mapping_file.h"
#include "tests/catch.h"
#include "tests/support/temporary.h"

namespace vantage::test::workload_mapping_search_test {

using namespace vantage;
using workload::find_mapping;
using workload::MappingCache;

namespace {

workload::MappingRequest request() {
  return {.shape = {1, 40, 6, 6, 24, 3, 3, 1, 1}, .epilogue = {true, 8, 0, 127}, .config = isa::Config::vta_default()};
}

std::vector<std::filesystem::path> files(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> all;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) all.push_back(entry.path());
  return all;
}

void write(const std::filesystem::path& file, const std::string& text) {
  std::ofstream(file) << text;
}

}  // namespace

TEST_CASE("nothing is faster than its bound, however few bursts memory takes and however beats pass", "[unit]") {
  const test::TemporaryFolder folder;
  for (const char* memory :
       {R"({"name": "one", "max_reads": 1, "read_latency": 1})", R"({"name": "one", "max_reads": 1})",
        R"({"name": "two", "max_reads": 2})", R"({"name": "four", "max_reads": 4})",
        R"({"name": "one", "max_writes": 1, "write_latency": 1})", R"({"name": "slow", "gbytes_per_s": 0.402})",
        R"({"name": "at once", "gbytes_per_s": 0.542, "read_latency": 0})"}) {
    for (const Conv2dShape& shape : {Conv2dShape{.batch = 1, .in_channels = 256, .out_channels = 1024},
                                     Conv2dShape{.batch = 16, .in_channels = 16, .out_channels = 16}}) {
      auto r = request();
      r.shape = shape;
      r.memory = MemoryTiming::parse(memory, "memory", r.config.clock_mhz());
      const auto found = find_mapping(r, MappingCache{folder.path() / "mappings", "1"});
      INFO(memory << " " << shape.batch);
      CHECK(static_cast<int64_t>(found.cycles) >= found.bound.cycles());
    }
  }
}

TEST_CASE("a mapping is searched for once", "[unit]") {
  const test::TemporaryFolder folder;
  const MappingCache cache{folder.path() / "mappings", "1"};
  const auto found = find_mapping(request(), cache);
  REQUIRE(files(cache.folder).size() == 1);
  const auto again = find_mapping(request(), cache);
  CHECK(again.mapping == found.mapping);
  CHECK(again.cycles == found.cycles);
  CHECK(again.bound.cycles() == found.bound.cycles());
  CHECK(again.weighed == found.weighed);
  CHECK(again.second == found.second);
  CHECK(again.improvements.size() == found.improvements.size());

  // What is there is what counts: another time in the file is another time told.
  const std::filesystem::path file = files(cache.folder)[0];
  const ops::VtaConv2dMapping other(ops::VtaConv2dTiling{.h = 2});
  write(file, R"({"cycles": 123456, "weighed": 7, "mapping": )" + ops::to_json(other).dump() + "}");
  CHECK(find_mapping(request(), cache).mapping == other);
  CHECK(find_mapping(request(), cache).cycles == 123456);

  // Another layer, memory, tiling or version is another file.
  auto changed = request();
  changed.memory.rate = {1, 1};
  find_mapping(changed, cache);
  changed = request();
  changed.tiling.h = 3;
  find_mapping(changed, cache);
  changed = request();
  changed.shape.out_channels = 25;
  find_mapping(changed, cache);
  find_mapping(request(), MappingCache{cache.folder, "2"});
  CHECK(files(cache.folder).size() == 5);
}

TEST_CASE("what a cache holds that is no mapping of the layer is searched for anew", "[unit]") {
  const test::TemporaryFolder folder;
  const MappingCache cache{folder.path() / "mappings", "1"};
  const auto found = find_mapping(request(), cache);
  const std::filesystem::path file = files(cache.folder)[0];
  for (const char* text :
       {"", "{", "[]", "{}", R"({"cycles": 1, "weighed": 1, "mapping": {"parts": []}})",
        R"({"cycles": 0, "weighed": 1, "mapping": {"parts": [{}]}})",
        R"({"cycles": 9, "weighed": 1, "mapping": {"parts": [{"h": [0, 2]}]}})",
        R"({"cycles": 9, "weighed": 1, "improvements": [1], "mapping": {"parts": [{}]}})",
        R"({"cycles": 9, "weighed": 1, "mapping": {"parts": [{"tile": {"h": 6, "w": 6, "ic": 3}, "threads": 16}]}})"}) {
    write(file, text);
    INFO(text);
    const auto again = find_mapping(request(), cache);
    CHECK(again.mapping == found.mapping);
    CHECK(again.cycles == found.cycles);
  }
}

TEST_CASE("without a folder to keep them in, mappings are found all the same", "[unit]") {
  const auto found = find_mapping(request(), std::nullopt);
  CHECK(find_mapping(request(), MappingCache{"/proc/none", "1"}).mapping == found.mapping);
}

TEST_CASE("a core with twice as much of something may be impossible, and says why", "[unit]") {
  const auto all = workload::what_ifs(request());
  REQUIRE(all.size() == 3);
  for (const workload::WhatIf& what : all) {
    INFO(what.change);
    CHECK((what.cycles == 0) == !what.impossible.empty());
  }
  CHECK(all[0].cycles <= find_mapping(request(), std::nullopt).cycles);
}

}  // namespace vantage::test::workload_mapping_search_test
