// The options of commands that measure designs: which workloads, and how.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "explore/sweep.h"

namespace CLI {
class App;
}

namespace vantage::cli {

struct SweepArguments {
  std::vector<std::string> workloads = {"resnet18"};
  int jobs = 0;
  std::string effort = "quick";
  uint64_t seed = 1;

  // --workloads, --jobs, --search and --seed.
  void add_to(CLI::App& app);
  explore::Method method() const;

  // Measures all designs of the space, with progress on a terminal; a signal ends it in good order. Throws Error.
  explore::SweepResult run(const explore::Space& space, explore::Database& database) const;
};

// What is said, and the exit status, when a signal ended it.
int tell_stopped();

}  // namespace vantage::cli
