// Programs run by the jobs of a Slurm cluster: arrays of them, each with its share of the programs (shard.h).
//
// What is under way lies in a folder that all nodes see: a killed sweep leaves its jobs at work, and the next one finds
// their answers, or waits for the rest. Jobs that are killed are asked for again, once, each program in a job of its
// own; those that Slurm requeues go on where they were.
//
// Thread safety: one thread at a time.
#pragma once

#include <algorithm>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "explore/engine.h"
#include "explore/shard.h"

namespace vantage::explore {

struct SlurmOptions {
  std::filesystem::path folder;          // for requests and answers, absolute; it is made
  std::vector<std::string> worker;       // the command that answers a shard, whose path is added, on any node
  std::string version = {};              // of the worker: what another one has answered does not count
  size_t jobs = 0;                       // at a time; 0: as many as the cluster has place for
  std::vector<std::string> sbatch = {};  // further options of sbatch, such as --partition=main
  std::function<void(const std::string&)> tell = {};  // is told what there is to wait for, when nothing comes for long
};

// In the folder of an array.
inline std::filesystem::path slurm_version_path(const std::filesystem::path& folder) {
  return folder / "version";
}

class SlurmEngine final : public Engine {
 public:
  // Throws Error when Slurm's commands are not there, the cluster does not answer, or the folder cannot be made.
  explicit SlurmEngine(SlurmOptions options);
  // Cancels the jobs. When all that was asked for is answered the folder goes, too; else what the jobs have answered
  // stays for the next one.
  ~SlurmEngine() override;

  size_t slots() const override;
  size_t under_way() const override { return under_way_; }
  bool has_room() const override;
  void submit(uint64_t job, std::string line) override;
  // Those that an earlier call has given back are taken to be recorded: their files go.
  std::vector<Outcome> wait(std::chrono::milliseconds timeout) override;

 private:
  // A request, by its text, from this process or from one before it.
  struct Ticket {
    std::string line;
    std::optional<uint64_t> job = {};  // none: nobody has asked for it yet
    std::optional<Outcome> outcome = {};
    bool is_given_back = false;
    int attempts = 0;
    int holders = 0;  // jobs that have it
    bool is_answered() const { return outcome || is_given_back; }
  };
  using TicketPointer = std::shared_ptr<Ticket>;
  struct Shard {
    std::vector<TicketPointer> tickets = {};  // of its lines
    int missed = 0;                           // looks at the queue that have not found its job
    bool is_over = false;
  };
  // An array.
  struct Batch {
    std::string name;  // of its jobs
    std::filesystem::path folder;
    ShardAnswers answers;
    std::vector<Shard> shards = {};
    size_t at_a_time = 0;
    bool is_queued = true;  // when the queue was looked at
    int late = 0;           // such looks since all of it was answered
    size_t open_shards() const { return static_cast<size_t>(std::ranges::count(shards, false, &Shard::is_over)); }
  };
  using Clock = std::chrono::steady_clock;

  void find_earlier();
  TicketPointer& ticket_of(const std::string& line);
  size_t free_slots() const;
  void send_what_is_due();
  void send(std::vector<TicketPointer>& tickets, size_t lines_each);
  bool send(const std::vector<TicketPointer>& tickets, size_t lines_each, size_t at_a_time);
  void read_answers(Batch& batch, bool is_last = false);
  void look_after_jobs();
  void end_shard(Batch& batch, size_t number);
  void forget_batches();
  void give_back(TicketPointer ticket);
  void tell_what_is_waited_for(const std::string& what);

  const SlurmOptions options_;
  size_t largest_array_ = 0;
  std::unordered_map<std::string_view, TicketPointer> tickets_;  // by their lines, until they are given back
  std::vector<TicketPointer> new_, again_;                       // that are to be sent
  std::vector<Batch> batches_;
  std::vector<Outcome> ready_;
  size_t under_way_ = 0;
  Clock::time_point looked_ = {}, sent_ = {}, may_send_ = {};
  Clock::time_point answered_ = Clock::now(), told_ = Clock::now(), queue_seen_ = Clock::now();
};

}  // namespace vantage::explore
