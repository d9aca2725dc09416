#include "explore/slurm.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <fstream>
#include <thread>

#include "base/error.h"
#include "explore/slurm_commands.h"

namespace vantage::explore {

namespace {

using std::chrono::seconds;

constexpr size_t kMostNew = 50'000;  // requests that wait to be sent
constexpr size_t kMostJobs = 1000;   // of an array
constexpr size_t kSlots = 64;        // of a cluster whose size nobody said
constexpr int kMostAttempts = 2;
constexpr int kMissed = 3;  // looks at the queue without a job that end it
constexpr seconds kBetweenLooks{1};
constexpr seconds kQuiet{60};       // without an answer, after which there is something to tell
constexpr seconds kBlindness{600};  // without a look at the queue, after which it is given up

std::string last_line_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::string last;
  for (std::string line; std::getline(file, line);) {
    if (!line.empty()) last = line;
  }
  return last;
}

}  // namespace

SlurmEngine::SlurmEngine(SlurmOptions options)
    : options_(std::move(options)), largest_array_(std::min(kMostJobs, largest_array())) {
  // Which begins something else in the pattern of a job's output, and cannot be written there.
  if (options_.folder.string().find('\\') != std::string::npos) {
    fail("{}: Slurm's jobs cannot write into a folder with a backslash in its name; use another",
         options_.folder.string());
  }
  std::error_code error;
  std::filesystem::create_directories(options_.folder, error);
  if (error) fail("{}: cannot be made: {}", options_.folder.string(), error.message());
  find_earlier();
}

SlurmEngine::~SlurmEngine() {
  try {
    // Jobs that have answered everything are about to end by themselves.
    for (int look = 0; under_way_ == 0 && !batches_.empty() && look < kMissed; ++look) {
      std::vector<std::string> names;
      for (const Batch& batch : batches_) names.push_back(batch.name);
      const Queue queue = look_at_queue(names);
      std::erase_if(batches_, [&](const Batch& batch) { return !queue.jobs.contains(batch.name); });
      if (!batches_.empty()) std::this_thread::sleep_for(kBetweenLooks / 4);
    }
    for (const Batch& batch : batches_) cancel(batch.name);
  } catch (const Error&) {
    // They answer to nobody then, and end by themselves.
  }
  std::error_code ignored;
  // What is not recorded, since that failed, is answered for the next time.
  if (under_way_ == 0 && std::uncaught_exceptions() == 0) std::filesystem::remove_all(options_.folder, ignored);
  std::filesystem::remove(options_.folder, ignored);  // an empty one
}

size_t SlurmEngine::slots() const {
  return options_.jobs > 0 ? options_.jobs : kSlots;
}

bool SlurmEngine::has_room() const {
  return new_.size() < kMostNew;
}

// What a process before this one has left: answers to take, jobs to wait for.
void SlurmEngine::find_earlier() {
  std::vector<std::filesystem::path> folders;
  for (const auto& entry : std::filesystem::directory_iterator(options_.folder)) folders.push_back(entry.path());
  for (const std::filesystem::path& folder : folders) {
    const std::string name = folder.filename().string();
    if (!name.starts_with("vantage-")) continue;
    // Half made, or of another version, whose programs may take other cycles.
    if (last_line_of(slurm_version_path(folder)) != options_.version || folder.has_extension()) {
      if (!folder.has_extension()) cancel(name);
      std::error_code ignored;
      std::filesystem::remove_all(folder, ignored);
      continue;
    }
    Batch batch{.name = name, .folder = folder, .answers = ShardAnswers(folder), .at_a_time = options_.jobs};
    for (;;) {
      std::ifstream lines(requests_path(folder, batch.shards.size()));
      if (!lines) break;
      Shard& shard = batch.shards.emplace_back();
      for (std::string line; std::getline(lines, line);) {
        shard.tickets.push_back(ticket_of(line + "\n"));
        ++shard.tickets.back()->holders;
      }
    }
    batches_.push_back(std::move(batch));
  }
}

SlurmEngine::TicketPointer& SlurmEngine::ticket_of(const std::string& line) {
  const auto known = tickets_.find(line);
  if (known != tickets_.end()) return known->second;
  auto ticket = std::make_shared<Ticket>(Ticket{.line = line});
  return tickets_[ticket->line] = ticket;
}

void SlurmEngine::submit(uint64_t job, std::string line) {
  const TicketPointer ticket = ticket_of(line);
  VANTAGE_CHECK(!ticket->job);
  ticket->job = job;
  ++under_way_;
  if (ticket->outcome) {
    give_back(ticket);
  } else if (ticket->holders == 0) {
    new_.push_back(ticket);
  }
}

// By value: the table may hold the last one but this.
void SlurmEngine::give_back(TicketPointer ticket) {
  Outcome outcome = std::move(*ticket->outcome);
  outcome.job = *ticket->job;
  ready_.push_back(std::move(outcome));
  --under_way_;
  tickets_.erase(ticket->line);
  ticket->is_given_back = true;
  ticket->outcome.reset();
  ticket->line = {};
}

