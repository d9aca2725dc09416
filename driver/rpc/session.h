// What a client has on a server: a device, memory and programs on it, and what is left of its quotas.
//
// Thread safety: calls of one session run one after another, whatever threads they come from; watch() may be called
// beside them.
#pragma once

#include <atomic>
#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <string_view>

#include "driver/device/accelerator.h"
#include "driver/rpc/content_store.h"
#include "driver/rpc/offer.h"
#include "driver/rpc/quota.h"

namespace vantage::rpc {

class Session {
 public:
  // Whether the caller has given up on a call, or its deadline has passed.
  using GivenUp = std::function<bool()>;

  // Opens a device. Throws Error when the offer has no such configuration or memory setting.
  Session(std::string key, Offer& offer, const Quota& limits, const std::string& config_json,
          const std::string& memory_json, const std::function<void(const std::string&)>& progress);
  ~Session();

  const std::string& key() const { return key_; }
  Bytes memory_size() const { return device_->memory_size(); }

  // A call of the session's, from when it came until it is answered. Throws QuotaError when as many as there may be are
  // under way.
  class Call {
   public:
    explicit Call(Session& session);
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;
    ~Call() { --session_.calls_; }

   private:
    Session& session_;
  };

  // All throw Error for a range, an address or a program that the session does not have, QuotaError when there is no
  // room for another, and SessionOver after close().
  Bytes allocate(Bytes size);
  void release(Bytes address);
  void write(Bytes address, std::span<const std::byte> bytes);
  void write_content(Bytes address, ContentStore& store, const std::string& sha256);
  void read(Bytes address, std::span<std::byte> bytes);
  void unload(uint64_t id);
  std::vector<uint32_t> micro_ops();  // encoded
  void reset(bool scratchpads_only);

  // What takes time waits for a turn on the device. It throws CallCancelled when the caller gives up before that, and
  // QuotaError when a limit of time is reached, like when nothing is left of the session's time.
  struct Placed {
    uint64_t id;
    driver::ProgramImage image;
    std::vector<driver::Region> regions;
  };
  // `program`: the bytes of its file. `tensors`: the addresses of their buffers.
  Placed load(std::string_view program, const std::map<std::string, Bytes>& tensors, const GivenUp& given_up);
  // These are stopped, too, when the caller gives up or a limit of time is reached.
  driver::RunResult run(uint64_t program, driver::RunOptions options, const GivenUp& given_up);
  driver::RunResult run(const driver::ProgramImage& image, driver::RunOptions options, const GivenUp& given_up);
  driver::Timing time(uint64_t program, const driver::TimeOptions& time, driver::RunOptions options,
                      const GivenUp& given_up);

  // What its client is to be told beside the answers to its calls: at most the last 1,000 lines since the last call.
  void log(std::string line);
  std::vector<std::string> take_log();

  // To be called a few times a second: stops a run that has had its time, or whose caller has given up.
  void watch();
  // Ends what runs. Every later call throws SessionOver.
  void close();

 private:
  struct Loaded {
    std::unique_ptr<driver::LoadedProgram> program;
    std::vector<uint64_t> tensors;  // addresses of its buffers, which must stay
    Bytes placed;                   // its instructions and micro-ops
  };
  using Clock = std::chrono::steady_clock;
  struct Running {
    std::stop_source stop;
    GivenUp given_up;
    std::optional<Clock::time_point> until;  // from when it has its turn
    bool out_of_time = false;
  };

  // One call at a time, while the session lasts.
  std::unique_lock<std::mutex> enter();
  Loaded& loaded(uint64_t id);
  // What the session has of the device's memory: buffers, and what was placed for its programs beside them.
  Bytes held() const;
  // Does `work` in a turn of its own; its time is the session's. `what` it is: "run".
  template <typename Result>
  Result in_turn(const char* what, const GivenUp& given_up,
                 const std::function<Result(const std::stop_token& stop)>& work);
  // The same for runs, within the limit of steps.
  template <typename Result>
  Result run_in_turn(driver::RunOptions options, const GivenUp& given_up,
                     const std::function<Result(const driver::RunOptions&)>& run);
  Loaded place(const Program& program, const std::map<std::string, Bytes>& tensors);

  const std::string key_;
  Offer& offer_;
  const Quota limits_;
  std::atomic<size_t> calls_ = 0;
  std::mutex call_;  // held by the call that runs
  std::unique_ptr<driver::Accelerator> device_;
  std::map<uint64_t, driver::Buffer> buffers_;  // by address
  std::map<uint64_t, Loaded> programs_;         // by what load() gave
  uint64_t next_program_ = 1;
  FairQueue::Client client_;
  double seconds_left_;

  std::mutex watch_;  // of what follows
  std::optional<Running> running_;
  std::deque<std::string> log_;
  bool closed_ = false;
};

}  // namespace vantage::rpc
