// Programs run by the jobs of a Slurm cluster: arrays of them, each with its share of the programs (shard.h).
//
// What is under way lies in a folder that all nodes see: a killed sweep leaves its jobs at work, and the next one finds
// their answers, or waits for the rest. Jobs that are killed are asked for again, once, each program in a job of its
// own; those that Slurm requeues go on where they were.
//
// Thread safety: one thread at a time.
#pragma once

#include <deque>
#include <filesystem>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "explore/engine.h"
#include "explore/shard.h"

namespace vantage::explore {

struct SlurmOptions {
  std::filesystem::path folder;          // for requests and answers, absolute; it is made
  std::vector<std::string> worker;       // the command that answers a shard, whose path is added, on any node
  size_t jobs = 0;                       // at a time; 0: as many as the cluster has place for
  std::vector<std::string> sbatch = {};  // further options of sbatch, such as --partition=main
};

class SlurmEngine final : public Engine {
 public:
  // Throws Error when Slurm's commands are not there, or the folder cannot be made.
  explicit SlurmEngine(SlurmOptions options);
  // Cancels the jobs. When all that was asked for is answered the folder goes, too; else what the jobs have answered
  // stays for the next one.
  ~SlurmEngine() override;

  size_t slots() const override;
  size_t under_way() const override { return under_way_; }
  bool has_room() const override;
  void submit(uint64_t job, std::string line) override;
  std::vector<Outcome> wait(std::chrono::milliseconds timeout) override;

 private:
  // A request, by its text, from this process or from one before it.
  struct Ticket {
    std::string line;
    std::optional<uint64_t> job = {};  // none: nobody has asked for it yet
    std::optional<Outcome> outcome = {};
    int attempts = 0;
    bool is_sent = false;  // a job has it
  };
  struct Shard {
    std::vector<Ticket*> tickets;  // of its lines
    ShardAnswers answers;
    int missed = 0;  // looks at the queue that have not found its job
    bool is_over = false;
  };
  // An array.
  struct Batch {
    std::string name;  // of its jobs
    std::filesystem::path folder;
    std::vector<Shard> shards;
  };
  using Clock = std::chrono::steady_clock;

  void find_earlier();
  Ticket& ticket_of(const std::string& line);
  void send(std::vector<Ticket*> tickets, size_t lines_each);
  void read_answers(Batch& batch);
  void look_after_jobs();
  void end_shard(const Batch& batch, size_t number);
  void give_back(Ticket& ticket);

  const SlurmOptions options_;
  std::unordered_map<std::string, std::unique_ptr<Ticket>> tickets_;
  std::vector<Ticket*> new_, again_;  // that are to be sent
  std::vector<Batch> batches_;
  std::vector<Outcome> ready_;
  size_t under_way_ = 0;
  Clock::time_point looked_ = {};
  int unanswered_looks_ = 0;
};

}  // namespace vantage::explore
