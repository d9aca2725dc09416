#include "driver/rpc/server/session.h"

#include <algorithm>

#include "base/error.h"
#include "base/json.h"
#include "driver/rpc/protocol/errors.h"

namespace vantage::rpc {

namespace {

constexpr size_t kLogLines = 1000;
// What was asked to stop has so long to do it; then its process is ended.
constexpr auto kGrace = std::chrono::milliseconds(100);
// Of a session's process beside its device's memory: what programs and their parsing take, and the simulator itself.
constexpr Bytes kOverhead{uint64_t{1} << 30};

// What takes a turn on the device is a load or a run; null: anything else, which is quick.
const char* turn_of(const v1::WorkspaceRequest& request) {
  switch (request.what_case()) {
    case v1::WorkspaceRequest::kLoad:
    case v1::WorkspaceRequest::kLoadLibrary: return "load";
    case v1::WorkspaceRequest::kLaunch:
    case v1::WorkspaceRequest::kTime: return "run";
    default: return nullptr;
  }
}

std::chrono::steady_clock::duration duration_of(double seconds) {
  return std::chrono::duration_cast<std::chrono::steady_clock::duration>(
      std::chrono::duration<double>(std::min(seconds, 1e8)));
}

}  // namespace

// While it lives, watch() stops it once its caller has given up or its time is over.
class Session::Watched {
 public:
  Watched(Session& session, const GivenUp& given_up) : session_(session) {
    const std::lock_guard watch(session_.watch_);
    session_.running_.emplace(Running{{}, given_up, {}, {}});
    if (session_.closed_) session_.ask_to_stop();
    stop_ = session_.running_->stop.get_token();
  }
  Watched(const Watched&) = delete;
  Watched& operator=(const Watched&) = delete;
  ~Watched() {
    const std::lock_guard watch(session_.watch_);
    session_.running_.reset();
  }

  const std::stop_token& stop() const { return stop_; }

  // Does `work` for at most so long. Throws QuotaError of `message` when that is over.
  void within(double seconds, const std::string& message, const std::function<void()>& work) {
    {
      const std::lock_guard watch(session_.watch_);
      session_.running_->until = Clock::now() + duration_of(seconds);
    }
    try {
      work();
    } catch (const Error&) {
      require_in_time(message);  // that it was stopped is why it failed
      throw;
    }
    require_in_time(message);
  }

 private:
  void require_in_time(const std::string& message) {
    const std::lock_guard watch(session_.watch_);
    if (!session_.running_->out_of_time) return;
    throw QuotaError(session_.lost_.empty() ? message : message + "; " + session_.lost_);
  }

