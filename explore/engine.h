// What runs programs for a sweep: processes here (worker.h), or the jobs of a cluster (slurm.h).
//
// Thread safety: one thread at a time.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "explore/evaluate.h"

namespace vantage::explore {

// What is asked for: one line.
std::string request_line(const std::string& task, const Design& design, const std::string& effort = "quick");

struct Outcome {
  uint64_t job = 0;
  std::optional<Evaluation> result = {};
  std::string error = {};  // without a result
  bool died = false;       // the process or its machine failed, and not the program: it may be tried again
};

// Designs of which a program died: what they take is not known. The same call again tries those programs once more.
struct Undecided {
  uint64_t designs = 0;
  std::string why = {};  // the first of them
};

// There is no machine left to run programs on. What came back before stays.
class NoMachineLeft : public Error {
 public:
  using Error::Error;
};

class Engine {
 public:
  virtual ~Engine() = default;  // ends what is under way

  // Programs that run at a time, roughly.
  virtual size_t slots() const = 0;
  // Jobs that were given and have not come back.
  virtual size_t under_way() const = 0;
  // Whether more should be given before results are waited for.
  virtual bool has_room() const = 0;
  virtual void submit(uint64_t job, std::string line) = 0;

  // Those that came back, after `timeout` at the latest. A job whose process died, or whose machine failed, is tried
  // once more; one that a machine does not take is given to another. When that does not do it either, the error says
  // why. Throws Error when nothing can run, and NoMachineLeft when nothing can run any more.
  virtual std::vector<Outcome> wait(std::chrono::milliseconds timeout) = 0;
};

// Starts one.
using EngineStarter = std::function<std::unique_ptr<Engine>()>;

}  // namespace vantage::explore
