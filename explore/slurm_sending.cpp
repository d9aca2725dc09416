// What of a sweep's requests is sent to the cluster, when, and in jobs of which size.
#include <fmt/format.h>

#include <algorithm>
#include <random>

#include "base/error.h"
#include "base/file.h"
#include "base/shell_word.h"
#include "base/temporary.h"
#include "explore/slurm.h"
#include "explore/slurm_commands.h"

namespace vantage::explore {

namespace {

using std::chrono::seconds;

constexpr size_t kMostLines = 256;    // of a job
constexpr size_t kWorthAnArray = 64;  // requests, where others are under way
constexpr seconds kBetweenSmallArrays{5};
constexpr seconds kUntilRefusedAgain{10};

std::string new_name() {
  std::random_device random;
  return fmt::format("vantage-{:08x}{:08x}", random(), random());
}

}  // namespace

// How many jobs more may run at a time.
size_t SlurmEngine::free_slots() const {
  if (options_.jobs == 0) return largest_array_;
  size_t taken = 0;
  for (const Batch& batch : batches_) taken += std::min(batch.at_a_time, batch.open_shards());
  return options_.jobs - std::min(options_.jobs, taken);
}

void SlurmEngine::send_what_is_due() {
  const auto now = Clock::now();
  if (now < may_send_) return;
  // One each, so that one that takes its job with it takes no other.
  send(again_, 1 + again_.size() / (4 * largest_array_));
  // Not an array for each of a few requests, nor one before the cluster needs it.
  const size_t sent = under_way_ - new_.size() - again_.size();
  const bool is_enough = new_.size() >= kWorthAnArray || now - sent_ >= kBetweenSmallArrays;
  const bool is_due = batches_.empty() || (is_enough && sent < 4 * slots() && 2 * free_slots() >= options_.jobs);
  if (!is_due) return;
  const size_t jobs = std::min(largest_array_, 4 * slots());
  send(new_, std::clamp<size_t>(new_.size() / jobs, 1, kMostLines));
}

void SlurmEngine::send(std::vector<TicketPointer>& tickets, size_t lines_each) {
  while (!tickets.empty() && free_slots() > 0) {
    const auto end = tickets.begin() + static_cast<ptrdiff_t>(std::min(tickets.size(), lines_each * largest_array_));
    if (!send(std::vector(tickets.begin(), end), lines_each, options_.jobs > 0 ? free_slots() : 0)) return;
    tickets.erase(tickets.begin(), end);
  }
}

// Whether the cluster has taken them. Throws Error when it has not, and there is nothing else to wait for.
bool SlurmEngine::send(const std::vector<TicketPointer>& tickets, size_t lines_each, size_t at_a_time) {
  const std::string name = new_name();
  const std::filesystem::path folder = options_.folder / name;
  Batch batch{.name = name, .folder = folder, .answers = ShardAnswers(folder), .at_a_time = at_a_time};
  NewDirectory made(folder);
  write_file(slurm_version_path(made.path()), options_.version + "\n");
  for (size_t first = 0; first < tickets.size(); first += lines_each) {
    std::string text;
    const std::filesystem::path requests = requests_path(made.path(), batch.shards.size());
    Shard& shard = batch.shards.emplace_back();
    for (size_t t = first; t < std::min(tickets.size(), first + lines_each); ++t) {
      text += tickets[t]->line;
      shard.tickets.push_back(tickets[t]);
    }
    write_file(requests, text);
  }
  made.commit();
  std::string script = "exec";
  for (const std::string& word : options_.worker) script += " " + shell_word(word);
  script += " " + shell_word((folder / "requests-").string()) + "\"$SLURM_ARRAY_TASK_ID\".jsonl";
  try {
    vantage::explore::submit({name, folder, script, batch.shards.size(), at_a_time, options_.sbatch});
  } catch (const Error& error) {
    // A limit, perhaps, that holds until others have ended.
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
    if (batches_.empty()) throw;
    may_send_ = Clock::now() + kUntilRefusedAgain;
    tell_what_is_waited_for(error.what());
    return false;
  }
  for (const TicketPointer& ticket : tickets) {
    ++ticket->attempts;
    ++ticket->holders;
  }
  batches_.push_back(std::move(batch));
  sent_ = Clock::now();
  return true;
}

}  // namespace vantage::explore
