#include "explore/worker.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <istream>
#include <ostream>

#include "base/error.h"
#include "base/json.h"
#include "base/json_object.h"
#include "base/suggest.h"
#include "explore/effort.h"
#include "explore/known_programs.h"

namespace vantage::explore {

namespace {

// Two, so that one is there when the other is done.
constexpr size_t kJobsOfAWorker = 2;

Json answer(const std::string& line, const std::string& target, KnownPrograms& known) {
  try {
    const Json json = parse_json(line, "request");
    const JsonObject request(json, "request", {"task", "design", "effort"});
    const std::string effort_name = request.string("effort");
    if (std::ranges::find(kEffortNames, effort_name) == kEffortNames.end()) {
      request.refuse("effort", alternatives(kEffortNames));
    }
    const Effort& effort = find_effort(effort_name);
    const EvaluateOptions options{
        .target = target, .effort = effort.search, .known = effort.is_shared ? &known : nullptr};
    const ops::VtaTask task = ops::parse_task(request.value("task"), "task");
    return to_json(evaluate(task, parse_design(request.value("design"), "design"), options));
  } catch (const LostMachine& error) {
    return {{"error", error.what()}, {"is_lost", true}};
  } catch (const RefusedByMachine& error) {
    return {{"error", error.what()}, {"is_refused", true}};
  } catch (const MachineError& error) {
    return {{"error", error.what()}, {"is_machine", true}};
  } catch (const Error& error) {
    return {{"error", error.what()}};
  }
}

// How a process ended.
std::string end_text(int status) {
  if (WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    const char* hint = signal == SIGKILL ? ", perhaps for want of memory" : "";
    return fmt::format("its process was ended by signal {} ({}){}", signal, strsignal(signal), hint);
  }
  return fmt::format("its process ended with status {}", WEXITSTATUS(status));
}

}  // namespace

void serve_requests(std::istream& in, std::ostream& out, const std::string& target) {
  KnownPrograms known;
  for (std::string line; std::getline(in, line);) {
    out << answer(line, target, known).dump() << '\n' << std::flush;
  }
}

WorkerPool::WorkerPool(std::vector<std::vector<std::string>> commands, Tell tell)
    : tell_(std::move(tell)), workers_(commands.size()) {
  for (size_t i = 0; i < workers_.size(); ++i) workers_[i].command = std::move(commands[i]);
}

WorkerPool::~WorkerPool() {
  for (Worker& worker : workers_) end(worker);
}

void WorkerPool::end(Worker& worker) {
  if (!worker.is_started()) return;
  ::close(worker.socket);
  if (!worker.jobs.empty()) ::kill(worker.process, SIGKILL);  // nobody waits for its result
  ::waitpid(worker.process, nullptr, 0);
}

void WorkerPool::start(Worker& worker) {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    fail("cannot start a worker: {}", std::strerror(errno));
  }
  std::vector<char*> arguments;
  for (std::string& word : worker.command) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child < 0) fail("cannot start a worker: {}", std::strerror(errno));
  if (child == 0) {
    // A group of its own, so that a signal of the terminal is its parent's to take.
    ::setpgid(0, 0);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(127);  // gone before the line above
    ::dup2(ends[1], STDIN_FILENO);
    ::dup2(ends[1], STDOUT_FILENO);
    ::execv(arguments[0], arguments.data());
    ::_exit(127);
  }
  ::close(ends[1]);
  worker.process = child;
  worker.socket = ends[0];
  worker.unread.clear();
}

size_t WorkerPool::under_way() const {
  size_t jobs = waiting_.size();
  for (const Worker& worker : workers_) jobs += worker.jobs.size();
  return jobs;
}

bool WorkerPool::has_room() const {
  return under_way() < (kJobsOfAWorker + 1) * workers_.size();
}

void WorkerPool::submit(uint64_t job, std::string line) {
  waiting_.push_back({job, std::move(line)});
  distribute();
}

// To whoever has the fewest, of machines that have not refused it; what has none is started only where all others have
// something to do.
void WorkerPool::distribute() {
  for (auto job = waiting_.begin(); job != waiting_.end();) {
    const auto load = [&](const Worker& w) {
      return std::tuple(job->refused_by.contains(w.command), w.jobs.size(), !w.is_started());
    };
    const auto worker = std::ranges::min_element(workers_, {}, load);
    if (worker == workers_.end()) return;
    if (job->refused_by.contains(worker->command) || worker->jobs.size() >= kJobsOfAWorker) {
      ++job;
      continue;
    }
    if (!worker->is_started()) start(*worker);
    give(*worker, std::move(*job));
    job = waiting_.erase(job);
  }
}

void WorkerPool::give(Worker& worker, Job job) {
  // Who is dead is found out when its end is read.
  ::send(worker.socket, job.line.data(), job.line.size(), MSG_NOSIGNAL);
  worker.jobs.push_back(std::move(job));
}

