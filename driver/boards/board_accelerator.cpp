#include "driver/boards/board_accelerator.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/stop.h"
#include "driver/boards/checked_image.h"
#include "driver/boards/clock.h"
#include "driver/boards/core_link.h"
#include "driver/boards/programmer.h"
#include "driver/boards/scrub.h"
#include "driver/device/allocator.h"
#include "hw/isa/codec.h"
#include "hw/isa/counters.h"
#include "hw/isa/tokens.h"
#include "hw/program/link.h"

namespace vantage::boards {

using namespace isa;
using driver::LoadedProgram;
using driver::ProgramImage;
using driver::RunOptions;
using driver::RunResult;
using sim::RunStatus;

namespace {

constexpr double kAnswerSeconds = 1;  // for a run that takes microseconds

// What `run` gives, also when it is told to stop while it still checks.
template <typename Run>
RunResult stoppable(Run run) {
  try {
    return run();
  } catch (const Stopped&) {
    RunResult result;
    result.status = RunStatus::kStopped;
    result.message = "the run was stopped before it began";
    return result;
  }
}

// As its registers say, or as it was noted. To a kHz: oscillators are further off.
std::optional<double> clock_mhz(System& system, const BoardOptions& options) {
  std::optional<double> mhz = options.noted_clock_mhz;
  try {
    mhz = fabric_clock(system, options.board) / 1e6;
  } catch (const Error&) {
    // The kernel may keep these registers to itself.
  }
  if (mhz) mhz = std::round(*mhz * 1e3) / 1e3;
  return mhz;
}

// Memory that a core may still write into is not given to somebody else.
struct KeepIfRunning {
  System& system;
  const CoreLink& link;
  void operator()(ContiguousMemory* memory) const {
    std::shared_ptr<ContiguousMemory> owned(memory);
    if (link.may_run()) system.keep(std::move(owned));
  }
};

class BoardAccelerator : public driver::Accelerator {
 public:
  BoardAccelerator(std::shared_ptr<System> system, const isa::Config& config, BoardOptions options)
      : system_(std::move(system)),
        config_(config),
        codec_(config),
        options_(std::move(options)),
        lock_(options_.lock != nullptr ? options_.lock : std::make_shared<BoardLock>(*system_)),
        link_(programmed_system(), options_.map, options_.board.registers),
        memory_(open_contiguous_memory(options_.providers, *system_, options_.board, options_.memory).release(),
                KeepIfRunning{*system_, link_}),
        allocator_(begin(), end(), buffer_alignment(config)),
        zeros_(allocate(scrub_source_size(config))),
        scrub_(allocate(Bytes(kInsnBytes * scrub_program(config, begin()).size()))),
        no_operation_(allocate(Bytes(kInsnBytes))),
        clock_mhz_(clock_mhz(*system_, options_)),
        uops_(config.depth(Memory::kUop).count()) {
    options_.log(fmt::format("memory: {} bytes at 0x{:x}", memory_->size().count(), begin().count()));
    options_.log("registers: " + link_.description());
    if (clock_mhz_) options_.log(fmt::format("clock: {:.6g} MHz", *clock_mhz_));
    if (options_.map.is_core) link_.require_core(config_);
    require_free();
    reset();
  }
  ~BoardAccelerator() override {
    try {
      require_quiet();
    } catch (const std::exception&) {
      // Its memory is kept, see KeepIfRunning.
    }
  }

  const std::string& uri() const override { return options_.uri; }
  const isa::Config& config() const override { return config_; }
  // One past the last address.
  Bytes memory_size() const override { return end(); }
  bool runs_images() const override { return false; }

  void write(Bytes address, std::span<const std::byte> bytes) override {
    require_quiet();
    touch_code({address, address + Bytes(bytes.size())});
    memory_->write(offset(address, Bytes(bytes.size())), bytes);
  }
  void read(Bytes address, std::span<std::byte> bytes) const override {
    memory_->read(offset(address, Bytes(bytes.size())), bytes);
  }

  RunResult run(const ProgramImage& image, const RunOptions& options) override {
    return stoppable([&] {
      CheckedImage checked(config_, board_memory(), image, options.stop);
      return run(image, checked, options);
    });
  }
  RunResult run(const ProgramImage& image, CheckedImage& program, const RunOptions& options);
  // As CheckedImage sees it.
  CheckedImage::BoardMemory board_memory() const {
    return {begin(), end(), [this](Bytes address, std::span<std::byte> bytes) { read(address, bytes); }};
  }

