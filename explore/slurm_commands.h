// What a Slurm cluster is told and asked, by Slurm's own commands.
//
// All throw Error when the commands are not there, and ToolError with what they said when one fails. A signal of the
// terminal does not reach them: it is this process's to take.
//
// Thread safety: functions without state.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace vantage::explore {

// As many jobs as an array may have on this cluster, which has to answer.
size_t largest_array();

// Jobs that are numbered from 0.
struct JobArray {
  std::string name;                       // of each job
  std::filesystem::path folder;           // in which they run, with their output: log-NUMBER.txt
  std::string script;                     // for /bin/sh
  size_t jobs = 0;                        // in all
  size_t at_a_time = 0;                   // 0: as the cluster has place
  std::vector<std::string> options = {};  // of sbatch
};
void submit(const JobArray& array);

// What has not ended of some arrays.
struct Queue {
  std::map<std::string, std::set<size_t>> jobs = {};  // by name of the array
  size_t running = 0, waiting = 0;
  std::string reason = {};  // why one of them waits
};
Queue look_at_queue(const std::vector<std::string>& names);

void cancel(const std::string& name);

}  // namespace vantage::explore
