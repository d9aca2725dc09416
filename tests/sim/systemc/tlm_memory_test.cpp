// A core with another TLM-2.0 memory than the project's, written from the TLM standard alone: it knows the base
// protocol and no AxiTiming. Where it does what a memory setting says, the cycles must be the RTL's.
#include <tlm_utils/peq_with_cb_and_phase.h>
#include <tlm_utils/simple_target_socket.h>

#include <map>

#include "hw/isa/codec.h"
#include "sim/functional/executor.h"
#include "sim/systemc/core.h"
#include "tests/catch.h"
#include "tests/sim/rtl/rtl_test.h"
#include "tests/support/differential.h"
#include "tests/support/text_machine.h"

namespace vantage::test::sim_systemc_tlm_memory_test {

using namespace vantage;

namespace {

// Approximately timed: every address is taken at once, answers come a latency later through the backward path.
class Memory : public sc_core::sc_module {
 public:
  enum class Manner {
    kAnswersLater,    // TLM_ACCEPTED, END_REQ and BEGIN_RESP by the backward path
    kEndsRequest,     // TLM_UPDATED with END_REQ, BEGIN_RESP by the backward path
    kAnswersAtOnce,   // TLM_COMPLETED with the latency as delay
    kRespondsAtOnce,  // TLM_UPDATED with BEGIN_RESP and the latency as delay, wants END_RESP
    kTakesLate,       // as kAnswersLater, but takes the address in the middle of a cycle to come
    kNeverAnswers,    // takes addresses, then falls silent
    kNeverTakes,      // falls silent at once
    kRefuses,         // an error response
  };

  tlm_utils::simple_target_socket<Memory> read_socket, write_socket;
  Manner manner = Manner::kAnswersLater;
  sc_core::sc_time read_latency, write_latency;
  std::map<uint64_t, unsigned> reads, writes;  // bytes by address, of this run
  uint64_t responses_ended = 0;                // by the forward path
  bool ticks = false;                          // has events of its own, for ever

  SC_HAS_PROCESS(Memory);
  explicit Memory(sc_core::sc_module_name name)
      : sc_module(name), read_socket("read"), write_socket("write"), answers_(this, &Memory::answer) {
    read_socket.register_nb_transport_fw(this, &Memory::take);
    write_socket.register_nb_transport_fw(this, &Memory::take);
    SC_METHOD(tick);
    sensitive << tick_;
    dont_initialize();
  }

 private:
  tlm::tlm_sync_enum take(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    if (phase == tlm::END_RESP) {
      ++responses_ended;
      return tlm::TLM_COMPLETED;
    }
    if (phase != tlm::BEGIN_REQ) FAIL("the initiator sends phase " << phase << " to a memory of the base protocol");
    CHECK(payload.get_data_ptr() != nullptr);
    CHECK(payload.get_streaming_width() == payload.get_data_length());
    (payload.is_read() ? reads : writes)[payload.get_address()] = payload.get_data_length();
    const sc_core::sc_time latency = payload.is_read() ? read_latency : write_latency;
    payload.set_response_status(manner == Manner::kRefuses ? tlm::TLM_ADDRESS_ERROR_RESPONSE : tlm::TLM_OK_RESPONSE);
    switch (manner) {
      case Manner::kAnswersLater:
        payload.acquire();
        answers_.notify(payload, tlm::END_REQ, delay);
        answers_.notify(payload, tlm::BEGIN_RESP, delay + latency);
        return tlm::TLM_ACCEPTED;
      case Manner::kTakesLate:
        payload.acquire();
        answers_.notify(payload, tlm::END_REQ, delay + sc_core::sc_time(13.7, sc_core::SC_NS));
        answers_.notify(payload, tlm::BEGIN_RESP, delay + latency);
        return tlm::TLM_ACCEPTED;
      case Manner::kRespondsAtOnce:
        delay += latency;
        phase = tlm::BEGIN_RESP;
        return tlm::TLM_UPDATED;
      case Manner::kEndsRequest:
        payload.acquire();
        answers_.notify(payload, tlm::BEGIN_RESP, delay + latency);
        phase = tlm::END_REQ;
        return tlm::TLM_UPDATED;
      case Manner::kNeverAnswers: phase = tlm::END_REQ; return tlm::TLM_UPDATED;
      case Manner::kNeverTakes: return tlm::TLM_ACCEPTED;
      case Manner::kAnswersAtOnce:
      case Manner::kRefuses: break;
    }
    delay += latency;
    return tlm::TLM_COMPLETED;
  }

