// Programs evaluated in processes of their own, which may die without harm: what they take and give are lines of JSON.
//
// Thread safety: one thread at a time.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <deque>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "explore/evaluate.h"

namespace vantage::explore {

// What a worker is asked: one line.
std::string request_line(const std::string& task, const Design& design, const std::string& effort = "quick");

// A worker's life: a line for each line, until there are no more. Programs run on `target`.
void serve_requests(std::istream& in, std::ostream& out, const std::string& target = "systemc:");

struct Outcome {
  uint64_t job = 0;
  std::optional<Evaluation> result = {};
  std::string error = {};  // without a result
  bool died = false;       // the process or its machine failed, and not the program: it may be tried again
};

// Worker processes.
class WorkerPool {
 public:
  // `commands` start one each, which calls serve_requests() on its standard input and output.
  explicit WorkerPool(std::vector<std::vector<std::string>> commands);
  ~WorkerPool();  // ends them
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  // Jobs that were given and have not come back.
  size_t under_way() const;
  // Whether a job given now would soon be begun.
  bool has_room() const;
  void submit(uint64_t job, std::string line);

  // Those that came back, after `timeout` at the latest. A job whose worker died, or whose machine failed, is given to
  // another one; when that does not do it either, the error says why.
  std::vector<Outcome> wait(std::chrono::milliseconds timeout);

 private:
  struct Job {
    uint64_t number;
    std::string line;
    int deaths = 0;
  };
  struct Worker {
    std::vector<std::string> command;
    pid_t process = -1;
    int socket = -1;            // its standard input and output
    std::string unread = {};    // of a line that is not complete
    std::deque<Job> jobs = {};  // given to it, in order
  };

  void start(Worker& worker);
  void give(Worker& worker, Job job);
  void distribute();
  void read(Worker& worker, std::vector<Outcome>& outcomes);
  void take_answer(Worker& worker, const std::string& line, std::vector<Outcome>& outcomes);
  void bury(Worker& worker, std::vector<Outcome>& outcomes);
  void try_again(Job job, const std::string& error, std::vector<Outcome>& outcomes);

  std::vector<Worker> workers_;
  std::deque<Job> waiting_;
};

}  // namespace vantage::explore
