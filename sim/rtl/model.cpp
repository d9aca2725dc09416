// Compiled together with Verilator's output into the shared library of one configuration (sim/rtl/model_builder.h).
#include <algorithm>
#include <cstring>
#include <memory>

#include "Vvta.h"
#include "Vvta___024root.h"
#include "model_abi.h"
#include "verilated.h"
#if VANTAGE_RTL_WAVES
#include "verilated_fst_c.h"
#endif
#if VANTAGE_RTL_COVERAGE
#include <fstream>
#include <mutex>

#include "Vvta__Syms.h"
#include "verilated_cov.h"
#endif

namespace {

constexpr unsigned kBusBytes = VANTAGE_RTL_BUS_BYTES;

#if VANTAGE_RTL_COVERAGE
// A model that is never clocked, to whose counters those of the models that go are added: Verilator keeps them with
// each model, and a run of many programs makes one for each.
struct Coverage {
  VerilatedContext context;
  Vvta top{&context};
  std::mutex mutex;

  void add(const Vvta& model) {
    const std::lock_guard lock(mutex);
    for (size_t i = 0; i < std::size(top.rootp->vlSymsp->__Vcoverage); ++i) {
      top.rootp->vlSymsp->__Vcoverage[i] += model.rootp->vlSymsp->__Vcoverage[i];
    }
  }
};
Coverage& coverage() {
  static auto* all = new Coverage;  // outlives every model
  return *all;
}
#endif

struct Model {
  VerilatedContext context;
  std::unique_ptr<Vvta> top;
#if VANTAGE_RTL_WAVES
  VerilatedFstC waves;
#endif