  // Where a loaded program's instructions lie, for as long as it is loaded.
  void add_code(const ProgramImage& image) { code_.push_back(image); }
  void remove_code(const ProgramImage& image) { std::erase(code_, image); }
  // Changes whenever some of them may have.
  uint64_t code_version() const { return code_version_; }

  std::vector<MicroOp> micro_ops() const override { return uops_; }
  void finish_trace() override {}
  void reset() override {
    require_quiet();
    touch_code({begin(), end()});
    memory_->zero(Bytes(0), memory_->size());
    clear_scratchpads();
  }
  void clear_scratchpads() override;

 protected:
  std::unique_ptr<LoadedProgram> load_in_order(const Program& program,
                                               const std::vector<const driver::Buffer*>& tensors,
                                               const std::stop_token& stop) override;
  Bytes allocate_bytes(Bytes size) override {
    require_quiet();
    return allocator_.allocate(size);
  }
  void release_bytes(Bytes address, Bytes size) override {
    // A core that may still run keeps what it was given.
    if (link_.may_run()) {
      kept_back_.emplace_back(address, size);
    } else {
      allocator_.release(address, size);
    }
  }

 private:
  // The board is this process's alone, so what runs was left by one that is gone.
  void require_free() {
    if (!link_.is_idle() && !link_.abort()) {
      fail("the core is busy with a run that another program has started, and does not end it; flash it again");
    }
    if (system_->keeps() && !options_.map.idle) {
      fail("an earlier run was given up, and this core does not say whether it has ended; flash it again");
    }
    system_->release_kept();
  }

  // For what accesses registers: in an FPGA that is empty that would never end, so this throws Error.
  System& programmed_system() const {
    const auto programmer = find_programmer(*system_);
    if (options_.programmed_elsewhere && programmer->does_not_know(*system_)) return *system_;
    if (const std::string state = programmer->why_not_operating(*system_); !state.empty()) {
      fail(
          "the FPGA holds no design that runs ({}: {}); put one there with `vantage flash`, or, when it came over JTAG "
          "or "
          "as the board started, say so with `vantage flash --adopt`",
          programmer->name(), state);
    }
    return *system_;
  }

  Bytes begin() const { return Bytes(memory_->physical_address()); }
  Bytes end() const { return begin() + memory_->size(); }

  Bytes offset(Bytes address, Bytes size) const {
    if (address < begin() || size > memory_->size() || address > end() - size) {
      fail("the range of {} bytes at 0x{:x} is not in the board's memory for the FPGA, 0x{:x} to 0x{:x}", size.count(),
           address.count(), begin().count(), end().count());
    }
    return address - begin();
  }

  // An image's first and its last byte are in memory, so 32 bits hold them.
  CoreLink::Start start_of(const ProgramImage& image) const {
    return {static_cast<uint32_t>(image.insn_address.count()), static_cast<uint32_t>(image.insn_count),
            static_cast<uint32_t>(end().count() - 1)};
  }

  void touch_code(const ByteRange& written);
  // A core of this project ends the run after so many cycles, if 32 bits hold them.
  void start(const ProgramImage& image, uint64_t max_cycles);
  // Waits until a run that was given up has ended. Throws Error when it does not.
  void require_quiet();
  ProgramImage put(driver::Buffer& buffer, const std::vector<Insn>& insns) const;
  // Throws Error unless the core counted what the program does: it ran this one, and all of it.
  void require_counted(const CheckedImage& program, const RunResult& result);
  void take_outcome(const CheckedImage& program, CoreLink::End end, const RunOptions& options, RunResult& result);

  const std::shared_ptr<System> system_;
  const isa::Config config_;
  const Codec codec_;
  const BoardOptions options_;
  const std::shared_ptr<BoardLock> lock_;
  bool unknown_state_ = false;  // of scratchpads
  CoreLink link_;
  const std::unique_ptr<ContiguousMemory, KeepIfRunning> memory_;
  driver::Allocator allocator_;
  std::vector<std::pair<Bytes, Bytes>> kept_back_;  // address and size of what was released while a run may go on
  std::vector<ProgramImage> code_;
  uint64_t code_version_ = 0;
  driver::Buffer zeros_;
  driver::Buffer scrub_;
  driver::Buffer no_operation_;
  const std::optional<double> clock_mhz_;  // none: nobody knows
  std::vector<MicroOp> uops_;              // the micro-op scratchpad
};

// A program that was checked as it was loaded, so that its runs cost little more.
class BoardProgram : public LoadedProgram {
 public:
  BoardProgram(BoardAccelerator& device, const Program& program, const std::vector<const driver::Buffer*>& tensors,
               const std::stop_token& stop)
      : device_(device), placed_(driver::load_into_memory(device, program, tensors, stop)) {
    check(stop);
    checked_->require_possible(stop);
    device_.add_code(image());
  }
  ~BoardProgram() override { device_.remove_code(image()); }

