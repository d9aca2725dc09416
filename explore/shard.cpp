#include "explore/shard.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <fstream>
#include <set>

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/json_object.h"
#include "base/open_file.h"
#include "base/replace_file.h"

namespace vantage::explore {

namespace {

constexpr uint64_t kMostRequests = 1'000'000;

Json to_json(const Outcome& outcome) {
  Json json = {{"line", outcome.job}};
  if (outcome.result) {
    json.update(explore::to_json(*outcome.result));
  } else {
    json.update(Json{{"error", outcome.error}, {"died", outcome.died}});
  }
  return json;
}

Outcome parse_outcome(const std::string& line, const std::string& source) {
  Json json = parse_json(line, source);
  const JsonObject object(json, source);
  Outcome outcome{.job = object.natural("line", 0, kMostRequests)};
  if (object.has("error")) {
    outcome.error = object.string("error");
    outcome.died = object.boolean("died");
    return outcome;
  }
  json.erase("line");
  outcome.result = parse_evaluation(json, source);
  return outcome;
}

std::string host_name() {
  std::array<char, 256> name{};
  ::gethostname(name.data(), name.size() - 1);
  return name.data();
}

size_t shard_of(const std::filesystem::path& requests) {
  size_t shard = 0;
  const std::string name = requests.filename().string();
  if (std::sscanf(name.c_str(), "requests-%zu.jsonl", &shard) != 1) {
    fail("{}: is no file of requests; expected a name such as requests-0.jsonl", requests.string());
  }
  return shard;
}

}  // namespace

std::filesystem::path requests_path(const std::filesystem::path& folder, size_t shard) {
  return folder / fmt::format("requests-{}.jsonl", shard);
}

void serve_shard(const std::filesystem::path& requests, Engine& engine) {
  const size_t shard = shard_of(requests);
  const std::filesystem::path folder = requests.parent_path();
  std::set<uint64_t> answered;
  const auto is_this = [&](size_t other) { return other == shard; };
  for (const auto& answer : ShardAnswers(folder).read(is_this, true)) answered.insert(answer.outcome.job);
  std::ifstream lines(requests);
  if (!lines) fail("{}: cannot be read: {}", requests.string(), std::strerror(errno));
  // Hosts may have the same name, and their processes the same number, as in containers.
  const auto path = unused_name_beside(folder / fmt::format("answers-{}-{}-{}", shard, host_name(), ::getpid()));
  FileCalls calls;
  const OpenFile answers(calls.open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666));
  if (answers.get() < 0) fail("{}: cannot be written: {}", path.string(), std::strerror(errno));
  const auto take = [&](std::chrono::milliseconds timeout) {
    for (const Outcome& outcome : engine.wait(timeout)) {
      write_all(calls, answers.get(), path, to_json(outcome).dump() + "\n");
    }
  };
  constexpr std::chrono::seconds kPatience{1};
  uint64_t number = 0;
  for (std::string line; std::getline(lines, line); ++number) {
    if (answered.contains(number)) continue;
    while (!engine.has_room()) take(kPatience);
    engine.submit(number, line + "\n");
  }
  while (engine.under_way() > 0) take(kPatience);
}

std::vector<ShardAnswers::Answer> ShardAnswers::read(const std::function<bool(size_t)>& is_wanted, bool is_last) {
  // A folder of a network is kept in mind for a while, and so are the sizes of its files. A change by this host, and
  // opening a file, have them looked up.
  if (is_last) {
    const std::filesystem::path change = unused_name_beside(folder_ / "look");
    std::error_code ignored;
    if (std::ofstream(change).is_open()) std::filesystem::remove(change, ignored);
  }
  std::vector<Answer> answers;
  std::error_code error;  // a folder that is gone has no answers
  for (std::filesystem::directory_iterator entries(folder_, error), end; !error && entries != end;
       entries.increment(error)) {
    const auto& entry = *entries;
    const std::string name = entry.path().filename().string();
    Answer answer;
    if (std::sscanf(name.c_str(), "answers-%zu-", &answer.shard) != 1 || !is_wanted(answer.shard)) continue;
    std::streamoff& done = read_[name];
    std::error_code gone;
    if (!is_last && entry.file_size(gone) <= static_cast<uintmax_t>(done)) continue;
    std::ifstream file(entry.path());
    file.seekg(done);
    // A line without its end is still being written, or never will be.
    for (std::string line; std::getline(file, line) && !file.eof();) {
      done += static_cast<std::streamoff>(line.size() + 1);
      try {
        answer.outcome = parse_outcome(line, entry.path().string());
      } catch (const Error&) {
        continue;  // what a machine has left that failed while it wrote; its program is asked for again
      }
      answers.push_back(answer);
    }
  }
  return answers;
}

}  // namespace vantage::explore
