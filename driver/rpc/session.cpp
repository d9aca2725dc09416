#include "driver/rpc/session.h"

#include <algorithm>

#include "base/math.h"
#include "driver/rpc/errors.h"
#include "hw/isa/codec.h"

namespace vantage::rpc {

using driver::RunOptions;
using driver::RunResult;

namespace {

constexpr size_t kLogLines = 1000;
// Of a step that Quota::run_steps counts as one; larger tiles have fewer steps.
constexpr uint64_t kStepProducts = 256;

isa::Config session_config(const Offer& offer, const std::string& json) {
  if (json.empty()) return offer.config.value_or(isa::Config::vta_default());
  const isa::Config wanted = isa::Config::parse(json, "the session's configuration");
  if (offer.config && wanted != *offer.config) {
    fail("the device '{}' has configuration {}, not {}; ask for that one, or for another device", offer.name,
         offer.config->name(), wanted.name());
  }
  return wanted;
}

}  // namespace

Session::Session(std::string key, Offer& offer, const Quota& limits, const std::string& config_json,
                 const std::string& memory_json, const std::function<void(const std::string&)>& progress)
    : key_(std::move(key)), offer_(offer), limits_(limits), seconds_left_(limits.session_seconds) {
  driver::AcceleratorOptions options;
  options.dram = limits.memory;
  options.progress = progress;
  const isa::Config config = session_config(offer, config_json);
  if (!memory_json.empty()) {
    options.memory = sim::MemoryTiming::parse(memory_json, "the session's memory", config.clock_mhz());
  }
  device_ = driver::open_as({offer.kind}, offer.kind.scheme + ":", config, options);
  ++offer_.sessions;
}

Session::~Session() {
  --offer_.sessions;
}

Session::Call::Call(Session& session) : session_(session) {
  if (++session_.calls_ <= session_.limits_.calls) return;
  --session_.calls_;
  throw QuotaError(fmt::format("{} calls of the session are under way, which is as many as this server allows",
                               session_.limits_.calls));
}

std::unique_lock<std::mutex> Session::enter() {
  std::unique_lock lock(call_);
  const std::lock_guard watch(watch_);
  if (closed_) throw SessionOver("the session is over; open the device again");
  return lock;
}

Bytes Session::allocate(Bytes size) {
  const auto call = enter();
  if (buffers_.size() >= limits_.allocations) {
    throw QuotaError(fmt::format("the session has {} allocations, which is as many as this server allows; release some",
                                 buffers_.size()));
  }
  // A simulator of the session's own has no more memory than this; a board, which is shared, may.
  if (const Bytes held = this->held(); size > limits_.memory || held > limits_.memory - size) {
    throw QuotaError(
        fmt::format("{} bytes on top of the session's {} are more than the {} that this server gives to one",
                    size.count(), held.count(), limits_.memory.count()));
  }
  driver::Buffer buffer = device_->allocate(size);
  const Bytes address = buffer.address();
  buffers_.emplace(address.count(), std::move(buffer));
  return address;
}

Bytes Session::held() const {
  Bytes held;
  for (const auto& [address, buffer] : buffers_) held += buffer.size();
  for (const auto& [id, loaded] : programs_) held += loaded.placed;
  return held;
}

void Session::release(Bytes address) {
  const auto call = enter();
  const auto buffer = buffers_.find(address.count());
  if (buffer == buffers_.end()) fail("there is no allocation at address {}", address.count());
  for (const auto& [id, loaded] : programs_) {
    if (std::count(loaded.tensors.begin(), loaded.tensors.end(), address.count()) != 0) {
      fail("the allocation at address {} is a tensor of program {}; unload that first", address.count(), id);
    }
  }
  buffers_.erase(buffer);
}

void Session::write(Bytes address, std::span<const std::byte> bytes) {
  const auto call = enter();
  device_->write(address, bytes);
}

void Session::write_content(Bytes address, ContentStore& store, const std::string& sha256) {
  const auto call = enter();
  store.read(sha256, [&](std::span<const std::byte> piece) {
    device_->write(address, piece);
    address += Bytes(piece.size());
  });
}

void Session::read(Bytes address, std::span<std::byte> bytes) {
  const auto call = enter();
  device_->read(address, bytes);
}

Session::Placed Session::load(std::string_view program, const std::map<std::string, Bytes>& tensors,
                              const GivenUp& given_up) {
  const auto call = enter();
  if (programs_.size() >= limits_.programs) {
    throw QuotaError(fmt::format("the session has {} programs, which is as many as this server allows; unload some",
                                 programs_.size()));
  }
  Loaded loaded = in_turn<Loaded>(
      "load", given_up, [&](const std::stop_token&) { return place(parse_program(program, "the program"), tensors); });
  Placed placed{next_program_++, loaded.program->image(), loaded.program->regions()};
  programs_.emplace(placed.id, std::move(loaded));
  return placed;
}

Session::Loaded Session::place(const Program& program, const std::map<std::string, Bytes>& tensors) {
  driver::require_relocated(program);
  std::map<std::string, const driver::Buffer*> buffers;
  Loaded loaded;
  for (const auto& [name, address] : tensors) {
    const auto buffer = buffers_.find(address.count());
    if (buffer == buffers_.end()) fail("tensor {}: there is no allocation at address {}", name, address.count());
    buffers[name] = &buffer->second;
    loaded.tensors.push_back(address.count());
  }
  loaded.program = device_->load(program, buffers);
  for (const driver::Region& region : loaded.program->regions()) {
    if (buffers_.count(region.address.count()) == 0) loaded.placed += region.size;
  }
  if (const Bytes held = this->held(); held > limits_.memory || loaded.placed > limits_.memory - held) {
    throw QuotaError(
        fmt::format("the program's {} bytes on top of the session's {} are more than the {} that this server gives to "
                    "one; unload some",
                    loaded.placed.count(), held.count(), limits_.memory.count()));
  }
  return loaded;
}

Session::Loaded& Session::loaded(uint64_t id) {
  const auto found = programs_.find(id);
  if (found == programs_.end()) fail("there is no program {}", id);
  return found->second;
}

void Session::unload(uint64_t id) {
  const auto call = enter();
  loaded(id);
  programs_.erase(id);
}

std::vector<uint32_t> Session::micro_ops() {
  const auto call = enter();
  const isa::Codec codec(device_->config());
  std::vector<uint32_t> words;
  for (const isa::MicroOp& uop : device_->micro_ops()) words.push_back(codec.encode(uop));
  return words;
}

void Session::reset(bool scratchpads_only) {
  const auto call = enter();
  scratchpads_only ? device_->clear_scratchpads() : device_->reset();
}

template <typename Result>
Result Session::in_turn(const char* what, const GivenUp& given_up,
                        const std::function<Result(const std::stop_token& stop)>& work) {
  if (seconds_left_ <= 0) {
    throw QuotaError(
        fmt::format("the session's {} seconds of loads and runs are used up; open another", limits_.session_seconds));
  }
  std::stop_token stop;
  {
    const std::lock_guard watch(watch_);
    running_.emplace(Running{{}, given_up, std::nullopt});
    if (closed_) running_->stop.request_stop();
    stop = running_->stop.get_token();
  }
  struct NotRunning {
    Session& session;
    ~NotRunning() {
      const std::lock_guard watch(session.watch_);
      session.running_.reset();
    }
  } const not_running{*this};

  const auto turn = offer_.queue.enter(client_, stop);
  if (!turn) {
    const std::lock_guard watch(watch_);
    if (closed_) throw SessionOver(fmt::format("the session is over: its {} waited for a turn", what));
    throw CallCancelled(fmt::format("the {} was given up while it waited for its turn", what));
  }
  const double allowed = std::min(seconds_left_, limits_.run_seconds);
  const auto start = Clock::now();
  {
    const std::lock_guard watch(watch_);
    running_->until = start + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(allowed));
  }
  // Whatever way it ends.
  struct Account {
    double& left;
    const Clock::time_point start;
    ~Account() { left -= std::chrono::duration<double>(Clock::now() - start).count(); }
  } const account{seconds_left_, start};
  const auto require_in_time = [&] {
    const std::lock_guard watch(watch_);
    if (!running_->out_of_time) return;
    throw QuotaError(fmt::format("the {} took longer than the {:.1f} seconds that {}", what, allowed,
                                 allowed < limits_.run_seconds ? "its session had left" : "this server gives to one"));
  };
  std::optional<Result> result;
  try {
    result = work(stop);
  } catch (const Error&) {
    require_in_time();  // that it was stopped is why it failed
    throw;
  }
  require_in_time();
  return std::move(*result);
}

