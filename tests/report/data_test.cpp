// The data of a page: packed columns, series, instructions.
#include <fmt/format.h>

#include "base/json.h"
#include "report/detail.h"
#include "report/packed.h"
#include "report/series.h"
#include "sim/profile/recorded_run.h"
#include "tests/catch.h"
#include "tests/report/unpack.h"

namespace vantage::test::report_data_test {

using namespace vantage;
using test::numbers;

TEST_CASE("base64 is that of RFC 4648", "[unit]") {
  CHECK(report::base64("") == "");
  CHECK(report::base64("f") == "Zg==");
  CHECK(report::base64("fo") == "Zm8=");
  CHECK(report::base64("foobar") == "Zm9vYmFy");
  CHECK(report::base64(std::string("\xff\xfe\x00", 3)) == "//4A");
}

TEST_CASE("columns give back what was added", "[unit]") {
  const std::vector<int64_t> values = {0, -1, 1, 63, -64, 64, 300, -300, INT64_MAX / 2, INT64_MIN / 2, 0};
  report::Column column;
  for (const int64_t value : values) column.add(value);
  CHECK(numbers(column.packed()) == values);
}

TEST_CASE("texts are split where they have numbers", "[unit]") {
  const auto split = report::split_numbers("alu.add acc8 uop=3:4 imm=-12 dram=A+7");
  CHECK(split.form == "alu.add acc8 uop=#:# imm=# dram=A+#");
  CHECK(split.numbers == std::vector<int64_t>{3, 4, -12, 7});
  CHECK(report::split_numbers("finish").numbers.empty());
  CHECK(report::split_numbers("a -").form == "a -");
}

TEST_CASE("a series of any length has few buckets, and keeps its mean", "[unit]") {
  report::Series series;
  const uint64_t cycles = 10 * report::Series::kMostBuckets;
  for (uint64_t c = 0; c < cycles; c += 4) series.add(c, 1, 2);
  CHECK(series.bucket_cycles() == 16);
  const std::string levels = series.levels(cycles, 1);
  CHECK(levels.size() == cycles / 16);
  for (const char level : levels) REQUIRE(static_cast<uint8_t>(level) == 128);  // 0.5 of 255
  CHECK(series.peak() == Approx(0.5));
  series.widen(64);
  CHECK(series.levels(cycles, 1).size() == cycles / 64);
}

TEST_CASE("what happens at all is seen, and what is beyond full is cut off", "[unit]") {
  report::Series series;
  series.add(0, 1, 0.0001);
  series.add(2, 1, 7);
  CHECK(series.levels(3, 1) == std::string("\x01\x00\xff", 3));
}

TEST_CASE("instructions become columns of differences", "[unit]") {
  report::Detail detail;
  detail.add({0, 5, 6, 9, 10, 0, -1, "load.inp sram=0 x=4"});
  detail.add({1, 7, 8, 8, 11, 2, 0, "gemm uop=0:1"});
  detail.add({2, 9, 10, 13, 14, 0, -1, "load.inp sram=4 x=4"});
  const Json json = detail.json(report::Detail::Extent::kAll);
  CHECK(json["count"] == 3);
  CHECK(json["kinds"].dump() == R"([{"name":"load.inp","engine":0},{"name":"gemm","engine":2}])");
  const auto column = [&](const char* name) { return numbers(json["columns"][name].get<std::string>()); };
  CHECK(column("kind") == std::vector<int64_t>{0, 1, 0});
  CHECK(column("engine") == std::vector<int64_t>{0, 0, 0});
  CHECK(column("dispatched") == std::vector<int64_t>{0, 1, 1});
  CHECK(column("issued") == std::vector<int64_t>{5, 7, 4});  // by stage
  CHECK(column("began") == std::vector<int64_t>{1, 1, 1});
  CHECK(column("ended") == std::vector<int64_t>{3, 0, 3});
  CHECK(column("retired") == std::vector<int64_t>{1, 3, 1});
  CHECK(column("waited_for") == std::vector<int64_t>{0, 1, 0});
  REQUIRE(json["forms"].size() == 2);
  CHECK(json["forms"][0]["text"] == "load.inp sram=# x=#");
  CHECK(numbers(json["forms"][0]["numbers"][0].get<std::string>()) == std::vector<int64_t>{0, 4});
  CHECK_FALSE(detail.json(report::Detail::Extent::kNoTexts).contains("forms"));
  CHECK_FALSE(detail.json(report::Detail::Extent::kWorkOnly)["columns"].contains("dispatched"));
}

}  // namespace vantage::test::report_data_test
