// The database of designs: what is recorded, and which files are refused.
#include "explore/database.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>

#include "base/json.h"
#include "explore/schema.h"
#include "hw/isa/rtl_package.h"
#include "tests/catch.h"
#include "tests/support/temporary.h"

namespace vantage::test::explore_database_test {

using namespace vantage;
using explore::Database;
using explore::Design;
using explore::Evaluation;
using explore::Layers;
using explore::Method;

namespace {

const Method kMethod = {"1.0", "quick"};

Design design(int clock_mhz = 100) {
  Json json = isa::Config::vta_default().to_json();
  json["CLOCK_MHZ"] = clock_mhz;
  return {isa::Config::from_json(json, "test"), {}};
}

ops::VtaTask task(int64_t channels) {
  return ops::VtaConv2d{{1, channels, 8, 8, 16, 3, 3, 1, 1}, {}};
}

Layers layers() {
  return {{{"first", task(16), 100, 1}, {"second", task(32), 200, 3}}, {{"left", "too small", 0.5}}};
}

Evaluation evaluation(uint64_t cycles) {
  Evaluation e{cycles, cycles - 10, "reads", 7, {}};
  e.counters.gemm_counter = cycles / 2;
  e.counters.inp_load_nbytes = 1000;
  e.counters.out_store_nbytes = 24;
  e.needs = {1, 2, 3, 4};
  return e;
}

}  // namespace

TEST_CASE("a design's row is there once all of its programs are", "[unit]") {
  const test::TemporaryFolder folder;
  const auto file = folder.path() / "d.sqlite";
  {
    Database database(file);
    const auto id = database.add(design());
    CHECK(database.add(design()).design == id.design);
    // The clock does not change cycles.
    const auto faster = database.add(design(200));
    CHECK(faster.design != id.design);
    CHECK(faster.core == id.core);
    const int64_t workload = database.add_workload("net", "", kMethod);
    CHECK(database.add_workload("net", "", kMethod) == workload);
    CHECK(database.add_workload("net", "", {"1.1", "quick"}) != workload);
    CHECK_FALSE(database.has_layers(id.design, workload));
    database.add_layers(id.design, workload, layers());
    CHECK(database.has_layers(id.design, workload));
    auto open = database.open_layers(id.design, workload);
    REQUIRE(open.size() == 2);
    CHECK(open[1].text == ops::key(task(32)));
    const auto set = [&](size_t layer, uint64_t cycles) {
      database.add_result(id.core, open[layer].task, kMethod, evaluation(cycles));
      const auto known = database.known(id.core, open[layer].task, kMethod);
      CHECK(known->result->needs == evaluation(cycles).needs);
      database.set_program(id.design, workload, open[layer].number, known->program);
    };
    set(0, 1000);
    const auto unfinished = database.query(
        "SELECT cycles, ms, total_ms, bound, nbytes, useful_utilisation, padded_utilisation FROM results");
    for (const Json& none : unfinished.at(0)) CHECK(none.is_null());
    CHECK_FALSE(database.known(id.core, open[0].task, {"1.1", "quick"}));
    set(1, 2000);
    set(1, 3000);  // what is there stays
    CHECK(database.open_layers(id.design, workload).empty());
  }
  Database database(file);
  const auto rows = database.query(
      "SELECT cycles, ms, bound, nbytes, useful_utilisation, padded_utilisation, left_layers, left_ms, error, "
      "total_ms, version, effort, config_hash FROM results");
  REQUIRE(rows.size() == 1);
  CHECK(rows[0][0] == 1000 + 3 * 2000);
  CHECK(rows[0][1] == 0.07);
  CHECK(rows[0][2] == 990 + 3 * 1990);
  CHECK(rows[0][3] == 4 * 1024);
  CHECK(rows[0][4] == 700.0 / (7000.0 * 256));
  CHECK(rows[0][5] == 0.5);
  CHECK(rows[0][6] == 1);
  CHECK(rows[0][7] == 500.0);
  CHECK(rows[0][8].is_null());
  CHECK(rows[0][9] == 0.07 + 500.0);
  CHECK(rows[0][10] == kMethod.version);
  CHECK(rows[0][11] == kMethod.effort);
  CHECK(rows[0][12] == fmt::format("{:016x}", isa::hardware_hash(design().config)));
}

TEST_CASE("a program that could not be run leaves its reason", "[unit]") {
  const test::TemporaryFolder folder;
  Database database(folder.path() / "d.sqlite");
  const auto id = database.add(design());
  const int64_t workload = database.add_workload("net", "", kMethod);
  database.add_layers(id.design, workload, layers());
  for (const auto& layer : database.open_layers(id.design, workload)) {
    database.add_failure(id.core, layer.task, kMethod, "it does not fit");
    database.set_program(id.design, workload, layer.number, database.known(id.core, layer.task, kMethod)->program);
  }
  CHECK(database.open_layers(id.design, workload).empty());
  const auto rows = database.query("SELECT cycles, error FROM results");
  CHECK(rows[0][0].is_null());
  CHECK(rows[0][1] == "it does not fit");
}

TEST_CASE("what died is missing again, and is replaced", "[unit]") {
  const test::TemporaryFolder folder;
  Database database(folder.path() / "d.sqlite");
  const auto id = database.add(design());
  const int64_t workload = database.add_workload("net", "", kMethod);
  database.add_layers(id.design, workload, {{{"only", task(16), 100, 1}}, {}});
  const auto layer = database.open_layers(id.design, workload).at(0);
  database.add_failure(id.core, layer.task, kMethod, "killed", true);
  const int64_t program = database.known(id.core, layer.task, kMethod)->program;
  database.set_program(id.design, workload, layer.number, program);
  CHECK(database.query("SELECT error FROM results")[0][0] == "killed");
  CHECK(database.open_layers(id.design, workload).size() == 1);
  CHECK(database.known(id.core, layer.task, kMethod)->died);
  database.add_result(id.core, layer.task, kMethod, evaluation(1000));
  CHECK(database.known(id.core, layer.task, kMethod)->result->cycles == 1000);
  CHECK(database.known(id.core, layer.task, kMethod)->program == program);
  CHECK(database.open_layers(id.design, workload).empty());
  CHECK(database.query("SELECT error, cycles FROM results")[0] == std::vector<Json>{nullptr, 1000});
}

TEST_CASE("what is written by hand is of the column's type, and no program died by halves", "[unit]") {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "d.sqlite";
  Database database(path);
  const auto id = database.add(design());
  const int64_t known = database.add_task("{}");
  database.add_result(id.core, known, kMethod, evaluation(1000));
  SQLite::Database by_hand(path.string(), SQLite::OPEN_READWRITE);
  CHECK_THROWS_AS(by_hand.exec("UPDATE designs SET luts = x'00ff'"), SQLite::Exception);
  CHECK_THROWS_AS(by_hand.exec("UPDATE programs SET died = 2"), SQLite::Exception);
  // One that another tool of the time without the check has made.
  by_hand.exec("PRAGMA ignore_check_constraints = 1; UPDATE programs SET died = 2");
  CHECK_FALSE(database.known(id.core, known, kMethod)->died);
}

TEST_CASE("a file that was made for what ended in an error goes again, unless it has designs", "[unit]") {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "d.sqlite";
  const auto end_in_error = [&](bool with_design) {
    Database database(path);
    if (with_design) database.add(design());
    fail("a mistake");
  };
  CHECK(ERROR_OF(end_in_error(false)) == "a mistake");
  CHECK(std::filesystem::is_empty(folder.path()));
  CHECK(ERROR_OF(end_in_error(true)) == "a mistake");
  CHECK(std::filesystem::exists(path));
  CHECK(ERROR_OF(end_in_error(false)) == "a mistake");  // it was there before
  CHECK(std::filesystem::exists(path));
}

TEST_CASE("what is not committed is not there", "[unit]") {
  const test::TemporaryFolder folder;
  Database database(folder.path() / "d.sqlite");
  {
    const Database::Transaction undone(database);
    database.add(design());
  }
  CHECK(database.query("SELECT * FROM designs").empty());
}

TEST_CASE("what was recorded stays when the disk is full", "[unit]") {
  const test::TemporaryFolder folder;
  const auto file = folder.path() / "d.sqlite";
  int recorded = 0;
  {
    Database database(file);
    database.query("PRAGMA max_page_count = 60");  // as if it were
    const std::string message = ERROR_OF([&] {
      for (int clock = 1; clock <= 5000; ++clock) {
        Database::Transaction whole(database);
        database.add(design(clock));
        whole.commit();
        recorded = clock;
      }
    }());
    CHECK_THAT(message, ContainsSubstring("the disk is full; what was recorded is kept"));
  }
  Database database(file);
  CHECK(database.query("SELECT COUNT(*) FROM designs")[0][0] == recorded);
  CHECK(recorded > 10);
  database.add(design(4999));
}

TEST_CASE("files of others and of other versions are refused", "[unit]") {
  const test::TemporaryFolder folder;
  CHECK_THAT(ERROR_OF(Database(folder.file("text", std::string(5000, 'x')))), ContainsSubstring("is no database"));
  const auto other = folder.path() / "other";
  SQLite::Database(other.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE).exec("CREATE TABLE t (x)");
  CHECK_THAT(ERROR_OF(Database(other)), ContainsSubstring("of another program"));
  const auto newer = folder.path() / "newer";
  Database(newer).query("PRAGMA user_version = 7");
  CHECK_THAT(ERROR_OF(Database(newer)), ContainsSubstring(fmt::format("has version 7 of the tables, this tool knows {}",
                                                                      explore::kSchemaVersion)));
  CHECK_THAT(ERROR_OF(Database(folder.path() / "none" / "d")), ContainsSubstring("No such file or directory"));
  const auto ours = folder.path() / "ours";
  const Database open(ours);
  CHECK_THAT(ERROR_OF(Database(ours)), ContainsSubstring("another process writes to it"));
}

}  // namespace vantage::test::explore_database_test
