#include "explore/slurm.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <random>
#include <set>
#include <sstream>
#include <thread>

#include "base/error.h"
#include "base/file.h"
#include "base/process.h"
#include "base/temporary.h"

namespace vantage::explore {

namespace {

constexpr const char* kPackage = "slurm-client";
constexpr size_t kMostNew = 50'000;   // requests that wait to be sent
constexpr size_t kMostJobs = 1000;    // of an array, as clusters come
constexpr size_t kMostLines = 256;    // of a job
constexpr size_t kWorthAnArray = 64;  // requests, where others are under way
constexpr size_t kSlots = 64;         // of a cluster whose size nobody said
constexpr int kMostAttempts = 2;
constexpr int kMissed = 3;                // looks at the queue without a job that end it
constexpr int kMostUnansweredLooks = 60;  // in a row
constexpr std::chrono::seconds kBetweenLooks{1};

// In single quotes for a shell.
std::string quoted(const std::string& word) {
  std::string text = "'";
  for (const char c : word) c == '\'' ? text += "'\\''" : text += c;
  return text + "'";
}

std::string slurm(const std::vector<std::string>& command) {
  const TemporaryDirectory scratch;
  return run_tool(command, scratch.path(), kPackage);
}

std::string last_line_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::string last;
  for (std::string line; std::getline(file, line);) {
    if (!line.empty()) last = line;
  }
  return last;
}

}  // namespace

SlurmEngine::SlurmEngine(SlurmOptions options) : options_(std::move(options)) {
  require_program("sbatch", kPackage);
  std::error_code error;
  std::filesystem::create_directories(options_.folder, error);
  if (error) fail("{}: cannot be made: {}", options_.folder.string(), error.message());
  find_earlier();
}

SlurmEngine::~SlurmEngine() {
  std::error_code ignored;
  for (const Batch& batch : batches_) {
    try {
      slurm({"scancel", "--name=" + batch.name});
    } catch (const Error&) {
      // They answer to nobody then, and end by themselves.
    }
  }
  if (under_way_ == 0) std::filesystem::remove_all(options_.folder, ignored);
}

size_t SlurmEngine::slots() const {
  return options_.jobs > 0 ? options_.jobs : kSlots;
}

bool SlurmEngine::has_room() const {
  return new_.size() < kMostNew;
}

// What a process before this one has left: answers to take, jobs to wait for.
void SlurmEngine::find_earlier() {
  for (const auto& entry : std::filesystem::directory_iterator(options_.folder)) {
    if (!entry.is_directory()) continue;
    Batch batch{entry.path().filename().string(), entry.path(), {}};
    for (size_t s = 0;; ++s) {
      std::ifstream lines(requests_path(batch.folder, s));
      if (!lines) break;
      Shard shard{{}, ShardAnswers(batch.folder, s)};
      for (std::string line; std::getline(lines, line);) {
        shard.tickets.push_back(&ticket_of(line + "\n"));
        shard.tickets.back()->is_sent = true;
      }
      batch.shards.push_back(std::move(shard));
    }
    batches_.push_back(std::move(batch));
  }
}

SlurmEngine::Ticket& SlurmEngine::ticket_of(const std::string& line) {
  std::unique_ptr<Ticket>& ticket = tickets_[line];
  if (ticket == nullptr) ticket = std::make_unique<Ticket>(Ticket{line});
  return *ticket;
}

void SlurmEngine::submit(uint64_t job, std::string line) {
  Ticket& ticket = ticket_of(line);
  VANTAGE_CHECK(!ticket.job);
  ticket.job = job;
  ++under_way_;
  if (ticket.outcome) {
    give_back(ticket);
  } else if (!ticket.is_sent) {
    new_.push_back(&ticket);
  }
}

void SlurmEngine::give_back(Ticket& ticket) {
  Outcome outcome = *ticket.outcome;
  outcome.job = *ticket.job;
  ready_.push_back(std::move(outcome));
  --under_way_;
}

std::vector<Outcome> SlurmEngine::wait(std::chrono::milliseconds timeout) {
  // Not an array for each of a few requests, as long as there are others to wait for.
  if (!new_.empty() && (batches_.empty() || new_.size() >= kWorthAnArray)) {
    const size_t jobs = std::min(kMostJobs, 4 * slots());
    const size_t each = std::clamp<size_t>(new_.size() / jobs, 1, kMostLines);
    send(std::exchange(new_, {}), each);
  }
  if (!again_.empty()) send(std::exchange(again_, {}), 1);
  const auto until = Clock::now() + timeout;
  for (;;) {
    for (Batch& batch : batches_) read_answers(batch);
    if (Clock::now() - looked_ >= kBetweenLooks) look_after_jobs();
    if (!ready_.empty() || Clock::now() >= until) return std::exchange(ready_, {});
    constexpr std::chrono::milliseconds kPause{100};
    std::this_thread::sleep_for(kPause);
  }
}

