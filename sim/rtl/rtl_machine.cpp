#include "sim/rtl/rtl_machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <deque>
#include <optional>
#include <utility>

#include "hw/spec/assembly.h"
#include "hw/spec/codec.h"
#include "hw/spec/error.h"
#include "hw/spec/legality.h"
#include "hw/spec/registers.h"
#include "hw/spec/rtl_package.h"
#include "hw/spec/tokens.h"
#include "sim/rtl/axi_port.h"
#include "sim/rtl/model_library.h"

namespace vantage::sim {

using namespace isa;
using spec::ErrorCause;
using spec::register_offset;

namespace {

constexpr uint32_t kStatusDone = 1u << 2;
constexpr uint32_t kStatusError = 1u << 3;

// A run in which nothing happens for so long is a defect of the core: memory answers within a few million cycles.
constexpr uint64_t kHangCycles = 20'000'000;

class RtlMachine : public Machine {
 public:
  RtlMachine(const spec::Config& config, std::filesystem::path library, RtlOptions options)
      : config_(config),
        codec_(config),
        library_(std::move(library)),
        options_(std::move(options)),
        port_(options_.memory, config.bus_width()) {
    reset();
  }

  const spec::Config& config() const override { return config_; }
  std::vector<MicroOp> micro_ops() const override { return uops_; }

  void reset() override {
    port_.abandon();
    model_.emplace(library_, spec::hardware_hash(config_));
    if (!options_.waves.empty()) model_->open_waves(options_.waves);
    uops_.assign(config_.depth(Memory::kUop).count(), MicroOp{});
    hard_reset();
  }

  RunResult run(Dram& dram, const ProgramImage& image, const RunOptions& options) override;

 private:
  friend class Run;

  // The reset line: control state and registers, not scratchpads.
  void hard_reset() {
    pins_ = {};
    port_.abandon();
    for (int i = 0; i < 4; ++i) model_->cycle(pins_);
    pins_.rst_n = 1;
  }

  spec::Config config_;
  Codec codec_;
  std::filesystem::path library_;
  RtlOptions options_;
  AxiPort port_;
  std::optional<RtlModel> model_;
  vantage_rtl_pins pins_{};
  std::vector<MicroOp> uops_;  // the micro-op scratchpad, followed as its loads retire
};

// One program on the core.
class Run {
 public:
  Run(RtlMachine& machine, Dram& dram, const ProgramImage& image, const RunOptions& options)
      : m_(machine), dram_(dram), image_(image), options_(options) {}

  RunResult run() {
    write_register("INSN_ADDRESS", static_cast<uint32_t>(image_.insn_address.count()));
    write_register("INSN_COUNT", static_cast<uint32_t>(std::min<uint64_t>(image_.insn_count, UINT32_MAX)));
    write_register("MEMORY_LAST", static_cast<uint32_t>(dram_.size().count() - 1));
    write_register("IRQ_ENABLE", 1);
    write_register("CONTROL", 1);
    while (!m_.pins_.irq && result_.status == RunStatus::kDone) {
      cycle();
      if (now_ - last_event_ > kHangCycles) {
        throw InternalError(
            fmt::format("the core has done nothing for {} cycles, since cycle {}", kHangCycles, last_event_));
      }
    }
    if (result_.status != RunStatus::kDone) {  // given up
      m_.hard_reset();
      return std::move(result_);
    }
    read_results();
    return std::move(result_);
  }

 private:
  // One clock cycle, of memory and core, and what it tells about instructions.
  void cycle() {
    vantage_rtl_pins& pins = m_.pins_;
    m_.port_.before(now_, dram_, pins);
    m_.model_->cycle(pins);
    m_.port_.after(now_, dram_, pins);
    if (pins.trace != 0) follow(pins.trace);
    ++now_;
  }

  // trace: {retire, issue, dispatch}, three stages each.
  void follow(unsigned trace) {
    last_event_ = now_;
    for (Stage s : kAllStages) {
      const unsigned bit = static_cast<unsigned>(s);
      // A store of nothing is issued and retires in one cycle, so later events come last.
      if ((trace >> bit) & 1) dispatched(s);
      if ((trace >> (3 + bit)) & 1) issued(s);
      if ((trace >> (6 + bit)) & 1) retired(s);
    }
  }

  struct Life {
    uint32_t insn;
    uint64_t dispatch, issue;
  };

  void dispatched(Stage s) { waiting_[static_cast<size_t>(s)].push_back({dispatched_++, now_, 0}); }

