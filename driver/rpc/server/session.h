// What a client has on a server: a workspace on a device, and what is left of its time.
//
// Thread safety: calls of one session run one after another, whatever threads they come from; watch(), stop() and the
// log may be called beside them.
#pragma once

#include <atomic>
#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "driver/rpc/protocol/quota.h"
#include "driver/rpc/server/content_store.h"
#include "driver/rpc/server/offer.h"
#include "driver/rpc/workspace/workspace.h"

namespace vantage::rpc {

class Session {
 public:
  // Whether the caller has given up on a call, or its deadline has passed.
  using GivenUp = std::function<bool()>;

  // `who` has it: the name of an identity.
  Session(std::string key, OfferedDevice& device, const std::string& who, const Quota& limits);
  ~Session();

  const std::string& key() const { return key_; }
  const std::string& who() const { return who_; }

  // A call of the session's, from when it came until it is answered. Throws QuotaError when as many as there may be are
  // under way.
  class Call {
   public:
    explicit Call(Session& session);
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;
    ~Call();

   private:
    Session& session_;
  };

  // Opens the device, and says what it is. Throws Error when the offer has no such configuration or memory
  // setting. `progress` is called with what begins, when that takes seconds.
  v1::OpenReply open(const std::string& config_json, const std::string& memory_json, const GivenUp& given_up,
                     const std::function<void(const std::string&)>& progress);

  // What follows is stopped when the caller gives up or a limit of time is reached. It throws what a workspace throws,
  // CallCancelled when the caller has given up, QuotaError when a limit is reached, and SessionOver after close().
  // Loads and runs wait for a turn on the device first, and their time is the session's.
  v1::WorkspaceReply call(const v1::WorkspaceRequest& request, const GivenUp& given_up);
  void write(Bytes address, std::span<const std::byte> bytes, const GivenUp& given_up);
  void write_content(Bytes address, ContentStore& store, const std::string& sha256, const GivenUp& given_up);
  void read(Bytes address, std::span<std::byte> bytes, const GivenUp& given_up);

  // What its client is to be told beside the answers to its calls: at most the last 1,000 lines since the last call.
  void log(std::string line);
  std::vector<std::string> take_log();

  // To be called many times a second: stops what has had its time, or whose caller has given up; ends the process of
  // what does not stop then.
  void watch();
  // To be called a few times a second: ends a process that takes too much memory.
  void watch_memory();
  Bytes resident() const;
  // Ends its process, for which there is a reason.
  void lose(std::string reason);
  // Why it has to end: it did nothing for too long, or its process is gone. None while it may go on.
  std::optional<std::string> end_reason() const;

  // Ends what is under way, without waiting for that. Every later call throws SessionOver.
  void stop();
  // The same, and waits until everything that the session had is free again.
  void close();

 private:
  using Clock = std::chrono::steady_clock;
  struct Running {
    std::stop_source stop;
    GivenUp given_up;
    std::optional<Clock::time_point> until;     // from when it has its turn
    std::optional<Clock::time_point> asked_at;  // to stop
    bool out_of_time = false;
  };

  class Watched;  // a piece of work, between watch() and its caller

  // One call at a time, while the session lasts.
  std::unique_lock<std::mutex> enter();
  // Does `work` on the workspace, within the limit of time of a run.
  void work(const GivenUp& given_up, const std::function<void(Workspace&, const std::stop_token&)>& work);
  // REQUIRES: watch_ is held, and there is something running.
  void ask_to_stop();
  // Answers what is the session's time, in a turn of its own. `what` it is: "run".
  v1::WorkspaceReply in_turn(const char* what, const v1::WorkspaceRequest& request, const GivenUp& given_up);

  const std::string key_;
  OfferedDevice& device_;
  const std::string who_;
  const Quota limits_;
  std::atomic<size_t> calls_ = 0;
  std::atomic<Clock::time_point> last_call_ = Clock::now();
  std::mutex call_;  // held by the call that runs
  FairQueue::Client client_;
  double seconds_left_;

  mutable std::mutex watch_;              // of what follows
  std::unique_ptr<Workspace> workspace_;  // null after close()
  std::optional<Running> running_;
  std::deque<std::string> log_;
  std::string lost_;  // why the workspace is of no use any more
  bool closed_ = false;
};

}  // namespace vantage::rpc