void SlurmEngine::send(std::vector<Ticket*> tickets, size_t lines_each) {
  std::random_device random;
  for (size_t begin = 0; begin < tickets.size(); begin += lines_each * kMostJobs) {
    Batch batch{fmt::format("vantage-{:08x}{:08x}", random(), random()), {}, {}};
    batch.folder = options_.folder / batch.name;
    NewDirectory made(batch.folder);
    const size_t end = std::min(tickets.size(), begin + lines_each * kMostJobs);
    for (size_t first = begin; first < end; first += lines_each) {
      Shard shard{{}, ShardAnswers(batch.folder, batch.shards.size())};
      std::string text;
      for (size_t t = first; t < std::min(end, first + lines_each); ++t) {
        ++tickets[t]->attempts;
        tickets[t]->is_sent = true;
        text += tickets[t]->line;
        shard.tickets.push_back(tickets[t]);
      }
      write_file(requests_path(made.path(), batch.shards.size()), text);
      batch.shards.push_back(std::move(shard));
    }
    made.commit();
    std::string script = "exec";
    for (const std::string& word : options_.worker) script += " " + quoted(word);
    script += " " + quoted((batch.folder / "requests-").string()) + "\"$SLURM_ARRAY_TASK_ID\".jsonl";
    std::vector<std::string> command = {"sbatch",
                                        "--parsable",
                                        "--job-name=" + batch.name,
                                        "--requeue",
                                        "--ntasks=1",
                                        "--open-mode=append",
                                        "--output=" + (batch.folder / "log-%a.txt").string()};
    command.push_back(fmt::format("--array=0-{}", batch.shards.size() - 1));
    if (options_.jobs > 0) command.back() += fmt::format("%{}", options_.jobs);
    command.insert(command.end(), options_.sbatch.begin(), options_.sbatch.end());
    command.insert(command.end(), {"--wrap", script});
    batches_.push_back(std::move(batch));
    slurm(command);
  }
}

void SlurmEngine::read_answers(Batch& batch) {
  for (Shard& shard : batch.shards) {
    if (shard.is_over) continue;
    for (Outcome& outcome : shard.answers.read()) {
      if (outcome.job >= shard.tickets.size()) continue;
      Ticket& ticket = *shard.tickets[outcome.job];
      // By another process; or of an earlier sweep, which this one tries again.
      if (ticket.outcome || (outcome.died && !ticket.job)) continue;
      ticket.outcome = std::move(outcome);
      if (ticket.job) give_back(ticket);
    }
    shard.is_over = std::ranges::all_of(shard.tickets, [](const Ticket* t) { return t->outcome.has_value(); });
  }
}

// Sees which jobs are over, and forgets arrays of which nothing is left.
void SlurmEngine::look_after_jobs() {
  looked_ = Clock::now();
  for (Batch& batch : batches_) {
    std::string queue;
    try {
      queue = slurm({"squeue", "--noheader", "--array", "--format=%K", "--name=" + batch.name});
      unanswered_looks_ = 0;
    } catch (const Error& error) {
      if (++unanswered_looks_ < kMostUnansweredLooks) return;
      fail("the cluster's queue cannot be looked at: {}; the jobs go on, and so does the same command later",
           error.what());
    }
    std::set<size_t> at_work;
    std::istringstream lines(queue);
    for (std::string word; lines >> word;) {
      if (std::ranges::all_of(word, [](char c) { return c >= '0' && c <= '9'; })) at_work.insert(std::stoul(word));
    }
    read_answers(batch);  // that came before they left the queue
    for (size_t s = 0; s < batch.shards.size(); ++s) {
      Shard& shard = batch.shards[s];
      // Answers may take a moment to be seen on this node.
      if (shard.is_over || at_work.contains(s) || ++shard.missed < kMissed) continue;
      end_shard(batch, s);
      shard.is_over = true;
    }
  }
  std::erase_if(batches_, [](const Batch& batch) {
    if (!std::ranges::all_of(batch.shards, &Shard::is_over)) return false;
    std::error_code ignored;
    std::filesystem::remove_all(batch.folder, ignored);
    return true;
  });
}

// Its job has ended without all answers.
void SlurmEngine::end_shard(const Batch& batch, size_t number) {
  for (Ticket* ticket : batch.shards[number].tickets) {
    if (ticket->outcome) continue;
    ticket->is_sent = false;
    if (!ticket->job) continue;
    if (ticket->attempts < kMostAttempts) {
      again_.push_back(ticket);
      continue;
    }
    const std::string last = last_line_of(batch.folder / fmt::format("log-{}.txt", number));
    ticket->outcome = Outcome{.error = fmt::format("its job on the cluster ended without an answer, twice{}{}",
                                                   last.empty() ? "" : "; it says last: ", last),
                              .died = true};
    give_back(*ticket);
  }
}

}  // namespace vantage::explore
