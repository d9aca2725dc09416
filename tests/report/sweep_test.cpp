// The document of a page about a sweep: columns, designs that can be run again, layers that are worth their room.
#include "report/sweep.h"

#include <bit>
#include <cmath>

#include "base/json.h"
#include "explore/database.h"
#include "hw/isa/config.h"
#include "report/page.h"
#include "report/sweep_layers.h"
#include "report/table_column.h"
#include "tests/catch.h"
#include "tests/report/unpack.h"
#include "tests/support/temporary.h"

namespace vantage::test::report_sweep_test {

using namespace vantage;
using report::TableColumn;
using test::numbers;
using test::unpacked;

namespace {

const explore::Method kSweepMethod = {"1.0", "quick"};

// The values of a column as JSON, with null for nothing, as the page's script reads them.
Json values_of(const Json& column, size_t rows) {
  Json values = Json::array();
  if (column.contains("codes")) {
    const Json list = column.contains("texts") ? parse_json(unpacked(column["texts"]), "texts") : column["values"];
    for (const int64_t code : numbers(column["codes"])) values.push_back(list.at(static_cast<size_t>(code)));
  } else if (column.contains("integers")) {
    for (const int64_t value : numbers(column["integers"])) values.push_back(value);
    size_t row = 0;
    for (const int64_t step : numbers(column["missing"])) values[row += static_cast<size_t>(step)] = nullptr;
  } else {
    const std::string bytes = unpacked(column["floats"]);
    for (size_t row = 0; row < rows; ++row) {
      uint32_t bits = 0;
      for (size_t i = 0; i < 4; ++i) bits |= uint32_t{static_cast<uint8_t>(bytes.at(i * rows + row))} << 8 * i;
      const auto value = std::bit_cast<float>(bits);
      values.push_back(std::isnan(value) ? Json() : Json(value));
    }
  }
  CHECK(values.size() == rows);
  return values;
}

Json round_trip(const Json& values) {
  TableColumn column;
  for (const Json& value : values) column.add(value);
  return values_of(column.json(), values.size());
}

explore::Design design_of(int log_bus, int clock_mhz) {
  Json json = isa::Config::vta_default().to_json();
  json["LOG_BUS_WIDTH"] = log_bus;
  json["CLOCK_MHZ"] = clock_mhz;
  return {isa::Config::from_json(json, "test"), {}};
}

// Two buses and two clocks; on one bus a layer fails, and one design has another workload besides.
void make_database(const std::string& file) {
  explore::Database database(file);
  database.set_rejections(database.add_sweep(R"({"base":"default"})", {"net"}, "1.0"), {{{"MACS == 1", "x"}, 7}});
  const int64_t net = database.add_workload("net", "seed 1", kSweepMethod);
  const int64_t other = database.add_workload("other", "", kSweepMethod);
  const ops::VtaTask first = ops::VtaConv2d{{1, 16, 8, 8, 16, 3, 3, 1, 1}, {}};
  const ops::VtaTask second = ops::VtaConv2d{{1, 32, 8, 8, 16, 3, 3, 1, 1}, {}};
  for (const int log_bus : {6, 7, 8}) {
    for (const int clock : {100, 200}) {
      const auto id = database.add(design_of(log_bus, clock));
      database.add_layers(id.design, net, {{{"a", first, 100, 1}, {"b", second, 200, 3}}, {}});
      if (log_bus == 6) database.add_layers(id.design, other, {{{"c", first, 100, 1}}, {}});
      for (const auto& layer : database.open_layers(id.design, net)) {
        if (!database.known(id.core, layer.task, kSweepMethod)) {  // clocks have the same core
          explore::Evaluation e{static_cast<uint64_t>(1000 - 10 * log_bus), 90, "reads", 7, {}};
          e.counters.inp_load_nbytes = 5000;
          if (log_bus == 8) {
            database.add_failure(id.core, layer.task, kSweepMethod, "no room for " + std::to_string(layer.task));
          } else {
            database.add_result(id.core, layer.task, kSweepMethod, e);
          }
        }
        const int64_t program = database.known(id.core, layer.task, kSweepMethod)->program;
        database.set_program(id.design, net, layer.number, program);
      }
    }
  }
}

Json values_called(const Json& list, const std::string& name, size_t rows) {
  for (const Json& each : list) {
    if (each["name"] == name) return values_of(each["column"], rows);
  }
  FAIL("there is no " << name);
  return {};
}

}  // namespace

TEST_CASE("columns of a table come back as they were", "[unit]") {
  CHECK(round_trip({1, 2, nullptr, 1}) == Json{1, 2, nullptr, 1});
  CHECK(round_trip({"a", nullptr, "b", "a"}) == Json{"a", nullptr, "b", "a"});
  CHECK(round_trip({nullptr, nullptr}) == Json{nullptr, nullptr});
  CHECK(round_trip({0.25, 1}) == Json{0.25, 1.0});
  Json many = {nullptr}, floats = {nullptr};
  for (int i = 0; i < 3000; ++i) {
    many.push_back(i % 7 == 3 ? Json() : Json(int64_t{1} << 40 | int64_t{37} * i));
    floats.push_back(i % 7 == 3 ? Json() : Json(static_cast<float>(i) + 0.5F));
  }
  CHECK(round_trip(many) == many);
  CHECK(round_trip(floats) == floats);
}

TEST_CASE("a column knows whether its rows are alike", "[unit]") {
  TableColumn column;
  column.add_nothing();
  CHECK_FALSE(column.varies());
  CHECK(column.value() == nullptr);
  column.add(3);
  CHECK(column.varies());
  TableColumn texts;
  texts.add("x");
  texts.add("x");
  CHECK_FALSE(texts.varies());
  CHECK(texts.value() == "x");
}

TEST_CASE("those on a front are wanted first, then the fastest", "[unit]") {
  const double none = std::nan("");
  const std::vector<double> time = {5, 1, none, 2, 3, 3}, area = {1, 9, 0, 10, 7, 2};
  CHECK(report::most_wanted(time, {area}) == std::vector<size_t>{1, 5, 0, 3, 4});
  CHECK(report::most_wanted(time, {}) == std::vector<size_t>{1, 3, 4, 5, 0});
}

TEST_CASE("a sweep's document has every design, and what it came to", "[unit]") {
  const test::TemporaryFolder folder;
  const std::string file = folder.path() / "d.sqlite";
  make_database(file);
  explore::Results results(file);
  const Json json = report::sweep_document(results, {.file = file, .made_by = "vantage"});
  CHECK(json["title"] == "d.sqlite");
  CHECK(json["designs"]["count"] == 6);
  // Its JSON can be put together again
  const Json& designs = json["designs"];
  CHECK(designs["keys"].size() == 2);
  for (size_t i = 0; i < 6; ++i) {
    Json config = Json::object();
    for (const Json& key : designs["order"]) {
      const auto name = key.get<std::string>();
      config[name] =
          designs["common"].contains(name) ? designs["common"][name] : values_called(designs["keys"], name, 6)[i];
    }
    CHECK(config == design_of(6 + static_cast<int>(i / 2), i % 2 == 0 ? 100 : 200).config.to_json());
  }
  REQUIRE(json["workloads"].size() == 2);
  const Json& net = json["workloads"][0];
  CHECK(numbers(net["places"]) == std::vector<int64_t>{0, 0, 0, 0, 0, 0});
  CHECK(values_called(net["columns"], "cycles", 6) == Json{4 * 940, 4 * 940, 4 * 930, 4 * 930, nullptr, nullptr});
  CHECK(values_called(net["columns"], "ms", 6)[1] == 4 * 940 / 2e5);
  CHECK(values_called(net["columns"], "scratchpad_bytes", 6)[0].get<double>() > 1e5);
  CHECK(net["failed"].dump() == R"([{"reason":"no room for 2","designs":2}])");
  CHECK(net["not_run"] == 0);
  CHECK(json["workloads"][1]["count"] == 2);
  CHECK(json["sweeps"][0]["rejections"][0]["points"] == 7);

  const Json& layers = net["layers"];
  CHECK(layers["count"] == 4);
  CHECK(parse_json(unpacked(layers["lists"]), "lists").dump() == R"([[["a",1,100],["b",3,200]]])");
  // The fastest first: the wider bus at the higher clock
  CHECK(numbers(layers["places"])[0] == 3);
  CHECK(numbers(layers["cycles"]) == std::vector<int64_t>{930, 930, 940, 940, 930, 930, 940, 940});
  CHECK(numbers(layers["bytes"])[0] == 5000);

  const Json alone = report::sweep_document(results, {.file = file, .workloads = {"other"}, .x = "dsps"});
  CHECK(alone["workloads"].size() == 1);
  CHECK(alone["designs"]["count"] == 2);
  CHECK(alone["x"] == "dsps");
}

TEST_CASE("of workloads of one name the latest comes first", "[unit]") {
  const test::TemporaryFolder folder;
  const std::string file = folder.path() / "d.sqlite";
  make_database(file);
  {
    explore::Database database(file);
    const auto id = database.add(design_of(6, 100));
    database.add_unable(id.design, database.add_workload("net", "seed 1", {"2.0", "quick"}), "too small");
  }
  explore::Results results(file);
  const Json json = report::sweep_document(results, {.file = file});
  REQUIRE(json["workloads"].size() == 3);
  CHECK(json["workloads"][0]["version"] == "2.0");
  CHECK(json["workloads"][0]["failed"][0]["reason"] == "too small");
  CHECK(json["workloads"][1]["version"] == "1.0");
  CHECK(json["workloads"][2]["name"] == "other");
}

TEST_CASE("a page about a sweep loads nothing", "[unit]") {
  const test::TemporaryFolder folder;
  const std::string file = folder.path() / "</script>.sqlite";
  make_database(folder.path() / "d.sqlite");
  explore::Results results(folder.path() / "d.sqlite");
  const std::string page = report::page(report::sweep_document(results, {.file = file}));
  CHECK_THAT(page, ContainsSubstring("default-src 'none'"));
  CHECK_THAT(page, ContainsSubstring("id=\"scatter\""));
  size_t scripts = 0;
  for (size_t at = page.find("</script"); at != std::string::npos; at = page.find("</script", at + 1)) ++scripts;
  CHECK(scripts == 3);
  for (const char* mark : {"/*STYLE*/", "/*D3*/", "/*SCRIPTS*/", "/*DOCUMENT*/", "<!--TITLE-->", "<!--BODY-->"}) {
    CHECK(page.find(mark) == std::string::npos);
  }
}

TEST_CASE("layers that find no room are left out", "[unit]") {
  const test::TemporaryFolder folder;
  const std::string file = folder.path() / "d.sqlite";
  make_database(file);
  explore::Results results(file);
  CHECK(report::sweep_layers(results, 1, {{1, 0}, {2, 1}, {3, 2}}, 5)["count"] == 2);
}

TEST_CASE("layers have the energy that a model says", "[unit]") {
  const test::TemporaryFolder folder;
  const std::string file = folder.path() / "d.sqlite";
  make_database(file);
  explore::Results results(file);
  const auto model = energy::EnergyModel::load(test::source_dir() / "configs/energy/45nm.json");
  const Json all = report::sweep_document(results, {.file = file, .energy = &model});
  const Json& net = all["workloads"][0];
  const auto pj = numbers(net["layers"]["pj"]);
  REQUIRE(pj.size() == 8);
  // Of the fastest: its first layer once, and the second three times, as the view of results sums them up
  const double mj = values_called(net["columns"], "energy_mj", 6)[3].get<double>();
  CHECK(std::abs(1e-9 * static_cast<double>(pj[0] + 3 * pj[1]) - mj) < 1e-6 * mj + 1e-8);
  const Json failed = report::sweep_layers(results, 1, {{5, 4}}, 5, &model);
  CHECK(numbers(failed["pj"]) == std::vector<int64_t>{-1, -1});
  CHECK_FALSE(report::sweep_document(results, {.file = file})["workloads"][0]["layers"].contains("pj"));
}

}  // namespace vantage::test::report_sweep_test
