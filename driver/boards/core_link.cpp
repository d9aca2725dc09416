#include "driver/boards/core_link.h"

#include <algorithm>

#include "base/error.h"
#include "hw/isa/rtl_package.h"

namespace vantage::boards {

namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

// An interrupt may be lost; the register tells after so long at the latest.
constexpr milliseconds kLongestWait{100};
constexpr int kMostLostInterrupts = 3;

// Without an interrupt: short runs are caught by looking again and again, long ones do not keep a processor busy.
constexpr int kBusyLooks = 200;
constexpr microseconds kShortestSleep{20};
constexpr microseconds kLongestSleep{1000};

}  // namespace

CoreLink::CoreLink(System& system, const RunProtocol& map, uint64_t address)
    : system_(system), map_(map), window_(system, address, map.bytes) {}

bool CoreLink::uses_interrupt() const {
  return window_.has_interrupt() && !map_.interrupt.empty() && lost_interrupts_ < kMostLostInterrupts;
}

std::string CoreLink::description() const {
  return "by " + window_.file() + (uses_interrupt() ? " and its interrupt" : ", polled");
}

void CoreLink::require_core(const isa::Config& config) {
  const auto version = static_cast<uint32_t>(sim::read_register(*this, "VERSION"));
  if (version >> 16 != isa::kVersion >> 16) {
    fail(
        "the FPGA's register VERSION is 0x{:08x}, which is no core of this project's; flash one with `vantage flash`, "
        "or "
        "name the register map that the bitstream has",
        version);
  }
  if (version != isa::kVersion) {
    fail("the core on the FPGA has interface {}, this driver knows {}; flash one that this version exported",
         version & 0xffff, isa::kVersion & 0xffff);
  }
  const uint64_t hash = sim::read_register(*this, "CONFIG_HASH");
  if (hash != isa::hardware_hash(config)) {
    fail(
        "the core on the FPGA was built for another configuration than {}: its hash is {:016x}, expected {:016x}; give "
        "the one that was flashed with --config, or flash this one",
        config.name(), hash, isa::hardware_hash(config));
  }
}

void CoreLink::apply(const std::vector<RunProtocol::Write>& writes, const Start& start) {
  for (const RunProtocol::Write& write : writes) {
    uint32_t value = 0;
    if (const auto* number = std::get_if<uint32_t>(&write.value)) {
      value = *number;
    } else {
      switch (std::get<RunProtocol::Symbol>(write.value)) {
        case RunProtocol::Symbol::kInsnAddress: value = start.insn_address; break;
        case RunProtocol::Symbol::kInsnCount: value = start.insn_count; break;
        case RunProtocol::Symbol::kMemoryLast: value = start.memory_last; break;
      }
    }
    window_.write(write.offset, value);
  }
}

bool CoreLink::start(const Start& start) {
  if (is_done() || (map_.error && map_.error->holds(read(map_.error->offset)))) apply(map_.clear, start);
  if (is_done()) return false;
  start_anyway(start);
  return true;
}

void CoreLink::start_anyway(const Start& start) {
  waited_in_vain_ = false;
  if (uses_interrupt()) {
    window_.enable_interrupt();
    apply(map_.interrupt, start);
  }
  may_run_ = true;
  apply(map_.start, start);
}

void CoreLink::pause(int times, std::chrono::steady_clock::time_point end) {
  if (uses_interrupt()) {
    const auto left = std::chrono::ceil<milliseconds>(end - system_.now());
    if (window_.wait_for_interrupt(std::clamp(left, milliseconds(0), kLongestWait))) {
      // One that does not mean this run's end: let the next one through.
      window_.enable_interrupt();
    } else {
      waited_in_vain_ = true;
    }
  } else if (times > kBusyLooks) {
    system_.sleep(std::min(kShortestSleep * (times - kBusyLooks), kLongestSleep));
  }
}

std::chrono::steady_clock::time_point CoreLink::after(double seconds) const {
  return system_.now() +
         std::chrono::duration_cast<std::chrono::steady_clock::duration>(std::chrono::duration<double>(seconds));
}

bool CoreLink::wait_idle(double seconds) {
  const auto end = after(seconds);
  for (int times = 0; !is_idle(); ++times) {
    if (system_.now() >= end) return false;
    pause(times, end);
  }
  may_run_ = false;
  return true;
}

bool CoreLink::abort() {
  constexpr double kSeconds = 1;
  if (map_.abort.empty()) return false;
  apply(map_.abort, {});
  if (!wait_idle(kSeconds)) return false;
  acknowledge();
  return true;
}

CoreLink::End CoreLink::wait(double seconds, const std::stop_token& stop) {
  const auto end = after(seconds);
  for (int times = 0;; ++times) {
    const uint32_t value = read(map_.done.offset);
    const bool failed =
        map_.error && map_.error->holds(map_.error->offset == map_.done.offset ? value : read(map_.error->offset));
    if (map_.done.holds(value) || failed) {
      may_run_ = false;
      // It may have come just after the wait for it.
      if (waited_in_vain_ && !window_.wait_for_interrupt(milliseconds(0))) ++lost_interrupts_;
      return failed ? End::kError : End::kDone;
    }
    waited_in_vain_ = false;  // the run simply takes long
    if (stop.stop_requested()) return End::kStopped;
    if (system_.now() >= end) return End::kTimedOut;
    pause(times, end);
  }
}

}  // namespace vantage::boards
