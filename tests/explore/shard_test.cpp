// Shards: every line is answered once, whoever was killed at it or works on it at the same time.
#include "explore/shard.h"

#include <fmt/format.h>

#include <fstream>
#include <set>

#include "base/error.h"
#include "tests/catch.h"
#include "tests/support/temporary.h"

namespace vantage::test::explore_shard_test {

using namespace vantage;
using explore::Outcome;
using explore::ShardAnswers;

namespace {

// Answers a line with the length of it, as an error; notes which it was asked for.
class LengthEngine final : public explore::Engine {
 public:
  size_t slots() const override { return 1; }
  size_t under_way() const override { return ready_.size(); }
  bool has_room() const override { return ready_.empty(); }
  void submit(uint64_t job, std::string line) override {
    asked.push_back(job);
    ready_.push_back({.job = job, .error = fmt::format("length {}", line.size())});
  }
  std::vector<Outcome> wait(std::chrono::milliseconds) override { return std::exchange(ready_, {}); }

  std::vector<uint64_t> asked;

 private:
  std::vector<Outcome> ready_;
};

std::vector<ShardAnswers::Answer> all_of(ShardAnswers& answers) {
  return answers.read([](size_t) { return true; });
}

void append(const std::filesystem::path& path, const std::string& text) {
  std::ofstream(path, std::ios::app) << text;
}

}  // namespace

TEST_CASE("a shard's lines are answered, each by its number", "[unit]") {
  const test::TemporaryFolder folder;
  const auto requests = folder.file("requests-7.jsonl", "a\nbcd\nef\n");
  CHECK(requests == explore::requests_path(folder.path(), 7));
  LengthEngine engine;
  explore::serve_shard(requests, engine);
  ShardAnswers answers(folder.path());
  const auto read = all_of(answers);
  REQUIRE(read.size() == 3);
  for (uint64_t line = 0; line < 3; ++line) {
    CHECK(read[line].shard == 7);
    CHECK(read[line].outcome.job == line);
    CHECK_FALSE(read[line].outcome.died);
  }
  CHECK(read[1].outcome.error == "length 4");
  CHECK(all_of(answers).empty());  // once

  // Another process finds nothing to do.
  LengthEngine idle;
  explore::serve_shard(requests, idle);
  CHECK(idle.asked.empty());
  CHECK(all_of(answers).empty());
  CHECK_THAT(ERROR_OF(explore::serve_shard(folder.file("lines.txt", "a\n"), idle)),
             ContainsSubstring("expected a name such as requests-0.jsonl"));
}

TEST_CASE("half an answer of a process that was killed is none, and the next one goes on", "[unit]") {
  const test::TemporaryFolder folder;
  const auto requests = folder.file("requests-1.jsonl", "a\nb\nc\nd\n");
  const auto killed = folder.file("answers-1-host-12.abcdefgh", R"({"line": 1, "error": "one", "died": false})"
                                                                "\n"
                                                                R"({"line": 2, "err)");
  ShardAnswers answers(folder.path());
  REQUIRE(all_of(answers).size() == 1);
  LengthEngine engine;
  explore::serve_shard(requests, engine);
  CHECK(engine.asked == std::vector<uint64_t>{0, 2, 3});
  CHECK(all_of(answers).size() == 3);
  // Should it live after all, its line counts when it is whole.
  append(killed, "or\": \"two\", \"died\": true}\n");
  const auto late = all_of(answers);
  REQUIRE(late.size() == 1);
  CHECK(late[0].outcome.job == 2);
  CHECK(late[0].outcome.died);
  // What a machine leaves that loses its power in the middle of a line.
  append(killed, std::string(20, '\0') + "\n" + R"({"line": 3, "error": "three", "died": false})" + "\n");
  CHECK(all_of(answers).size() == 1);
}

TEST_CASE("two processes on one shard write beside each other, and a shard that is over is not read", "[unit]") {
  const test::TemporaryFolder folder;
  std::string lines;
  for (int i = 0; i < 100; ++i) lines += fmt::format("{}\n", i);
  const auto requests = folder.file("requests-0.jsonl", lines);
  // Serves the shard anew in the middle of serving it.
  class Doubling final : public explore::Engine {
   public:
    explicit Doubling(std::filesystem::path requests) : requests_(std::move(requests)) {}
    size_t slots() const override { return 1; }
    size_t under_way() const override { return engine_.under_way(); }
    bool has_room() const override { return engine_.has_room(); }
    void submit(uint64_t job, std::string line) override {
      engine_.submit(job, std::move(line));
      if (job == 50) explore::serve_shard(requests_, other);
    }
    std::vector<Outcome> wait(std::chrono::milliseconds timeout) override { return engine_.wait(timeout); }
    LengthEngine other;

   private:
    std::filesystem::path requests_;
    LengthEngine engine_;
  } engine(requests);
  explore::serve_shard(requests, engine);
  CHECK(engine.other.asked.size() == 50);
  ShardAnswers answers(folder.path());
  CHECK(answers.read([](size_t shard) { return shard != 0; }).empty());
  std::set<uint64_t> answered;
  const auto read = answers.read([](size_t shard) { return shard == 0; }, true);
  for (const auto& answer : read) answered.insert(answer.outcome.job);
  CHECK(read.size() == 150);
  CHECK(answered.size() == 100);
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 3);
}

}  // namespace vantage::test::explore_shard_test
