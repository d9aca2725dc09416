// Sweeps: every design has what its programs take alone, nothing is done twice, and a killed one goes on.
#include "explore/sweep.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <random>
#include <thread>

#include "base/json.h"
#include "explore/worker.h"
#include "tests/catch.h"
#include "tests/support/cli.h"
#include "tests/support/effort.h"
#include "tests/support/generator.h"
#include "tests/support/temporary.h"

namespace vantage::test::explore_sweep_test {

using namespace vantage;
using explore::Database;
using explore::Space;

namespace {

constexpr const char* kSpace = R"({"parameters": {"LOG_BLOCK_IN": [3, 4], "LOG_BLOCK_OUT": [4, 5],
  "memory": ["m1", "m64"], "LOG_ACC_BUFF_SIZE": [13], "CLOCK_MHZ": [100, 150]}, "constraints": ["MACS <= 256"]})";

explore::SweepOptions options(int jobs = 2) {
  return {.version = "test",
          .engine = explore::worker_processes(
              std::vector<std::vector<std::string>>(static_cast<size_t>(jobs), {test::cli_path(), "worker"}))};
}

}  // namespace

TEST_CASE("a sweep records what each program takes alone, once", "[unit]") {
  const test::TemporaryFolder folder;
  const Space space = Space::parse(kSpace, "space.json", test::source_dir() / "configs");
  const std::vector<explore::Workload> workloads = {explore::find_workload("gemm:16x32x48"),
                                                    explore::find_workload("gemm:1x64x64")};
  Database database(folder.path() / "d.sqlite");
  const auto result = explore::sweep(space, workloads, database, options());
  CHECK(result.designs == 4 * 3);
  REQUIRE(result.rejections.size() == 1);
  CHECK(result.rejections[0].first.reason == "MACS <= 256");
  CHECK(result.rejections[0].second == 4);
  // Clocks share programs.
  CHECK(result.evaluated == 2 * 6);
  CHECK(result.failed == 0);
  const auto rows = database.query(
      "SELECT d.config, d.memory, t.task, r.cycles, r.gemm_counter, r.acc_writes FROM layer_results r JOIN designs d "
      "ON d.id = "
      "r.design JOIN tasks t ON t.id = r.task");
  REQUIRE(rows.size() == 2 * 12);
  for (size_t i = 0; i < rows.size(); i += 7) {
    const Json design = {{"config", parse_json(rows[i][0].get<std::string>(), "config")},
                         {"memory", parse_json(rows[i][1].get<std::string>(), "memory")}};
    const auto alone = explore::evaluate(ops::parse_task(parse_json(rows[i][2].get<std::string>(), "task"), "task"),
                                         explore::parse_design(design, "design"));
    CHECK(rows[i][3] == alone.cycles);
    CHECK(rows[i][4] == alone.counters.gemm_counter);
    CHECK(alone.activity.acc_writes > 0);
    CHECK(rows[i][5] == alone.activity.acc_writes);
  }
  for (const auto& row : database.query(
           "SELECT c.inp_reads, SUM(l.inp_reads * l.repeats) FROM result_counts c JOIN layer_results l ON l.design = "
           "c.design AND l.workload = c.workload GROUP BY c.design, c.workload")) {
    CHECK(row[0] == row[1]);
  }
  const auto again = explore::sweep(space, workloads, database, options());
  CHECK(again.designs == 12);
  CHECK(again.evaluated == 0);
  CHECK(database.query("SELECT * FROM sweeps").size() == 1);
  CHECK(database.query("SELECT * FROM points").size() == 12);
}

TEST_CASE("the points of a sweep are its own, and the same design twice is one", "[unit]") {
  const test::TemporaryFolder folder;
  Database database(folder.path() / "d.sqlite");
  const auto configs = test::source_dir() / "configs";
  const std::vector<explore::Workload> workloads = {explore::find_workload("gemm:1x16x16")};
  const Space fast = Space::parse(R"({"points": [{"CLOCK_MHZ": 300}]})", "fast.json", configs);
  const Space slow = Space::parse(R"({"points": [{}, {}, {"CLOCK_MHZ": 100}]})", "slow.json", configs);
  const auto first = explore::sweep(fast, workloads, database, options(1));
  const auto second = explore::sweep(slow, workloads, database, options(1));
  CHECK(second.designs == 1);
  CHECK(second.repeated == 2);
  const auto clocks = [&](int64_t sweep) {
    return database.query(
        "SELECT d.clock_mhz, p.number FROM points p JOIN designs d ON d.id = p.design WHERE p.sweep = ?", {sweep});
  };
  CHECK(clocks(first.sweep) == std::vector<std::vector<Json>>{{300, 0}});
  CHECK(clocks(second.sweep) == std::vector<std::vector<Json>>{{100, 0}});
}

