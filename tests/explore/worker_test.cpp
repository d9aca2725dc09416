// Workers: what they answer, and what becomes of a job when they die.
#include "explore/worker.h"

#include <fmt/format.h>

#include <sstream>

#include "base/json.h"
#include "tests/catch.h"
#include "tests/support/cli.h"
#include "tests/support/temporary.h"

namespace vantage::test::explore_worker_test {

using namespace vantage;
using explore::Design;
using explore::Outcome;
using explore::WorkerPool;

namespace {

const Design kDesign = {isa::Config::vta_default(), {}};

std::string request(int64_t size) {
  return explore::request_line(ops::key(ops::VtaConv2d{as_conv2d({.m = size, .n = 16, .k = 16}), {}}), kDesign);
}

std::vector<Outcome> all_of(WorkerPool& pool) {
  std::vector<Outcome> outcomes;
  while (pool.under_way() > 0) {
    for (Outcome& outcome : pool.wait(std::chrono::seconds(10))) outcomes.push_back(std::move(outcome));
  }
  std::ranges::sort(outcomes, {}, &Outcome::job);
  return outcomes;
}

}  // namespace

TEST_CASE("a worker answers each line, mistakes too", "[unit]") {
  std::istringstream in(request(16) + "nonsense\n" + R"({"task": {"op": "conv3d"}, "design": {}, "effort": "quick"})" +
                        "\n");
  std::ostringstream out;
  explore::serve_requests(in, out);
  std::istringstream lines(out.str());
  std::vector<std::string> answers(3);
  for (std::string& answer : answers) std::getline(lines, answer);
  const auto evaluation = explore::parse_evaluation(parse_json(answers[0], "answer"), "answer");
  CHECK(evaluation.cycles >= evaluation.bound);
  CHECK(evaluation.counters.gemm_counter == 16);
  CHECK_THAT(answers[1], ContainsSubstring("error"));
  CHECK_THAT(answers[2], ContainsSubstring("conv3d"));
}

TEST_CASE("jobs come back from several workers, each with its own result", "[unit]") {
  WorkerPool pool({{test::cli_path(), "worker"}, {test::cli_path(), "worker"}});
  const int64_t sizes[] = {1, 5, 40, 16, 3};
  for (uint64_t job = 0; job < 5; ++job) pool.submit(job, request(sizes[job]));
  CHECK(pool.under_way() == 5);
  const auto outcomes = all_of(pool);
  REQUIRE(outcomes.size() == 5);
  for (uint64_t job = 0; job < 5; ++job) {
    REQUIRE(outcomes[job].result);
    CHECK(outcomes[job].result->counters.gemm_counter == static_cast<uint64_t>(sizes[job]));
  }
}

TEST_CASE("a job whose worker dies is given to another one, and twice is enough", "[unit]") {
  const test::TemporaryFolder folder;
  // Dies on its first line, as long as there is no file that says it did.
  const auto once =
      folder.file("once", fmt::format("#!/bin/sh\nif [ ! -e {0}/died ]; then read -r line; touch {0}/died; "
                                      "kill -9 $$; fi\nexec {1} worker\n",
                                      folder.path().string(), test::cli_path()));
  WorkerPool recovers({{"/bin/sh", once.string()}});
  recovers.submit(1, request(16));
  recovers.submit(2, request(32));
  const auto recovered = all_of(recovers);
  REQUIRE(recovered.size() == 2);
  CHECK((recovered[0].result && recovered[1].result));

  const auto always = folder.file("always", "#!/bin/sh\nread -r line\nkill -9 $$\n");
  WorkerPool dies({{"/bin/sh", always.string()}});
  dies.submit(1, request(16));
  const auto dead = all_of(dies);
  REQUIRE(dead.size() == 1);
  CHECK_THAT(dead[0].error, ContainsSubstring("signal 9 (Killed), perhaps for want of memory (tried twice)"));

  CHECK(dead[0].died);

  WorkerPool none({{"/nonexistent/worker"}});
  none.submit(1, request(16));
  CHECK_THAT(all_of(none).at(0).error, ContainsSubstring("status 127"));
}

TEST_CASE("a server that does not answer is left out, and the others get its programs", "[unit]") {
  const auto with = [](const std::string& server) {
    return std::vector<std::string>{test::cli_path(), "worker", "--target", "rpc://" + server + "/systemc"};
  };
  const auto dead = with("127.0.0.1:1"), dead_too = with("127.0.0.1:2");
  std::vector<std::string> told;
  const auto tell = [&](const std::string& why) { told.push_back(why); };
  WorkerPool pool({dead, dead, {test::cli_path(), "worker"}, dead}, tell);
  for (uint64_t job = 0; job < 8; ++job) pool.submit(job, request(16));
  const auto outcomes = all_of(pool);
  REQUIRE(outcomes.size() == 8);
  for (const Outcome& outcome : outcomes) CHECK(outcome.result);
  REQUIRE(told.size() == 1);
  CHECK_THAT(told[0], ContainsSubstring("target 'rpc://127.0.0.1:1/systemc': no server answers"));

  WorkerPool none({dead, dead_too}, tell);
  for (uint64_t job = 0; job < 4; ++job) none.submit(job, request(16));
  const std::string error = ERROR_OF(all_of(none));
  CHECK_THAT(error, ContainsSubstring("127.0.0.1:1/systemc'"));
  CHECK_THAT(error, ContainsSubstring("127.0.0.1:2/systemc'"));
  CHECK_THROWS_AS(all_of(none), explore::NoMachineLeft);
  CHECK(none.under_way() == 4);
}

TEST_CASE("what a machine refuses is given to the others, and comes back where none takes it", "[unit]") {
  const test::TemporaryFolder folder;
  const auto refuses = [&](const std::string& name) {
    return std::vector<std::string>{
        "/bin/sh", folder.file(name, "#!/bin/sh\nwhile read -r line; do echo '{\"error\": \"not of " + name +
                                         "\", \"is_refused\": true}'; done\n")};
  };
  const std::vector<std::string> takes = {test::cli_path(), "worker"};
  WorkerPool pool({refuses("this"), refuses("that"), takes, refuses("this")});
  for (uint64_t job = 0; job < 12; ++job) pool.submit(job, request(16));
  const auto outcomes = all_of(pool);
  REQUIRE(outcomes.size() == 12);
  for (const Outcome& outcome : outcomes) CHECK(outcome.result);

  WorkerPool none({refuses("this"),
                   {"/bin/sh", folder.file("lost",
                                           "#!/bin/sh\nread -r line\n"
                                           "echo '{\"error\": \"gone\", \"is_lost\": true}'\n")}});
  for (uint64_t job = 0; job < 6; ++job) none.submit(job, request(16));
  const auto refused = all_of(none);
  REQUIRE(refused.size() == 6);
  for (const Outcome& outcome : refused) {
    CHECK(outcome.died);
    CHECK(outcome.error == "not of this");
  }
}

TEST_CASE("a sweep without a server that answers ends with status 1, and names them", "[unit]") {
  const test::TemporaryFolder folder;
  const std::string db = folder.path() / "s.sqlite";
  const std::vector<std::string> words = {
      "sweep",       folder.file("s.json", R"({"parameters": {"CLOCK_MHZ": [100]}})"),
      "--workloads", "gemm:16x16x16,gemm:32x16x16",
      "--db",        db,
      "--jobs",      "1"};
  auto remote = words;
  remote.insert(remote.end(), {"--engine", "rpc://127.0.0.1:1,rpc://127.0.0.1:2"});
  const auto lost = test::run_cli(remote);
  INFO(lost.err);
  CHECK(lost.status == 1);
  for (const std::string server : {"127.0.0.1:1", "127.0.0.1:2"}) {
    CHECK_THAT(lost.err, ContainsSubstring("note: a server gets no more programs: target 'rpc://" + server));
  }
  CHECK_THAT(lost.err, ContainsSubstring("error: no server is left to run programs: target 'rpc://127.0.0.1:"));
  CHECK_THAT(lost.err, ContainsSubstring("call the same command again"));
  const auto local = test::run_cli(words);
  INFO(local.err);
  CHECK(local.status == 0);
}

}  // namespace vantage::test::explore_worker_test