  RunResult run_once(const RunOptions& options) override {
    return stoppable([&] {
      if (!checked_ || version_ != device_.code_version()) check(options.stop);
      return device_.run(image(), *checked_, options);
    });
  }
  ProgramImage image() const override { return placed_->image(); }
  std::vector<driver::Region> regions() const override { return placed_->regions(); }

 private:
  void check(const std::stop_token& stop) {
    const uint64_t version = device_.code_version();
    checked_.emplace(device_.config(), device_.board_memory(), image(), stop);
    version_ = version;
  }

  BoardAccelerator& device_;
  const std::unique_ptr<LoadedProgram> placed_;
  std::optional<CheckedImage> checked_;
  uint64_t version_ = 0;
};

std::unique_ptr<LoadedProgram> BoardAccelerator::load_in_order(const Program& program,
                                                               const std::vector<const driver::Buffer*>& tensors,
                                                               const std::stop_token& stop) {
  return std::make_unique<BoardProgram>(*this, program, tensors, stop);
}

void BoardAccelerator::touch_code(const ByteRange& written) {
  for (const ProgramImage& image : code_) {
    const Bytes image_end = image.insn_address + Bytes(image.insn_count * kInsnBytes);
    if (written.begin < image_end && image.insn_address < written.end) ++code_version_;
  }
}

void BoardAccelerator::start(const ProgramImage& image, uint64_t max_cycles) {
  if (options_.map.is_core) {
    sim::write_register(link_, "WATCHDOG", max_cycles <= UINT32_MAX ? static_cast<uint32_t>(max_cycles) : 0);
  }
  if (link_.start(start_of(image))) return;
  // This core shows done until an instruction that is no FINISH has run.
  link_.start_anyway(start_of({no_operation_.address(), 1}));
  const auto end = system_->now() + std::chrono::seconds(1);
  while (link_.is_done()) {
    if (system_->now() >= end) {
      fail(
          "the core still shows that its previous run is done, so the end of this one could not be told; flash it "
          "again");
    }
  }
  link_.start_anyway(start_of(image));
}

RunResult BoardAccelerator::run(const ProgramImage& image, CheckedImage& program, const RunOptions& options) {
  RunResult result;
  if (program.steps() > options.max_steps) {
    result.status = RunStatus::kStepLimit;
    result.message = fmt::format("its {} steps exceed the limit of {}", program.steps(), options.max_steps);
    return result;
  }
  require_going_on(options.stop);
  if (unknown_state_) clear_scratchpads();
  program.require_legal(uops_, options.stop);
  touch_code(program.stored());
  unknown_state_ = true;  // until it has ended in a way that makes sense
  start(image, options.max_cycles);
  const auto end = link_.wait(options_.board.run_seconds, options.stop);
  take_outcome(program, end, options, result);
  if (result.ok() && options.progress) options.progress(program.insns().size(), program.insns().size());
  if (link_.lost_interrupts() > 0) {
    result.warnings.push_back(fmt::format(
        "{} of the core's interrupts did not come; is {} its number in the device tree, as in the board's description?",
        link_.lost_interrupts(), options_.board.interrupt));
  }
  return result;
}

void BoardAccelerator::take_outcome(const CheckedImage& program, CoreLink::End end, const RunOptions& options,
                                    RunResult& result) {
  switch (end) {
    case CoreLink::End::kStopped:
      result.status = RunStatus::kStopped;
      result.message = link_.abort() ? "the run was stopped" : "the run was given up; the core goes on until it ends";
      return;
    case CoreLink::End::kTimedOut:
      result.status = RunStatus::kTimedOut;
      result.message = fmt::format(
          "no end after {} seconds; if the program takes longer, raise run_seconds in the board's description, else {}",
          options_.board.run_seconds,
          link_.abort() ? "look at the program: the core is well, and has ended the run"
                        : "flash the core again: its clock or its memory port may be wrong");
      return;
    case CoreLink::End::kDone:
    case CoreLink::End::kError: break;
  }
  if (options_.map.is_core) {
    const auto cause = static_cast<isa::ErrorCause>(sim::read_register(link_, "ERROR_CAUSE"));
    if (cause == isa::ErrorCause::kReadError || cause == isa::ErrorCause::kWriteError) {
      fail("the board's memory answered the core with an error; is {} the port that the design uses?",
           options_.board.memory_port);
    }
    const uint64_t status = sim::read_register(link_, "STATUS");
    if (((status & isa::kStatusDone.mask()) != 0) == ((status & isa::kStatusError.mask()) != 0)) {
      fail("the core ended a run with STATUS 0x{:x}, expected either done or error; flash it again", status);
    }
    sim::read_outcome(link_, sim::FaultContext{config_, codec_, this->end(), program.bytes(), uops_}, result);
    if (result.cycles) result.clock_mhz = clock_mhz_;
    if (result.ok()) require_counted(program, result);
    if (result.status == RunStatus::kTimedOut) {
      if (options.max_cycles > UINT32_MAX)
        fail("the core ended a run for its cycles, which had no limit; flash it again");
      result.message = sim::timed_out_message(options);
    }
  } else if (end == CoreLink::End::kDone) {
    result.counters = program.counters();
    if (const std::string left = run_tokens(program.insns()).leftover.leftover(); !left.empty()) {
      result.warnings.push_back(fmt::format("tokens are left over at FINISH: {}", left));
    }
  } else {
    result.status = RunStatus::kRefused;
    result.message = "the core reports an error that its register map does not name";
    return;
  }
  unknown_state_ = false;
  if (result.ok()) {
    program.load_micro_ops(uops_);
  } else {
    clear_scratchpads();
  }
}

void BoardAccelerator::require_counted(const CheckedImage& program, const RunResult& result) {
  for (const CounterInfo& info : kCounters) {
    if (const uint64_t expected = program.counters().*info.value, got = result.counters.*info.value; expected != got) {
      fail(
          "the core says that it is done, but its {} is {}, expected {}: the result is not to be trusted; is its clock "
          "too fast for the design?",
          info.name, got, expected);
    }
  }
}

ProgramImage BoardAccelerator::put(driver::Buffer& buffer, const std::vector<Insn>& insns) const {
  std::vector<std::byte> bytes(insns.size() * kInsnBytes);
  for (size_t i = 0; i < insns.size(); ++i) {
    store_words(codec_.encode(insns[i]), std::span(bytes).subspan(i * kInsnBytes).first<kInsnBytes>());
  }
  buffer.write(bytes);
  return {buffer.address(), insns.size()};
}

void BoardAccelerator::require_quiet() {
  if (!link_.may_run()) return;
  // Without a register that says so, a run that was verified to end has ended once it is done.
  const double seconds = options_.board.run_seconds;
  const bool quiet =
      link_.abort() || (options_.map.idle ? link_.wait_idle(seconds) : link_.wait(seconds, {}) == CoreLink::End::kDone);
  if (!quiet) fail("the core did not end an earlier run, and cannot be stopped; flash it again");
  for (const auto& [address, size] : kept_back_) allocator_.release(address, size);
  kept_back_.clear();
}

void BoardAccelerator::clear_scratchpads() {
  require_quiet();
  zeros_.write(std::vector<std::byte>(zeros_.size().count()));
  put(no_operation_, {no_operation()});
  const ProgramImage scrub = put(scrub_, scrub_program(config_, zeros_.address()));
  unknown_state_ = true;  // until it has ended
  start(scrub, UINT64_MAX);
  if (link_.wait(kAnswerSeconds, {}) != CoreLink::End::kDone) {
    fail("the core does not run a program that zeros its scratchpads; is it clocked, and is {} its memory port?",
         options_.board.memory_port);
  }
  link_.acknowledge();
  unknown_state_ = false;
  uops_.assign(uops_.size(), MicroOp{});
}

}  // namespace

std::unique_ptr<driver::Accelerator> open_board(std::shared_ptr<System> system, const isa::Config& config,
                                                BoardOptions options) {
  return std::make_unique<BoardAccelerator>(std::move(system), config, std::move(options));
}

}  // namespace vantage::boards