std::vector<Outcome> WorkerPool::wait(std::chrono::milliseconds timeout) {
  if (workers_.empty()) {
    throw NoMachineLeft(fmt::format("no server is left to run programs: {}", fmt::join(lost_, "; ")));
  }
  std::vector<pollfd> files;
  for (const Worker& worker : workers_) files.push_back({worker.socket, POLLIN, 0});  // none of -1
  std::vector<Outcome> outcomes;
  if (::poll(files.data(), files.size(), static_cast<int>(timeout.count())) <= 0) return outcomes;
  for (size_t w = 0; w < files.size(); ++w) {
    if (files[w].revents != 0 && !workers_[w].is_lost) read(workers_[w], outcomes);
  }
  std::erase_if(workers_, [](const Worker& worker) { return worker.is_lost; });
  give_back_refused(outcomes);
  distribute();
  return outcomes;
}

// What no machine takes that is left.
void WorkerPool::give_back_refused(std::vector<Outcome>& outcomes) {
  if (workers_.empty()) return;
  std::erase_if(waiting_, [&](const Job& job) {
    const bool is_taken =
        std::ranges::any_of(workers_, [&](const Worker& w) { return !job.refused_by.contains(w.command); });
    if (!is_taken) outcomes.push_back({job.number, std::nullopt, job.refusal, true});
    return !is_taken;
  });
}

void WorkerPool::read(Worker& worker, std::vector<Outcome>& outcomes) {
  char bytes[1 << 16];
  const ssize_t count = ::read(worker.socket, bytes, sizeof(bytes));
  if (count <= 0) {
    bury(worker, outcomes);
    return;
  }
  worker.unread.append(bytes, static_cast<size_t>(count));
  for (size_t end = worker.unread.find('\n'); end != std::string::npos; end = worker.unread.find('\n')) {
    const std::string line = worker.unread.substr(0, end);
    worker.unread.erase(0, end + 1);
    take_answer(worker, line, outcomes);
  }
}

void WorkerPool::take_answer(Worker& worker, const std::string& line, std::vector<Outcome>& outcomes) {
  VANTAGE_CHECK(!worker.jobs.empty());
  Job job = std::move(worker.jobs.front());
  worker.jobs.pop_front();
  const std::string source = "a worker's answer";
  const Json json = parse_json(line, source);
  if (!json.contains("error")) {
    outcomes.push_back({job.number, parse_evaluation(json, source)});
  } else if (json.contains("is_lost")) {
    worker.jobs.push_front(std::move(job));
    give_up(worker.command, JsonObject(json, source).string("error"));
  } else if (json.contains("is_refused")) {
    job.refused_by.insert(worker.command);
    job.refusal = JsonObject(json, source).string("error");
    waiting_.push_front(std::move(job));
  } else if (json.contains("is_machine")) {
    try_again(std::move(job), JsonObject(json, source).string("error"), outcomes);
  } else {
    outcomes.push_back({job.number, std::nullopt, JsonObject(json, source).string("error")});
  }
}

// Its first job is what it died of; the others go to who takes its place.
void WorkerPool::bury(Worker& worker, std::vector<Outcome>& outcomes) {
  int status = 0;
  ::close(worker.socket);
  ::waitpid(worker.process, &status, 0);
  std::deque<Job> jobs = std::exchange(worker.jobs, {});
  if (jobs.empty()) fail("a worker cannot go on: {}", end_text(status));
  Job first = std::move(jobs.front());
  jobs.pop_front();
  hand_on(jobs);
  try_again(std::move(first), end_text(status), outcomes);
  start(worker);
}

// A machine: all workers that are started alike. It is not the fault of what they had.
void WorkerPool::give_up(const std::vector<std::string>& command, const std::string& error) {
  lost_.push_back(error);
  if (tell_) tell_(error);
  for (Worker& worker : workers_) {
    if (worker.is_lost || worker.command != command) continue;
    end(worker);
    worker.is_lost = true;
    worker.unread.clear();
    hand_on(worker.jobs);
  }
}

void WorkerPool::hand_on(std::deque<Job>& jobs) {
  for (; !jobs.empty(); jobs.pop_back()) waiting_.push_front(std::move(jobs.back()));
}

void WorkerPool::try_again(Job job, const std::string& error, std::vector<Outcome>& outcomes) {
  if (++job.deaths == 2) {
    outcomes.push_back({job.number, std::nullopt, error + " (tried twice)", true});
  } else {
    waiting_.push_front(std::move(job));
  }
}

EngineStarter worker_processes(std::vector<std::vector<std::string>> commands, WorkerPool::Tell tell) {
  return
      [commands = std::move(commands), tell = std::move(tell)] { return std::make_unique<WorkerPool>(commands, tell); };
}

}  // namespace vantage::explore
