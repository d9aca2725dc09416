// Requests that one job of a cluster answers: a file of lines, and beside it files of answers, one of each process that
// was at work on them. Whenever such a process ends, all answers that it has given are there; another one goes on with
// what is left, and two at once do no harm.
//
//   requests-7.jsonl                 a request in each line
//   answers-7-HOST-PROCESS.jsonl     {"line": 0, ...} of each answer
//
// Thread safety: functions without state; one thread at a time for objects.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "explore/engine.h"

namespace vantage::explore {

std::filesystem::path requests_path(const std::filesystem::path& folder, size_t shard);

// Answers all lines that have no answer yet. Throws Error when files cannot be read or written.
void serve_shard(const std::filesystem::path& requests, Engine& engine);

// The answers to a shard, as they come: `job` is the line.
class ShardAnswers {
 public:
  ShardAnswers(std::filesystem::path folder, size_t shard);

  // Those that are new since the last time.
  std::vector<Outcome> read();

 private:
  std::filesystem::path folder_;
  std::string prefix_;
  std::map<std::string, std::streamoff> read_;  // of each file, so many bytes
};

}  // namespace vantage::explore