std::vector<Outcome> SlurmEngine::wait(std::chrono::milliseconds timeout) {
  if (ready_.empty()) forget_batches();
  send_what_is_due();
  const auto until = Clock::now() + timeout;
  for (;;) {
    const auto begin = Clock::now();
    for (Batch& batch : batches_) read_answers(batch);
    if (Clock::now() - looked_ >= kBetweenLooks) look_after_jobs();
    if (!ready_.empty()) answered_ = Clock::now();
    if (!ready_.empty() || Clock::now() >= until) return std::exchange(ready_, {});
    // Files are looked at for a small part of the time, however many there are.
    constexpr std::chrono::milliseconds kPause{100};
    std::this_thread::sleep_for(std::max<Clock::duration>(kPause, 9 * (Clock::now() - begin)));
  }
}

void SlurmEngine::read_answers(Batch& batch, bool is_last) {
  if (batch.open_shards() == 0) return;
  const auto is_open = [&](size_t s) { return s < batch.shards.size() && !batch.shards[s].is_over; };
  for (auto& [s, outcome] : batch.answers.read(is_open, is_last)) {
    Shard& shard = batch.shards[s];
    if (outcome.job >= shard.tickets.size()) continue;
    const TicketPointer& ticket = shard.tickets[outcome.job];
    // By another process; or of an earlier sweep, which this one tries again.
    if (ticket->is_answered() || (outcome.died && !ticket->job)) continue;
    ticket->outcome = std::move(outcome);
    if (ticket->job) give_back(ticket);
  }
  for (Shard& shard : batch.shards) {
    if (!shard.is_over) {
      shard.is_over = std::ranges::all_of(shard.tickets, [](const TicketPointer& t) { return t->is_answered(); });
    }
  }
}

// Sees which jobs are over.
void SlurmEngine::look_after_jobs() {
  std::vector<std::string> names;
  for (const Batch& batch : batches_) names.push_back(batch.name);
  Queue queue;
  try {
    queue = look_at_queue(names);
    queue_seen_ = Clock::now();
  } catch (const Error& error) {
    looked_ = Clock::now();
    if (looked_ - queue_seen_ >= kBlindness) {
      fail("the cluster's queue cannot be looked at: {}; its jobs go on, and so does the same command later",
           error.what());
    }
    tell_what_is_waited_for("the cluster's queue cannot be looked at");
    return;
  }
  looked_ = Clock::now();
  for (Batch& batch : batches_) {
    const std::set<size_t>& queued = queue.jobs[batch.name];
    batch.is_queued = !queued.empty();
    if (batch.open_shards() == 0) ++batch.late;
    bool is_any_gone = false;
    for (size_t s = 0; s < batch.shards.size(); ++s) {
      Shard& shard = batch.shards[s];
      shard.missed = queued.contains(s) ? 0 : shard.missed + 1;
      is_any_gone |= !shard.is_over && shard.missed >= kMissed;
    }
    if (!is_any_gone) continue;
    read_answers(batch, true);
    for (size_t s = 0; s < batch.shards.size(); ++s) {
      if (!batch.shards[s].is_over && batch.shards[s].missed >= kMissed) end_shard(batch, s);
    }
  }
  if (queue.running + queue.waiting == 0) return;
  tell_what_is_waited_for(fmt::format("of the jobs on the cluster {} run and {} wait{}", queue.running, queue.waiting,
                                      queue.reason.empty() ? "" : ", for this reason: " + queue.reason));
}

// Its job has ended without all answers.
void SlurmEngine::end_shard(Batch& batch, size_t number) {
  Shard& shard = batch.shards[number];
  shard.is_over = true;
  for (const TicketPointer& ticket : shard.tickets) {
    if (--ticket->holders > 0 || ticket->is_answered() || !ticket->job) continue;
    if (ticket->attempts < kMostAttempts) {
      again_.push_back(ticket);
      continue;
    }
    const std::filesystem::path log = batch.folder / fmt::format("log-{}.txt", number);
    const std::string last = last_line_of(log);
    // Slurm makes the log before the job begins, where the node sees its folder.
    const std::string why =
        !last.empty() ? "; it says last: " + last
        : std::filesystem::exists(log)
            ? ""
            : fmt::format(", and left no log; do the cluster's nodes see {}, by this name?", batch.folder.string());
    ticket->outcome = Outcome{.error = "its job on the cluster ended without an answer, twice" + why, .died = true};
    give_back(ticket);
  }
}

// Arrays of which nothing is left: all that they have answered was taken and recorded.
void SlurmEngine::forget_batches() {
  std::erase_if(batches_, [](const Batch& batch) {
    if (batch.open_shards() > 0 || (batch.is_queued && batch.late < kMissed)) return false;
    for (const Shard& shard : batch.shards) {
      for (const TicketPointer& ticket : shard.tickets) {
        if (ticket->outcome) return false;  // that nobody has asked for yet
      }
    }
    if (batch.is_queued) {
      try {
        cancel(batch.name);
      } catch (const Error&) {
        return false;
      }
    }
    std::error_code ignored;
    std::filesystem::remove_all(batch.folder, ignored);
    return true;
  });
}

void SlurmEngine::tell_what_is_waited_for(const std::string& what) {
  const auto now = Clock::now();
  if (!options_.tell || now - std::max(answered_, told_) < kQuiet) return;
  told_ = now;
  const auto quiet = std::chrono::duration_cast<std::chrono::minutes>(now - answered_);
  options_.tell(fmt::format("no answer for {} min; {}", quiet.count(), what));
}

}  // namespace vantage::explore
