// Databases that are only read, and those that are refused.
#include "explore/results.h"

#include <SQLiteCpp/SQLiteCpp.h>

#include "base/json.h"
#include "explore/database.h"
#include "tests/catch.h"
#include "tests/support/temporary.h"

namespace vantage::test::explore_results_test {

using namespace vantage;
using explore::Database;
using explore::Results;

namespace {

uint64_t count(Results& results, const std::string& table) {
  uint64_t rows = 0;
  results.query("SELECT * FROM " + table, {}, [&](const Results::Row&) { ++rows; });
  return rows;
}

}  // namespace

TEST_CASE("results are those of the moment, whoever writes meanwhile", "[unit]") {
  const test::TemporaryFolder folder;
  const auto file = folder.path() / "d.sqlite";
  Database database(file);
  database.add_workload("one", "", {"1.0", "quick"});
  Results results(file);
  database.add_workload("two", "", {"1.0", "quick"});
  CHECK(count(results, "workloads") == 1);
  Results later(file);
  CHECK(count(later, "workloads") == 2);
  std::vector<Json> row;
  later.query("SELECT id, name, NULL, 0.5 FROM workloads WHERE id = ?", {2}, [&](const Results::Row& r) {
    CHECK(r.integer(0) == 2);
    CHECK(r.text(1) == "two");
    CHECK(r.is_null(2));
    CHECK(r.number(3) == 0.5);
    for (int i = 0; i < 4; ++i) row.push_back(r.value(i));
  });
  CHECK(row == std::vector<Json>{2, "two", nullptr, 0.5});
  CHECK(later.columns("parted")[0] == "design");
}

TEST_CASE("reading leaves nothing beside the file", "[unit]") {
  const test::TemporaryFolder folder;
  const auto file = folder.path() / "d.sqlite";
  { Database database(file); }
  { CHECK(count(*std::make_unique<Results>(file), "designs") == 0); }
  size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) files += entry.is_regular_file();
  CHECK(files == 1);
}

TEST_CASE("what is no database of designs is not read", "[unit]") {
  const test::TemporaryFolder folder;
  CHECK_THROWS_WITH(Results(folder.path() / "none.sqlite"), ContainsSubstring("none.sqlite: cannot be opened"));
  CHECK_FALSE(std::filesystem::exists(folder.path() / "none.sqlite"));
  CHECK_THROWS_WITH(Results(folder.file("text", "a text that is long enough to be looked at as a header of a file")),
                    ContainsSubstring("is no database"));
  const std::string other = folder.path() / "other.sqlite", old = folder.path() / "old.sqlite";
  SQLite::Database(other, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE).exec("CREATE TABLE t (x)");
  CHECK_THROWS_WITH(Results(other), ContainsSubstring("of another program"));
  { Database database(old); }
  SQLite::Database(old, SQLite::OPEN_READWRITE).exec("PRAGMA user_version = 99");
  CHECK_THROWS_WITH(Results(old), ContainsSubstring("has version 99 of the tables"));
}

}  // namespace vantage::test::explore_results_test