TEST_CASE("a design that cannot have a workload says why, and a space without designs is refused", "[unit]") {
  const test::TemporaryFolder folder;
  Database database(folder.path() / "d.sqlite");
  const auto configs = test::source_dir() / "configs";
  const Space small = Space::parse(R"({"points": [{"LOG_INP_BUFF_SIZE": 6}]})", "small.json", configs);
  explore::sweep(small, {explore::find_workload("conv:C2")}, database, options(1));
  const auto rows = database.query("SELECT cycles, error FROM results");
  REQUIRE(rows.size() == 1);
  CHECK(rows[0][0].is_null());
  CHECK_THAT(rows[0][1].get<std::string>(), ContainsSubstring("no piece of it fits the scratchpads"));
  // So does one of which the accelerator takes nothing.
  const Space any = Space::parse(R"({"points": [{}]})", "any.json", configs);
  const explore::Workload nothing{"nothing", "", [](const explore::Design&) {
                                    return explore::Layers{{}, {{"softmax", "is for floats", 1.0}}};
                                  }};
  explore::sweep(any, {nothing}, database, options(1));
  CHECK(database.query("SELECT error FROM results WHERE workload_name = 'nothing'").at(0).at(0) ==
        "nothing: the accelerator takes nothing of it; softmax: is for floats");

  const Space none =
      Space::parse(R"({"points": [{"LOG_ACC_BUFF_SIZE": 20}, {"LOG_ACC_BUFF_SIZE": 19}]})", "none.json", configs);
  CHECK_THAT(
      ERROR_OF(explore::sweep(none, {explore::find_workload("conv:C2")}, database, options(1))),
      ContainsSubstring("the space has no design: 2 of 2 points are none, such as: a point: a micro-op needs 1"));
}

// A sweep in a process of its own, which is killed at random moments and started again until it comes to its end; then
// one of other programs, whose life is about as long.
TEST_CASE("a sweep that is killed at any moment loses and doubles nothing", "[slow]") {
  const test::TemporaryFolder folder;
  const auto space = folder.file("space.json", R"({"parameters": {"LOG_BLOCK_OUT": [3, 4], "memory": ["m1", "m64"]}})");
  const auto sweep = [&](const std::filesystem::path& database, int rows) {
    return std::vector<std::string>{"sweep",       space.string(),
                                    "--db",        database.string(),
                                    "--workloads", fmt::format("gemm:{}x16x16,gemm:16x16x{}", rows, 16 * rows),
                                    "--jobs",      "2",
                                    "--best",      "0"};
  };
  const auto whole = folder.path() / "whole.sqlite";
  const auto start = std::chrono::steady_clock::now();
  REQUIRE(test::run_cli(sweep(whole, 1)).status == 0);
  const auto life = std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - start);
  const auto db = (folder.path() / "d.sqlite").string();
  std::mt19937_64 random = test::generator(1);
  size_t known = 0;
  int kills = 0;
  int rows = 1;
  const int wanted = test::rounds(20);
  while (kills < wanted) {
    std::vector<std::string> words = sweep(db, rows);
    words.insert(words.begin(), test::cli_path());
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    const pid_t child = ::fork();
    if (child == 0) {
      ::execv(arguments[0], arguments.data());
      ::_exit(127);
    }
    std::this_thread::sleep_for(std::chrono::microseconds(random() % static_cast<uint64_t>(life.count())));
    ::kill(child, SIGKILL);
    int status = 0;
    ::waitpid(child, &status, 0);
    if (WIFSIGNALED(status)) {
      ++kills;
    } else {
      REQUIRE(WEXITSTATUS(status) == 0);
      ++rows;
    }
    if (!std::filesystem::exists(db)) continue;
    // Its workers may still hold nothing of the file: they do not have it open.
    Database database(db);
    CHECK(database.query("PRAGMA integrity_check")[0][0] == "ok");
    const size_t now = database.query("SELECT * FROM programs").size();
    CHECK(now >= known);
    known = now;
  }
  CHECK(known > 0);
  const auto finished = test::run_cli({"sweep", space.string(), "--db", db, "--workloads", "gemm:1x16x16", "--json"});
  REQUIRE(finished.status == 0);
  Database database(db);
  const std::string cycles = "SELECT cycles FROM results WHERE workload_name = 'gemm:1x16x16' ORDER BY cycles";
  CHECK(database.query(cycles) == Database(whole).query(cycles));
  CHECK(database.query("SELECT core, task, COUNT(*) FROM programs GROUP BY core, task HAVING COUNT(*) > 1").empty());
}

}  // namespace vantage::test::explore_sweep_test
