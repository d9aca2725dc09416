// Requests that one job of a cluster answers: a file of lines, and beside it files of answers, one of each process that
// was at work on them. Whenever such a process ends, all answers that it has given are there; another one goes on with
// what is left, and two at once do no harm.
//
//   requests-7.jsonl                 a request in each line
//   answers-7-HOST-PROCESS.RANDOM    {"line": 0, ...} of each answer
//
// Thread safety: functions without state; one thread at a time for objects.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "explore/engine.h"

namespace vantage::explore {

std::filesystem::path requests_path(const std::filesystem::path& folder, size_t shard);

// Answers all lines that have no answer yet. Throws Error when files cannot be read or written.
void serve_shard(const std::filesystem::path& requests, Engine& engine);

// The answers to all shards of a folder, as they come.
class ShardAnswers {
 public:
  explicit ShardAnswers(std::filesystem::path folder) : folder_(std::move(folder)) {}

  struct Answer {
    size_t shard = 0;
    Outcome outcome = {};  // `job` is the line
  };
  // Those that are new since the last time, of the shards that are wanted. `is_last`: whoever has written them has
  // ended, and nothing may be missed, even where the nodes' folder is a network's.
  std::vector<Answer> read(const std::function<bool(size_t)>& is_wanted, bool is_last = false);

 private:
  std::filesystem::path folder_;
  std::map<std::string, std::streamoff> read_;  // of each file, so many bytes
};

}  // namespace vantage::explore
