// Programs evaluated in processes of their own, which may die without harm: what they take and give are lines of JSON.
//
// Thread safety: one thread at a time.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <iosfwd>
#include <set>
#include <string>
#include <vector>

#include "explore/engine.h"

namespace vantage::explore {

// A worker's life: a line for each line, until there are no more. Programs run on `target`.
void serve_requests(std::istream& in, std::ostream& out, const std::string& target = "systemc:");

// Worker processes.
class WorkerPool final : public Engine {
 public:
  using Tell = std::function<void(const std::string&)>;

  // `commands` start one each, once there is a program for it; it calls serve_requests() on its standard input and
  // output. Those that are the same run programs on the same machine: when it is lost, `tell` is told why, and the
  // other machines get its programs, as they get what it refuses.
  explicit WorkerPool(std::vector<std::vector<std::string>> commands, Tell tell = nullptr);
  ~WorkerPool() override;
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  size_t slots() const override { return workers_.size(); }
  size_t under_way() const override;
  bool has_room() const override;
  void submit(uint64_t job, std::string line) override;
  std::vector<Outcome> wait(std::chrono::milliseconds timeout) override;

 private:
  struct Job {
    uint64_t number;
    std::string line;
    int deaths = 0;
    std::set<std::vector<std::string>> refused_by = {};  // machines, by the commands of their workers
    std::string refusal = {};                            // of the last one
  };
  struct Worker {
    std::vector<std::string> command;
    pid_t process = -1;
    int socket = -1;            // its standard input and output
    std::string unread = {};    // of a line that is not complete
    std::deque<Job> jobs = {};  // given to it, in order
    bool is_lost = false;       // with its machine: it has ended

    bool is_started() const { return process >= 0; }
  };

  void start(Worker& worker);
  void end(Worker& worker);
  void give(Worker& worker, Job job);
  void distribute();
  void read(Worker& worker, std::vector<Outcome>& outcomes);
  void take_answer(Worker& worker, const std::string& line, std::vector<Outcome>& outcomes);
  void bury(Worker& worker, std::vector<Outcome>& outcomes);
  void give_back_refused(std::vector<Outcome>& outcomes);
  void give_up(const std::vector<std::string>& command, const std::string& error);
  void hand_on(std::deque<Job>& jobs);
  void try_again(Job job, const std::string& error, std::vector<Outcome>& outcomes);

  const Tell tell_;
  std::vector<Worker> workers_;
  std::vector<std::string> lost_;  // of each machine that was, why
  std::deque<Job> waiting_;
};

EngineStarter worker_processes(std::vector<std::vector<std::string>> commands, WorkerPool::Tell tell = nullptr);

}  // namespace vantage::explore