  void issued(Stage s) {
    auto& waiting = waiting_[static_cast<size_t>(s)];
    VANTAGE_CHECK(!waiting.empty());
    waiting.front().issue = now_;
    running_[static_cast<size_t>(s)].push_back(waiting.front());
    waiting.pop_front();
    if (options_.max_steps != UINT64_MAX && s == Stage::kCompute) count_steps(running_[1].back().insn);
  }

  void retired(Stage s) {
    auto& running = running_[static_cast<size_t>(s)];
    VANTAGE_CHECK(!running.empty());
    const Life life = running.front();
    running.pop_front();
    ++retired_;
    if (s == Stage::kCompute) follow_uops(life.insn);
    if (options_.progress) options_.progress(retired_, dispatched_);
    if (options_.record_retirement) {
      result_.retired.push_back({life.insn, s, Cycles(life.dispatch), Cycles(life.issue), Cycles(now_)});
    }
  }

  Words words(uint32_t insn) const {
    const auto bytes = dram_.range(image_.insn_address + Bytes(uint64_t{insn} * kInsnBytes), Bytes(kInsnBytes));
    return load_words(bytes.first<kInsnBytes>());
  }

  // A load of micro-ops has ended: the scratchpad now holds what memory does.
  void follow_uops(uint32_t insn) {
    const Decoded decoded = m_.codec_.decode(words(insn));
    const auto* load = decoded.insn ? std::get_if<Load>(&*decoded.insn) : nullptr;
    if (load == nullptr || load->transfer.memory != Memory::kUop || load->transfer.moves_nothing()) return;
    const Transfer& t = load->transfer;
    const auto bytes =
        dram_.range(Bytes(uint64_t{t.dram_base} * kMicroOpBytes), Bytes(uint64_t{t.x_size} * kMicroOpBytes));
    for (uint32_t i = 0; i < t.x_size; ++i) {
      m_.uops_[t.sram_base + i] =
          m_.codec_.decode_uop(load_u32(bytes.subspan(size_t{i} * kMicroOpBytes).first<kMicroOpBytes>()));
    }
  }

  void count_steps(uint32_t index) {
    const Decoded decoded = m_.codec_.decode(words(index));
    if (!decoded.insn) return;
    uint64_t steps = 0;
    if (const auto* gemm = std::get_if<Gemm>(&*decoded.insn)) steps = gemm->loop.steps();
    if (const auto* alu = std::get_if<Alu>(&*decoded.insn)) steps = alu->loop.steps();
    if (steps <= options_.max_steps - steps_) {
      steps_ += steps;
      return;
    }
    result_.status = RunStatus::kStepLimit;
    result_.message = fmt::format("instruction {}: {}: the run would exceed its limit of {} steps", index,
                                  disassemble(*decoded.insn), options_.max_steps);
  }

  void write_register(std::string_view name, uint32_t value) {
    vantage_rtl_pins& pins = m_.pins_;
    pins.s_aw_valid = pins.s_w_valid = pins.s_b_ready = 1;
    pins.s_aw_addr = static_cast<uint16_t>(register_offset(name));
    pins.s_w_data = value;
    bool taken = false;
    while (!taken) {
      cycle();
      taken = pins.s_aw_ready;
    }
    pins.s_aw_valid = pins.s_w_valid = 0;
    // Time starts with the cycle after the one in which CONTROL is written.
    now_ = last_event_ = 0;
    m_.port_.restart();
    if (name == "CONTROL") return;
    cycle();  // takes the response
    VANTAGE_CHECK(pins.s_b_valid);
  }

  uint32_t read_word(uint32_t offset) {
    vantage_rtl_pins& pins = m_.pins_;
    pins.s_ar_valid = pins.s_r_ready = 1;
    pins.s_ar_addr = static_cast<uint16_t>(offset);
    bool taken = false;
    while (!taken) {
      cycle();
      taken = pins.s_ar_ready;
    }
    pins.s_ar_valid = 0;
    do cycle();
    while (!pins.s_r_valid);
    return pins.s_r_data;
  }
  uint64_t read_register(std::string_view name) {
    const uint32_t offset = register_offset(name);
    const uint64_t low = read_word(offset);
    return low | uint64_t{read_word(offset + 4)} << 32;
  }

