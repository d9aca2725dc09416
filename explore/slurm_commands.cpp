#include "explore/slurm_commands.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>

#include "base/error.h"
#include "base/file.h"
#include "base/process.h"
#include "base/temporary.h"

namespace vantage::explore {

namespace {

constexpr const char* kSlurmPackage = "slurm-client";

std::string slurm(const std::vector<std::string>& words) {
  require_program(words.front(), kSlurmPackage);
  // In a session of its own, where Ctrl-C does not reach it. What the user has chosen to see of the queue is not for
  // us.
  std::vector<std::string> command = {"setsid", "env"};
  for (const char* name : {"STATES", "PARTITION", "USERS", "ACCOUNT", "QOS", "LICENSES", "NAMES", "SORT"}) {
    command.insert(command.end(), {"-u", std::string("SQUEUE_") + name});
  }
  command.insert(command.end(), words.begin(), words.end());
  const TemporaryDirectory scratch;
  const std::filesystem::path log = scratch.path() / "log";
  const int status = run_process(command, scratch.path(), log, "util-linux");
  const std::string said = read_file(log, Bytes(uint64_t{1} << 30));
  if (status != 0) throw ToolError(fmt::format("{} failed with status {}; it says:", words.front(), status), said);
  return said;
}

}  // namespace

size_t largest_array() {
  for (const char* program : {"sbatch", "squeue", "scancel"}) require_program(program, kSlurmPackage);
  std::istringstream lines(slurm({"scontrol", "show", "config"}));
  for (std::string line; std::getline(lines, line);) {
    unsigned long size = 0;
    if (std::sscanf(line.c_str(), "MaxArraySize = %lu", &size) != 1) continue;
    if (size == 0) fail("this cluster takes no arrays of jobs; its MaxArraySize is 0");
    return size;
  }
  fail("scontrol does not say how large arrays of jobs may be: its output has no MaxArraySize");
}

void submit(const JobArray& array) {
  std::string log;
  for (const char c : (array.folder / "log-").string()) log += c == '%' ? "%%" : std::string(1, c);
  std::vector<std::string> command = {"sbatch", "--requeue", "--ntasks=1", "--open-mode=append",
                                      "--output=" + log + "%a.txt"};
  command.insert(command.end(), array.options.begin(), array.options.end());
  // Not to be chosen: whom to look for in the queue.
  std::string numbers = fmt::format("--array=0-{}", array.jobs - 1);
  if (array.at_a_time > 0) numbers += fmt::format("%{}", array.at_a_time);
  command.insert(command.end(), {"--parsable", "--job-name=" + array.name, "--chdir=" + array.folder.string(), numbers,
                                 "--wrap", array.script});
  slurm(command);
}

Queue look_at_queue(const std::vector<std::string>& names) {
  Queue queue;
  if (names.empty()) return queue;
  std::istringstream lines(slurm(
      {"squeue", "--noheader", "--array", "--format=%j|%K|%t|%r", fmt::format("--name={}", fmt::join(names, ","))}));
  for (std::string line; std::getline(lines, line);) {
    std::istringstream fields(line);
    std::string name, number, state, reason;
    std::getline(fields, name, '|');
    std::getline(fields, number, '|');
    std::getline(fields, state, '|');
    std::getline(fields, reason);
    const bool is_number = !number.empty() && std::ranges::all_of(number, [](char c) { return c >= '0' && c <= '9'; });
    if (!is_number || std::ranges::find(names, name) == names.end()) continue;  // a warning
    queue.jobs[name].insert(std::stoul(number));
    ++(state == "PD" ? queue.waiting : queue.running);
    // Who waits for others of its own array says nothing of the cluster.
    if (state == "PD" && reason != "JobArrayTaskLimit" && reason != "None") queue.reason = reason;
  }
  return queue;
}

void cancel(const std::string& name) {
  slurm({"scancel", "--name=" + name});
}

}  // namespace vantage::explore