  void answer(tlm::tlm_generic_payload& payload, const tlm::tlm_phase& what) {
    tlm::tlm_phase phase = what;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    auto& socket = payload.is_read() ? read_socket : write_socket;
    const tlm::tlm_sync_enum status = socket->nb_transport_bw(payload, phase, delay);
    if (what == tlm::END_REQ) return;
    CHECK(status == tlm::TLM_UPDATED);
    CHECK(phase == tlm::END_RESP);
    payload.release();
  }

  void tick() {
    if (ticks) tick_.notify(sc_core::sc_time(70, sc_core::SC_NS));
  }

 public:
  void start_ticking() {
    ticks = true;
    tick_.notify(sc_core::SC_ZERO_TIME);
  }

 private:
  sc_core::sc_event tick_;
  tlm_utils::peq_with_cb_and_phase<Memory> answers_;
};

struct Top {
  systemc::Core core{"core"};
  Memory memory{"memory"};

  Top() {
    core.port().read_socket.bind(memory.read_socket);
    core.port().write_socket.bind(memory.write_socket);
  }
  static Top& get() {
    static Top& top = *new Top;
    return top;
  }
};

constexpr uint64_t kCyclePs = 10'000;  // of every shipped configuration's 100 MHz

// The core as a machine, so that programs can be compared like everywhere.
class TopMachine : public sim::Machine {
 public:
  explicit TopMachine(const isa::Config& config) : config_(config), codec_(config), scratchpads_(config) {}
  const isa::Config& config() const override { return config_; }
  void reset() override { scratchpads_.clear(); }
  std::vector<isa::MicroOp> micro_ops() const override { return scratchpads_.uops(); }
  sim::RunResult run(sim::Dram& dram, const sim::ProgramImage& image, const sim::RunOptions& options) override {
    sim::Executor executor(config_, scratchpads_, dram);
    return Top::get().core.run({config_, codec_, executor, dram, image, options}, [] {
      Top::get().memory.reads.clear();
      Top::get().memory.writes.clear();
    });
  }

