/* The interface between the simulator and a Verilated VTA core in a shared library: one clock cycle at a time, all pins
   in one struct. Plain C types, so that a library built earlier stays usable; `VANTAGE_RTL_ABI` changes when this does.
 */
#pragma once

#include <stdint.h>

#define VANTAGE_RTL_ABI 6

#ifdef __cplusplus
extern "C" {
#endif

struct vantage_rtl_pins {
  /* Inputs of the core, held for the whole cycle */
  uint8_t rst_n, m_rst_n;
  uint8_t s_aw_valid, s_w_valid, s_b_ready, s_ar_valid, s_r_ready;
  uint16_t s_aw_addr, s_ar_addr;
  uint32_t s_w_data;
  uint8_t m_ar_ready, m_r_valid, m_r_resp, m_r_last;
  uint8_t m_aw_ready, m_w_ready, m_b_valid, m_b_resp;
  uint64_t m_r_data[8];

  /* Outputs, as they stand in the same cycle before its clock edge */
  uint8_t irq;
  uint8_t s_aw_ready, s_b_valid, s_ar_ready, s_r_valid;
  uint32_t s_r_data;
  uint8_t m_ar_valid, m_ar_len, m_ar_size, m_ar_burst, m_r_ready;
  uint8_t m_aw_valid, m_aw_len, m_aw_size, m_aw_burst, m_w_valid, m_w_last, m_b_ready;
  uint32_t m_ar_addr, m_aw_addr;
  uint16_t trace; /* vta_core: {retire, issue, dispatch} */
  uint64_t m_w_strb;
  uint64_t m_w_data[8];
};

/* Since power-on (sim/rtl/activity.sv). */
struct vantage_rtl_activity {
  uint64_t uop_reads, uop_writes, inp_reads, inp_writes, wgt_reads, wgt_writes;
  uint64_t acc_reads, acc_writes, out_reads, out_writes, alu_mul_steps;
};

/* Every function but `create` needs what `create` returned. */
struct vantage_rtl_api {
  uint32_t abi;
  uint64_t config_hash;
  void* (*create)(void);
  void (*destroy)(void* model);
  /* One clock cycle */
  void (*cycle)(void* model, struct vantage_rtl_pins* pins);
  /* Starts a waveform file; 0 when this library was built without waves or the file cannot be opened */
  int (*open_trace)(void* model, const char* path);
  /* Ends it: the file is complete */
  void (*close_trace)(void* model);
  /* Writes how often each line and branch ran in the models that were destroyed, in Verilator's format. Needs no model;
     0 when this library was built without coverage or the file cannot be written */
  int (*write_coverage)(const char* path);
  void (*activity)(void* model, struct vantage_rtl_activity* counts);
};

/* The library's only symbol */
const struct vantage_rtl_api* vantage_rtl(void);

#ifdef __cplusplus
}
#endif
