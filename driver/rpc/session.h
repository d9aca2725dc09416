// What a client has on a server: a device, memory and programs on it, and what is left of its quotas.
//
// Thread safety: calls of one session run one after another, whatever threads they come from; watch() may be called
// beside them.
#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>

#include "driver/device/executable.h"
#include "driver/rpc/content_store.h"
#include "driver/rpc/limits.h"
#include "driver/rpc/offer.h"
#include "hw/spec/error.h"

namespace vantage::rpc {

// A quota is used up, or a limit of the server reached.
class QuotaError : public Error {
 public:
  using Error::Error;
};

// The session has ended.
class SessionOver : public Error {
 public:
  using Error::Error;
};

class Session {
 public:
  // Whether the caller has given up on a call, or its deadline has passed.
  using GivenUp = std::function<bool()>;

  // Opens a device. Throws Error when the offer has no such configuration or memory setting.
  Session(std::string key, Offer& offer, const Limits& limits, const std::string& config_json,
          const std::string& memory_json, const std::function<void(const std::string&)>& progress);
  ~Session();

  const std::string& key() const { return key_; }
  Bytes memory_size() const { return device_->memory_size(); }

  // All throw Error for a range, an address or a program that the session does not have, and SessionOver after close().
  Bytes allocate(Bytes size);
  void release(Bytes address);
  void write(Bytes address, std::span<const std::byte> bytes);
  void write_content(Bytes address, ContentStore& store, const std::string& sha256);
  void read(Bytes address, std::span<std::byte> bytes);
  struct Placed {
    uint64_t id;
    driver::ProgramImage image;
    std::vector<driver::Region> regions;
  };
  Placed load(const Program& program, const std::map<std::string, Bytes>& tensors);
  void unload(uint64_t id);
  std::vector<uint32_t> micro_ops();  // encoded
  void reset();

  // Wait for a turn, and stop when the caller gives up or a limit of time is reached: then they throw QuotaError, like
  // when nothing is left of the session's time.
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
  template <typename Result>
  Result in_turn(driver::RunOptions options, const GivenUp& given_up,
                 const std::function<Result(const driver::RunOptions&)>& run);

  const std::string key_;
  Offer& offer_;
  const Limits limits_;
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