template <typename Result>
Result Session::run_in_turn(RunOptions options, const GivenUp& given_up,
                            const std::function<Result(const RunOptions&)>& run) {
  const isa::Config& config = device_->config();
  const auto products = static_cast<uint64_t>(config.batch()) * static_cast<uint64_t>(config.block_in()) *
                        static_cast<uint64_t>(config.block_out());
  options.max_steps = std::min(options.max_steps, limits_.run_steps / ceil_div(products, kStepProducts));
  return in_turn<Result>("run", given_up, [&](const std::stop_token& stop) {
    options.stop = stop;
    return run(options);
  });
}

RunResult Session::run(uint64_t program, RunOptions options, const GivenUp& given_up) {
  const auto call = enter();
  driver::LoadedProgram& target = *loaded(program).program;
  return run_in_turn<RunResult>(std::move(options), given_up, [&](const RunOptions& o) { return target.run(o); });
}

RunResult Session::run(const driver::ProgramImage& image, RunOptions options, const GivenUp& given_up) {
  const auto call = enter();
  return run_in_turn<RunResult>(std::move(options), given_up,
                                [&](const RunOptions& o) { return device_->run(image, o); });
}

driver::Timing Session::time(uint64_t program, const driver::TimeOptions& time, RunOptions options,
                             const GivenUp& given_up) {
  const auto call = enter();
  driver::LoadedProgram& target = *loaded(program).program;
  return run_in_turn<driver::Timing>(std::move(options), given_up,
                                     [&](const RunOptions& o) { return target.time(time, o); });
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
  if (!running_ || running_->stop.stop_requested()) return;
  if (running_->until && Clock::now() > *running_->until) {
    running_->out_of_time = true;
    running_->stop.request_stop();
  } else if (running_->given_up()) {
    running_->stop.request_stop();
  }
}

void Session::close() {
  {
    const std::lock_guard watch(watch_);
    closed_ = true;
    if (running_) running_->stop.request_stop();
  }
  const std::lock_guard call(call_);  // until the last call has ended
  // Calls that have not noticed yet keep the session, but nothing of weight.
  programs_.clear();
  buffers_.clear();
  device_.reset();
}

}  // namespace vantage::rpc