  void read_results() {
    const uint32_t status = read_word(register_offset("STATUS"));
    VANTAGE_CHECK(((status & kStatusDone) != 0) != ((status & kStatusError) != 0));
    write_register("STATUS", kStatusDone | kStatusError);
    result_.cycles = Cycles(read_register("CYCLES"));
    for (Stage s : kAllStages) {
      std::string prefix(name(s));
      for (char& c : prefix) c = static_cast<char>(std::toupper(c));
      StageCycles cycles;
      cycles.busy = Cycles(read_register(prefix + "_BUSY"));
      cycles.token_wait = Cycles(read_register(prefix + "_TOKEN_WAIT"));
      cycles.memory_wait = Cycles(read_register(prefix + "_MEMORY_WAIT"));
      cycles.idle = *result_.cycles - cycles.busy - cycles.token_wait - cycles.memory_wait;
      result_.stages.push_back(cycles);
    }
    for (const CounterInfo& info : kCounters) {
      std::string upper(info.name);
      for (char& c : upper) c = static_cast<char>(std::toupper(c));
      result_.counters.*info.value = read_register(upper);
    }
    if ((status & kStatusError) != 0) {
      explain(static_cast<ErrorCause>(read_word(register_offset("ERROR_CAUSE"))),
              read_word(register_offset("ERROR_INSN")));
    } else {
      warn_of_tokens();
    }
  }

  // The program's instructions up to FINISH, or as many as there are.
  std::vector<Insn> program() const {
    std::vector<Insn> insns;
    for (uint64_t i = 0; i < std::min<uint64_t>(image_.insn_count, kMaxInsns); ++i) {
      const Decoded decoded = m_.codec_.decode(words(static_cast<uint32_t>(i)));
      if (!decoded.insn) break;
      insns.push_back(*decoded.insn);
      if (std::holds_alternative<Finish>(insns.back())) break;
    }
    return insns;
  }

  void warn_of_tokens() {
    const TokenReport report = run_tokens(program());
    if (const std::string left = report.leftover.leftover(); !left.empty()) {
      result_.warnings.push_back(fmt::format("tokens are left over at FINISH: {}", left));
    }
  }

  void explain(ErrorCause cause, uint32_t index) {
    result_.status = RunStatus::kRefused;
    switch (cause) {
      case ErrorCause::kDecode:
      case ErrorCause::kIllegal: {
        const Words bits = words(index);
        const Decoded decoded = m_.codec_.decode(bits);
        if (!decoded.insn) {
          result_.message =
              fmt::format("instruction {}: 0x{:016x} 0x{:016x}: {}", index, bits[0], bits[1], decoded.error);
          return;
        }
        const Illegal illegal = std::visit([&](const auto& i) { return refuse(i); }, *decoded.insn);
        VANTAGE_CHECK(illegal);
        result_.message = fmt::format("instruction {}: {}: {}", index, disassemble(*decoded.insn), *illegal);
        return;
      }
      case ErrorCause::kNoFinish:
        result_.message =
            fmt::format("the program has no FINISH among its first {} instructions: it would never be done",
                        std::min<uint64_t>(image_.insn_count, kMaxInsns));
        return;
      case ErrorCause::kDeadlock: {
        const std::vector<Insn> insns = program();
        result_.status = RunStatus::kDeadlock;
        result_.message = deadlock_message(run_tokens(insns).deadlock, insns);
        return;
      }
      case ErrorCause::kReadError:
      case ErrorCause::kWriteError:
      case ErrorCause::kNone: break;
    }
    throw InternalError(
        fmt::format("the core reports error cause {}, which memory never gives", static_cast<int>(cause)));
  }

  Illegal refuse(const Load& i) const { return check(i, m_.config_, dram_.size()); }
  Illegal refuse(const Store& i) const { return check(i, m_.config_, dram_.size()); }
  Illegal refuse(const Gemm& i) const { return check(i, m_.config_, m_.uops_); }
  Illegal refuse(const Alu& i) const { return check(i, m_.config_, m_.uops_); }
  Illegal refuse(const Finish&) const { return std::nullopt; }

  RtlMachine& m_;
  Dram& dram_;
  const ProgramImage& image_;
  const RunOptions& options_;
  uint64_t now_ = 0;
  uint64_t last_event_ = 0;
  uint32_t dispatched_ = 0;
  uint64_t retired_ = 0;
  uint64_t steps_ = 0;
  std::array<std::deque<Life>, kAllStages.size()> waiting_, running_;
  RunResult result_;
};

RunResult RtlMachine::run(Dram& dram, const ProgramImage& image, const RunOptions& options) {
  if (image.insn_count > dram.size().count() / kInsnBytes) {
    fail("{} instructions are more than the memory's {} bytes hold", image.insn_count, dram.size().count());
  }
  static_cast<void>(dram.range(image.insn_address, Bytes(image.insn_count * kInsnBytes)));
  return Run(*this, dram, image, options).run();
}

}  // namespace

std::unique_ptr<Machine> make_rtl_machine(const spec::Config& config, const std::filesystem::path& library,
                                          const RtlOptions& options) {
  return std::make_unique<RtlMachine>(config, library, options);
}

}  // namespace vantage::sim