 private:
  isa::Config config_;
  isa::Codec codec_;
  sim::Scratchpads scratchpads_;
};

void set(Memory::Manner manner, uint64_t read_latency, uint64_t write_latency = 0) {
  Memory& memory = Top::get().memory;
  memory.manner = manner;
  memory.read_latency = sc_core::sc_time(static_cast<double>(read_latency * kCyclePs), sc_core::SC_PS);
  memory.write_latency = sc_core::sc_time(static_cast<double>(write_latency * kCyclePs), sc_core::SC_PS);
}

sim::RunResult run_lines(const std::string& lines) {
  const auto config = isa::Config::vta_default();
  test::TextMachine m(std::make_unique<TopMachine>(config));
  return m.run(lines);
}

}  // namespace

TEST_CASE("a memory of the base protocol gives the RTL's cycles where it does what a setting says", "[unit]") {
  const auto config = isa::Config::vta_default();
  for (const uint64_t latency : {1, 17, 64}) {
    MemoryTiming timing;
    timing.read_latency = Cycles(latency);
    timing.write_latency = Cycles(1);
    for (const auto manner : {Memory::Manner::kAnswersLater, Memory::Manner::kEndsRequest,
                              Memory::Manner::kAnswersAtOnce, Memory::Manner::kRespondsAtOnce}) {
      set(manner, latency);
      for (uint64_t seed = 0; seed < 25; ++seed) {
        const auto differs = test::time_difference(
            test::random_program(config, seed, 60),
            [&](const isa::Config& c) {
              return sim::make_rtl_machine(c, test::rtl_library(c), {timing, {}});
            },
            [](const isa::Config& c) { return std::make_unique<TopMachine>(c); });
        INFO("latency " << latency << ", manner " << static_cast<int>(manner) << ", seed " << seed);
        INFO(differs.value_or(""));
        REQUIRE(!differs);
      }
    }
  }
}

TEST_CASE("a memory that answers in the middle of cycles, some time after it was asked, serves any program", "[unit]") {
  const auto config = isa::Config::vta_default();
  set(Memory::Manner::kTakesLate, 0);
  for (const double nanoseconds : {14.0, 33.3, 101.7}) {
    Top::get().memory.read_latency = Top::get().memory.write_latency = sc_core::sc_time(nanoseconds, sc_core::SC_NS);
    for (uint64_t seed = 0; seed < 25; ++seed) {
      const auto differs = test::difference(test::random_program(config, seed, 60),
                                            [](const isa::Config& c) { return std::make_unique<TopMachine>(c); });
      INFO("latency " << nanoseconds << " ns, seed " << seed);
      INFO(differs.value_or(""));
      REQUIRE(!differs);
    }
  }
}

TEST_CASE("a memory with events of its own holds up no run", "[unit]") {
  Memory& memory = Top::get().memory;
  set(Memory::Manner::kAnswersLater, 8);
  const auto alone = run_lines("load.inp sram=0 dram=64 y=1 x=24 stride=24");
  memory.start_ticking();
  CHECK(run_lines("load.inp sram=0 dram=64 y=1 x=24 stride=24").cycles == alone.cycles);
  CHECK(run_lines("load.inp sram=0 dram=64 y=1 x=24 stride=24 pop=next").status == sim::RunStatus::kDeadlock);
  set(Memory::Manner::kNeverAnswers, 8);
  CHECK_THAT(ERROR_OF(run_lines("")), ContainsSubstring("the memory hangs"));
  memory.ticks = false;
}

TEST_CASE("every response in the forward path is ended there", "[unit]") {
  set(Memory::Manner::kRespondsAtOnce, 8);
  Memory& memory = Top::get().memory;
  memory.responses_ended = 0;
  REQUIRE(run_lines("load.inp sram=0 dram=64 y=1 x=24 stride=24\nstore.out sram=0 dram=4097 y=2 x=1 stride=16").ok());
  CHECK(memory.responses_ended == memory.reads.size() + memory.writes.size());
}

TEST_CASE("bursts are those of the program", "[unit]") {
  set(Memory::Manner::kAnswersLater, 8);
  REQUIRE(run_lines("load.inp sram=0 dram=64 y=1 x=24 stride=24\nstore.out sram=0 dram=4097 y=2 x=1 stride=16").ok());
  const Memory& memory = Top::get().memory;
  CHECK(memory.reads.at(1024) == 128);
  CHECK(memory.reads.at(1152) == 128);
  CHECK(memory.reads.at(1280) == 128);
  CHECK(memory.writes == std::map<uint64_t, unsigned>{{65552, 16}, {65808, 16}});
}

TEST_CASE("a memory that never answers is reported with who waits for what since when", "[unit]") {
  const std::string lines =
      "load.inp sram=0 dram=64 y=1 x=1 stride=1 push=next\n"
      "store.out sram=0 dram=4096 y=1 x=1 stride=1\n"
      "gemm uop=0:1 out=1 in=1 dst=0,0 src=0,0 wgt=0,0 pop=prev";
  set(Memory::Manner::kNeverTakes, 1);
  CHECK(ERROR_OF(run_lines(lines)) ==
        "the memory hangs: fetch waits for it to take the address of a read of 64 bytes at 0x100000 since cycle 1");
  set(Memory::Manner::kNeverAnswers, 1);
  CHECK_THAT(ERROR_OF(run_lines(lines)),
             ContainsSubstring("the memory hangs: fetch waits for it to answer a read of 64 bytes at 0x100000"));
  // And the next run is a new one
  set(Memory::Manner::kAnswersLater, 1);
  CHECK(run_lines(lines).ok());
}

TEST_CASE("a memory that answers with an error is reported with the address", "[unit]") {
  set(Memory::Manner::kRefuses, 1);
  CHECK_THAT(ERROR_OF(run_lines("")),
             ContainsSubstring("memory answers the read of 16 bytes at 0x100000 with TLM_ADDRESS"));
  set(Memory::Manner::kAnswersLater, 1);
  CHECK(run_lines("").ok());
}

}  // namespace vantage::test::sim_systemc_tlm_memory_test