  Session& session_;
  std::stop_token stop_;
};

Session::Session(std::string key, OfferedDevice& device, const std::string& who, const Quota& limits)
    : key_(std::move(key)),
      device_(device),
      who_(who),
      limits_(limits),
      client_(device.queue.identity(who)),
      seconds_left_(limits.session_seconds),
      workspace_(device.offer.start()) {
  ++device_.sessions;
}

Session::~Session() {
  --device_.sessions;
}

Session::Call::Call(Session& session) : session_(session) {
  if (++session_.calls_ <= session_.limits_.calls) return;
  --session_.calls_;
  throw QuotaError(fmt::format("{} calls of the session are under way, which is as many as this server allows",
                               session_.limits_.calls));
}

Session::Call::~Call() {
  session_.last_call_ = Clock::now();
  --session_.calls_;
}

std::unique_lock<std::mutex> Session::enter() {
  std::unique_lock lock(call_);
  const std::lock_guard watch(watch_);
  if (closed_) throw SessionOver("the session is over; open the device again");
  return lock;
}

v1::OpenReply Session::open(const std::string& config_json, const std::string& memory_json, const GivenUp& given_up,
                            const std::function<void(const std::string&)>& progress) {
  const auto call = enter();
  const Watched watched(*this, given_up);
  v1::OpenRequest request;
  request.set_config_json(config_json);
  request.set_memory_json(memory_json);
  v1::WorkspaceLimits& limits = *request.mutable_limits();
  limits.set_memory_bytes(limits_.memory.count());
  limits.set_allocations(limits_.allocations);
  limits.set_programs(limits_.programs);
  limits.set_tensors(limits_.tensors);
  limits.set_run_steps(limits_.run_steps);
  const Offer& offer = device_.offer;
  request.set_device(offer.scheme);
  if (offer.config) request.set_offered_config_json(offer.config->to_json().dump());
  v1::OpenReply opened = workspace_->open(request, progress, watched.stop());
  last_call_ = Clock::now();
  return opened;
}

void Session::work(const GivenUp& given_up, const std::function<void(Workspace&, const std::stop_token&)>& work) {
  const auto call = enter();
  Watched watched(*this, given_up);
  // On a device that is shared it may come after another's run.
  const double seconds = 2 * limits_.run_seconds;
  watched.within(seconds,
                 fmt::format("the call took longer than the {:.3g} seconds that this server gives to one", seconds),
                 [&] { work(*workspace_, watched.stop()); });
}

v1::WorkspaceReply Session::call(const v1::WorkspaceRequest& request, const GivenUp& given_up) {
  if (const char* const what = turn_of(request)) return in_turn(what, request, given_up);
  v1::WorkspaceReply reply;
  work(given_up, [&](Workspace& workspace, const std::stop_token& stop) { reply = workspace.call(request, stop); });
  return reply;
}

void Session::write(Bytes address, std::span<const std::byte> bytes, const GivenUp& given_up) {
  work(given_up, [&](Workspace& workspace, const std::stop_token& stop) { workspace.write(address, bytes, stop); });
}

void Session::write_content(Bytes address, ContentStore& store, const std::string& sha256, const GivenUp& given_up) {
  work(given_up, [&](Workspace& workspace, const std::stop_token& stop) {
    store.read(sha256, [&](std::span<const std::byte> piece) {
      if (stop.stop_requested()) throw CallCancelled("the call was given up");
      workspace.write(address, piece, stop);
      address += Bytes(piece.size());
    });
  });
}

void Session::read(Bytes address, std::span<std::byte> bytes, const GivenUp& given_up) {
  work(given_up, [&](Workspace& workspace, const std::stop_token& stop) { workspace.read(address, bytes, stop); });
}

v1::WorkspaceReply Session::in_turn(const char* what, const v1::WorkspaceRequest& request, const GivenUp& given_up) {
  const auto call = enter();
  if (seconds_left_ <= 0) {
    throw QuotaError(
        fmt::format("the session's {} seconds of loads and runs are used up; open another", limits_.session_seconds));
  }
  Watched watched(*this, given_up);
  const auto turn = device_.queue.enter(client_, watched.stop());
  if (!turn) {
    const std::lock_guard watch(watch_);
    if (closed_) throw SessionOver(fmt::format("the session is over: its {} waited for a turn", what));
    throw CallCancelled(fmt::format("the {} was given up while it waited for its turn", what));
  }
  // Whatever way it ends.
  struct Account {
    double& left;
    const Clock::time_point start = Clock::now();
    ~Account() { left -= std::chrono::duration<double>(Clock::now() - start).count(); }
  } const account{seconds_left_};
  const double allowed = std::min(seconds_left_, limits_.run_seconds);
  v1::WorkspaceReply reply;
  watched.within(allowed,
                 fmt::format("the {} took longer than the {:.3g} seconds that {}", what, allowed,
                             allowed < limits_.run_seconds ? "its session had left" : "this server gives to one"),
                 [&] { reply = workspace_->call(request, watched.stop()); });
  return reply;
}

void Session::log(std::string line) {
  const std::lock_guard watch(watch_);
  log_.push_back(std::move(line));
  if (log_.size() > kLogLines) log_.pop_front();
}

std::vector<std::string> Session::take_log() {
  const std::lock_guard watch(watch_);
  std::vector<std::string> lines(std::make_move_iterator(log_.begin()), std::make_move_iterator(log_.end()));
  log_.clear();
  return lines;
}

void Session::watch() {
  const std::lock_guard watch(watch_);
  if (workspace_ == nullptr || !running_) return;
  const auto now = Clock::now();
  if (!running_->asked_at) {
    running_->out_of_time = running_->until && now > *running_->until;
    if (!running_->out_of_time && !closed_ && !running_->given_up()) return;
    ask_to_stop();
  } else if (now > *running_->asked_at + kGrace && workspace_->end()) {
    lost_ = "its process did not stop when it was asked to, and was ended";
  }
}

void Session::ask_to_stop() {
  running_->asked_at = Clock::now();
  running_->stop.request_stop();
}

void Session::watch_memory() {
  const Bytes most = limits_.memory + kOverhead;
  if (resident() > most) lose(fmt::format("its process took more than {} bytes of memory", most.count()));
}

Bytes Session::resident() const {
  const std::lock_guard watch(watch_);
  return workspace_ == nullptr ? Bytes(0) : workspace_->resident();
}

void Session::lose(std::string reason) {
  const std::lock_guard watch(watch_);
  if (workspace_ != nullptr && workspace_->end() && lost_.empty()) lost_ = std::move(reason);
}

std::optional<std::string> Session::end_reason() const {
  const std::lock_guard watch(watch_);
  if (!lost_.empty()) return lost_;
  if (workspace_ == nullptr || workspace_->is_gone()) return "its process is gone";
  const double idle = std::chrono::duration<double>(Clock::now() - last_call_.load()).count();
  if (calls_ == 0 && idle > limits_.idle_seconds) return fmt::format("it did nothing for {:.3g} seconds", idle);
  return std::nullopt;
}

void Session::stop() {
  const std::lock_guard watch(watch_);
  closed_ = true;
  if (running_ && !running_->asked_at) ask_to_stop();
}

void Session::close() {
  stop();
  const std::lock_guard call(call_);  // until the last call has ended
  // Calls that have not noticed yet keep the session, but nothing of weight.
  const std::lock_guard watch(watch_);
  workspace_.reset();
}

}  // namespace vantage::rpc
