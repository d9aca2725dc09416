// SPDX-License-Identifier: Apache-2.0
// A VTA accelerator: an AXI4-Lite slave to control it, one AXI4 master to memory. All of it runs on one clock; reset is
// synchronous, active low.
//
// The master sends incrementing bursts that cross no multiple of BurstBeats beats; with at most 16 it suits AXI3 as well.
// It needs responses in order and has no ID ports: whoever connects it ties IDs, LOCK, QOS and REGION to 0, PROT and
// CACHE to what the memory wants. Addresses are 32 bits, a beat BusW bits.

module vta (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  // Of the memory port and what is behind it. Whoever resets the core alone leaves it high: bursts under way are ended as
  // AXI demands. Low only while rst_ni is.
  input  logic                            m_rst_ni,
  output logic                            irq_o,

  // AXI4-Lite slave
  input  logic                            s_aw_valid_i,
  output logic                            s_aw_ready_o,
  input  logic [vta_pkg::RegAddressW-1:0] s_aw_addr_i,
  input  logic                            s_w_valid_i,
  output logic                            s_w_ready_o,
  input  logic [31:0]                     s_w_data_i,
  input  logic [3:0]                      s_w_strb_i,
  output logic                            s_b_valid_o,
  input  logic                            s_b_ready_i,
  output logic [1:0]                      s_b_resp_o,
  input  logic                            s_ar_valid_i,
  output logic                            s_ar_ready_o,
  input  logic [vta_pkg::RegAddressW-1:0] s_ar_addr_i,
  output logic                            s_r_valid_o,
  input  logic                            s_r_ready_i,
  output logic [31:0]                     s_r_data_o,
  output logic [1:0]                      s_r_resp_o,

  // AXI4 master
  output logic                            m_ar_valid_o,
  input  logic                            m_ar_ready_i,
  output logic [vta_pkg::AddressW-1:0]    m_ar_addr_o,
  output logic [7:0]                      m_ar_len_o,
  output logic [2:0]                      m_ar_size_o,
  output logic [1:0]                      m_ar_burst_o,
  input  logic                            m_r_valid_i,
  output logic                            m_r_ready_o,
  input  logic [vta_pkg::BusW-1:0]        m_r_data_i,
  input  logic [1:0]                      m_r_resp_i,
  input  logic                            m_r_last_i,
  output logic                            m_aw_valid_o,
  input  logic                            m_aw_ready_i,
  output logic [vta_pkg::AddressW-1:0]    m_aw_addr_o,
  output logic [7:0]                      m_aw_len_o,
  output logic [2:0]                      m_aw_size_o,
  output logic [1:0]                      m_aw_burst_o,
  output logic                            m_w_valid_o,
  input  logic                            m_w_ready_i,
  output logic [vta_pkg::BusW-1:0]        m_w_data_o,
  output logic [vta_pkg::BusW/8-1:0]      m_w_strb_o,
  output logic                            m_w_last_o,
  input  logic                            m_b_valid_i,
  output logic                            m_b_ready_o,
  input  logic [1:0]                      m_b_resp_i,

  // Lives of instructions, for a simulator or a logic analyser (vta_core)
  output logic [8:0]                      trace_o
);

  logic                           start, abort, idle, run_end;
  logic [31:0]                    watchdog;
  logic [vta_pkg::AddressW-1:0]     insn_addr, memory_last;
  logic [vta_pkg::InsnCountW-1:0] insn_count, error_insn;
  logic [vta_pkg::ErrorCauseW-1:0] error_cause;
  logic [63:0]                    counter;
  logic [$clog2(vta_pkg::NumCounters)-1:0] counter_select;

  assign m_ar_size_o  = 3'(vta_pkg::BusLog);
  assign m_ar_burst_o = 2'b01;
  assign m_aw_size_o  = 3'(vta_pkg::BusLog);
  assign m_aw_burst_o = 2'b01;

  vta_regs u_regs (
    .clk_i,
    .rst_ni,
    .aw_valid_i      (s_aw_valid_i),
    .aw_ready_o      (s_aw_ready_o),
    .aw_addr_i       (s_aw_addr_i),
    .w_valid_i       (s_w_valid_i),
    .w_ready_o       (s_w_ready_o),
    .w_data_i        (s_w_data_i),
    .w_strb_i        (s_w_strb_i),
    .b_valid_o       (s_b_valid_o),
    .b_ready_i       (s_b_ready_i),
    .b_resp_o        (s_b_resp_o),
    .ar_valid_i      (s_ar_valid_i),
    .ar_ready_o      (s_ar_ready_o),
    .ar_addr_i       (s_ar_addr_i),
    .r_valid_o       (s_r_valid_o),
    .r_ready_i       (s_r_ready_i),
    .r_data_o        (s_r_data_o),
    .r_resp_o        (s_r_resp_o),
    .start_o         (start),
    .insn_addr_o     (insn_addr),
    .insn_count_o    (insn_count),
    .memory_last_o   (memory_last),
    .abort_o         (abort),
    .watchdog_o      (watchdog),
    .idle_i          (idle),
    .end_i           (run_end),
    .error_cause_i   (error_cause),
    .error_insn_i    (error_insn),
    .counter_select_o(counter_select),
    .counter_i       (counter),
    .irq_o
  );

  vta_core u_core (
    .clk_i,
    .rst_ni,
    .port_rst_ni     (m_rst_ni),
    .start_i         (start),
    .insn_addr_i     (insn_addr),
    .insn_count_i    (insn_count),
    .memory_last_i   (memory_last),
    .abort_i         (abort),
    .watchdog_i      (watchdog),
    .idle_o          (idle),
    .end_o           (run_end),
    .error_cause_o   (error_cause),
    .error_insn_o    (error_insn),
    .counter_select_i(counter_select),
    .counter_o       (counter),
    .ar_valid_o      (m_ar_valid_o),
    .ar_ready_i      (m_ar_ready_i),
    .ar_addr_o       (m_ar_addr_o),
    .ar_len_o        (m_ar_len_o),
    .r_valid_i       (m_r_valid_i),
    .r_ready_o       (m_r_ready_o),
    .r_data_i        (m_r_data_i),
    .r_resp_i        (m_r_resp_i),
    .r_last_i        (m_r_last_i),
    .aw_valid_o      (m_aw_valid_o),
    .aw_ready_i      (m_aw_ready_i),
    .aw_addr_o       (m_aw_addr_o),
    .aw_len_o        (m_aw_len_o),
    .w_valid_o       (m_w_valid_o),
    .w_ready_i       (m_w_ready_i),
    .w_data_o        (m_w_data_o),
    .w_strb_o        (m_w_strb_o),
    .w_last_o        (m_w_last_o),
    .b_valid_i       (m_b_valid_i),
    .b_ready_o       (m_b_ready_o),
    .b_resp_i        (m_b_resp_i),
    .trace_o
  );

endmodule