  Model() {
    context.traceEverOn(VANTAGE_RTL_WAVES);
    top = std::make_unique<Vvta>(&context);
  }
  ~Model() {
    // Verilator's destructors look at the context that this thread used last, which may be another model's.
    Verilated::threadContextp(&context);
    top->final();
#if VANTAGE_RTL_COVERAGE
    coverage().add(*top);
#endif
#if VANTAGE_RTL_WAVES
    waves.close();
#endif
    top.reset();
  }
};

// Ports of at most 64 bits are integers, wider ones arrays of 32-bit words; memory order is the same.
template <typename Port>
void put(Port& port, const uint64_t* words) {
  static_assert(sizeof(Port) == kBusBytes);
  std::memcpy(&port, words, kBusBytes);
}
template <typename Port>
void get(const Port& port, uint64_t* words) {
  static_assert(sizeof(Port) == kBusBytes);
  std::memcpy(words, &port, kBusBytes);
}

void cycle(void* model, vantage_rtl_pins* pins) {
  Model& m = *static_cast<Model*>(model);
  Vvta& t = *m.top;
  t.rst_ni = pins->rst_n;
  t.m_rst_ni = pins->m_rst_n;
  t.s_aw_valid_i = pins->s_aw_valid;
  t.s_aw_addr_i = pins->s_aw_addr;
  t.s_w_valid_i = pins->s_w_valid;
  t.s_w_data_i = pins->s_w_data;
  t.s_w_strb_i = 15;
  t.s_b_ready_i = pins->s_b_ready;
  t.s_ar_valid_i = pins->s_ar_valid;
  t.s_ar_addr_i = pins->s_ar_addr;
  t.s_r_ready_i = pins->s_r_ready;
  t.m_ar_ready_i = pins->m_ar_ready;
  t.m_r_valid_i = pins->m_r_valid;
  t.m_r_resp_i = pins->m_r_resp;
  t.m_r_last_i = pins->m_r_last;
  t.m_aw_ready_i = pins->m_aw_ready;
  t.m_w_ready_i = pins->m_w_ready;
  t.m_b_valid_i = pins->m_b_valid;
  t.m_b_resp_i = pins->m_b_resp;
  if (pins->m_r_valid) put(t.m_r_data_i, pins->m_r_data);

  t.clk_i = 0;
  t.eval();
#if VANTAGE_RTL_WAVES
  if (m.waves.isOpen()) m.waves.dump(m.context.time());
#endif
  m.context.timeInc(1);

  pins->irq = t.irq_o;
  pins->s_aw_ready = t.s_aw_ready_o;
  pins->s_b_valid = t.s_b_valid_o;
  pins->s_ar_ready = t.s_ar_ready_o;
  pins->s_r_valid = t.s_r_valid_o;
  pins->s_r_data = t.s_r_data_o;
  pins->m_ar_valid = t.m_ar_valid_o;
  pins->m_ar_len = t.m_ar_len_o;
  pins->m_ar_size = t.m_ar_size_o;
  pins->m_ar_burst = t.m_ar_burst_o;
  pins->m_ar_addr = t.m_ar_addr_o;
  pins->m_r_ready = t.m_r_ready_o;
  pins->m_aw_valid = t.m_aw_valid_o;
  pins->m_aw_len = t.m_aw_len_o;
  pins->m_aw_size = t.m_aw_size_o;
  pins->m_aw_burst = t.m_aw_burst_o;
  pins->m_aw_addr = t.m_aw_addr_o;
  pins->m_w_valid = t.m_w_valid_o;
  pins->m_w_last = t.m_w_last_o;
  pins->m_b_ready = t.m_b_ready_o;
  pins->trace = t.trace_o;
  if (t.m_w_valid_o) {
    get(t.m_w_data_o, pins->m_w_data);
    pins->m_w_strb = t.m_w_strb_o;
  }

  t.clk_i = 1;
  t.eval();
#if VANTAGE_RTL_WAVES
  if (m.waves.isOpen()) m.waves.dump(m.context.time());
#endif
  m.context.timeInc(1);
}

int open_trace([[maybe_unused]] void* model, [[maybe_unused]] const char* path) {
#if VANTAGE_RTL_WAVES
  Model& m = *static_cast<Model*>(model);
  m.top->trace(&m.waves, 99);
  m.waves.open(path);
  return m.waves.isOpen();
#else
  return 0;
#endif
}

void close_trace([[maybe_unused]] void* model) {
#if VANTAGE_RTL_WAVES
  static_cast<Model*>(model)->waves.close();
#endif
}

int write_coverage([[maybe_unused]] const char* path) {
#if VANTAGE_RTL_COVERAGE
  if (!std::ofstream(path)) return 0;  // Verilator would end the program
  const std::lock_guard lock(coverage().mutex);
  coverage().context.coveragep()->write(path);
  return 1;
#else
  return 0;
#endif
}

void activity(void* model, vantage_rtl_activity* counts) {
  const Vvta___024root& t = *static_cast<Model*>(model)->top->rootp;
#define VANTAGE_COUNT(name) counts->name = t.vta__DOT__u_core__DOT__u_activity__DOT__##name
  VANTAGE_COUNT(uop_reads);
  VANTAGE_COUNT(uop_writes);
  VANTAGE_COUNT(inp_reads);
  VANTAGE_COUNT(inp_writes);
  VANTAGE_COUNT(wgt_reads);
  VANTAGE_COUNT(wgt_writes);
  VANTAGE_COUNT(acc_reads);
  VANTAGE_COUNT(acc_writes);
  VANTAGE_COUNT(out_reads);
  VANTAGE_COUNT(out_writes);
  VANTAGE_COUNT(alu_mul_steps);
#undef VANTAGE_COUNT
}

constexpr vantage_rtl_api kApi = {
    VANTAGE_RTL_ABI,
    VANTAGE_RTL_CONFIG_HASH,
    [] { return static_cast<void*>(new Model); },
    [](void* model) { delete static_cast<Model*>(model); },
    cycle,
    open_trace,
    close_trace,
    write_coverage,
    activity,
};

}  // namespace

extern "C" const vantage_rtl_api* vantage_rtl(void) {
  return &kApi;
}
