// SPDX-License-Identifier: Apache-2.0
// The store stage: OUT elements from the accumulator scratchpad's narrow copy to memory, through the AXI4 write channels.
//
// Three things go on side by side, each in program order: addresses are sent, elements are read and packed into beats, and
// responses are counted. A store retires with the response to its last burst.

`include "vta_assert.svh"

module vta_store #(
  localparam int OutElemW   = 8 << vta_pkg::OutElemLog,
  localparam int StoreLanes = vta_pkg::OutLanes
) (
  input  logic                           clk_i,
  input  logic                           rst_ni,
  input  logic                           port_rst_ni,   // of the memory port and what is behind it
  input  logic                           flush_i,
  // Issue nothing more
  input  logic                           halt_i,
  input  logic [vta_pkg::AddressW-1:0]   memory_last_i,

  // Command queue
  input  logic                           queue_valid_i,
  output logic                           queue_ready_o,
  input  logic [vta_pkg::InsnCountW-1:0] queue_index_i,
  input  logic [vta_pkg::InsnW-1:0]      queue_insn_i,

  // Tokens from and to compute
  input  logic                           token_available_i,
  output logic                           token_pop_o,
  output logic                           token_push_o,

  // OUT elements; data follow in the next cycle
  output logic                           out_rd_en_o,
  output logic [vta_pkg::AccIndexW-1:0]  out_rd_index_o,
  input  logic [StoreLanes*OutElemW-1:0] out_rd_data_i,

  // AXI4
  output logic                           aw_valid_o,
  input  logic                           aw_ready_i,
  output logic [vta_pkg::AddressW-1:0]   aw_addr_o,
  output logic [7:0]                     aw_len_o,
  output logic                           w_valid_o,
  input  logic                           w_ready_i,
  output logic [vta_pkg::BusW-1:0]       w_data_o,
  output logic [vta_pkg::BusW/8-1:0]     w_strb_o,
  output logic                           w_last_o,
  input  logic                           b_valid_i,
  output logic                           b_ready_o,
  input  logic [1:0]                     b_resp_i,

  // What it does in this cycle
  output logic                           issue_o,
  output logic                           retire_o,
  output logic                           occupied_o,   // an instruction waits to be issued
  output logic                           in_flight_o,
  output logic                           port_idle_o,    // nothing that memory has not answered
  output logic                           token_wait_o,   // that instruction lacks nothing but its token
  output logic                           busy_o,
  output logic [vta_pkg::BusLog:0]       out_bytes_o,
  output logic                           error_o,
  output logic                           illegal_o,
  output logic [vta_pkg::InsnCountW-1:0] insn_index_o
);

  localparam int BusLog = vta_pkg::BusLog;
  localparam int BusW   = vta_pkg::BusW;

  // Issue
  logic        valid, pop_prev, push_prev, legal, empty, may_issue, engines_ready;
  logic [vta_pkg::DmaW-1:0] dma;

  vta_transfer_slot u_slot (
    .clk_i,
    .rst_ni,
    .flush_i,
    .queue_valid_i,
    .queue_ready_o,
    .queue_index_i,
    .queue_insn_i,
    .memory_last_i,
    .valid_o        (valid),
    .issue_i        (issue_o),
    .occupied_o,
    .insn_index_o,
    .pop_prev_o     (pop_prev),
    .pop_next_o     (),
    .push_prev_o    (push_prev),
    .push_next_o    (),
    .legal_o        (legal),
    .empty_o        (empty),
    .dma_o          (dma)
  );

  // A store of nothing waits until those before it have retired, and retires at once
  logic burst_start_ready, pack_ready, order_ready;
  assign engines_ready = empty ? !in_flight_o : (burst_start_ready && !aw_valid_o && pack_ready && order_ready);
  assign may_issue     = valid && legal && !halt_i && (!pop_prev || token_available_i);
  assign issue_o       = may_issue && engines_ready;
  assign token_pop_o   = issue_o && pop_prev;
  assign illegal_o     = valid && !legal;
  assign token_wait_o  = valid && legal && pop_prev && !token_available_i;

  // Addresses
  localparam int AddressW = vta_pkg::AddressW;
  localparam int LenW     = vta_pkg::BurstLenW;
  logic                burst_valid, burst_ready, burst_last;
  logic [AddressW-1:0] burst_addr;
  logic [LenW-1:0]     burst_len;

  vta_burst u_burst (
    .clk_i,
    .rst_ni,
    .start_valid_i(issue_o && !empty),
    .start_ready_o(burst_start_ready),
    .dma_i        (dma),
    .burst_valid_o(burst_valid),
    .burst_ready_i(burst_ready),
    .burst_addr_o (burst_addr),
    .burst_len_o  (burst_len),
    .burst_last_o (burst_last)
  );

  // Data
  logic              beat_valid, beat_ready, data_sent;
  logic [BusW-1:0]   beat_data;
  logic [BusW/8-1:0] beat_strb;

  assign data_sent = beat_valid && beat_ready;

  vta_store_pack u_pack (
    .clk_i,
    .rst_ni,
    .start_i      (issue_o && !empty),
    .ready_o      (pack_ready),
    .dma_i        (dma),
    .out_rd_en_o,
    .out_rd_index_o,
    .out_rd_data_i,
    .beat_valid_o (beat_valid),
    .beat_ready_i (beat_ready),
    .beat_data_o  (beat_data),
    .beat_strb_o  (beat_strb)
  );

  // The port; a response tells whether it ends its store
  logic response, response_error, ends_store, done, done_push;

  vta_axi_write u_port (
    .clk_i,
    .rst_ni,
    .port_rst_ni,
    .burst_valid_i   (burst_valid),
    .burst_ready_o   (burst_ready),
    .burst_addr_i    (burst_addr),
    .burst_len_i     (burst_len),
    .burst_mark_i    (burst_last),
    .beat_valid_i    (beat_valid),
    .beat_ready_o    (beat_ready),
    .beat_data_i     (beat_data),
    .beat_strb_i     (beat_strb),
    .response_o      (response),
    .response_mark_o (ends_store),
    .response_error_o(response_error),
    .aw_valid_o,
    .aw_ready_i,
    .aw_addr_o,
    .aw_len_o,
    .w_valid_o,
    .w_ready_i,
    .w_data_o,
    .w_strb_o,
    .w_last_o,
    .b_valid_i,
    .b_ready_o,
    .b_resp_i,
    .idle_o          (port_idle_o)
  );

  // For each store under way, whether it pushes a token
  assign done = response && ends_store;

  vta_fifo #(
    .Width(1),
    .Depth(vta_pkg::Stores)
  ) u_order (
    .clk_i,
    .rst_ni,
    .flush_i(1'b0),
    .valid_i(issue_o && !empty),
    .ready_o(order_ready),
    .data_i (push_prev),
    .valid_o(in_flight_o),
    .ready_i(done),
    .data_o (done_push),
    .count_o()
  );

  assign retire_o     = done || (issue_o && empty);
  assign token_push_o = (done && done_push) || (issue_o && empty && push_prev);
  assign busy_o       = data_sent;
  assign error_o      = response && response_error;

  always_comb begin
    out_bytes_o = '0;
    for (int i = 0; i < BusW / 8; i++) out_bytes_o = out_bytes_o + (BusLog + 1)'(data_sent && beat_strb[i]);
  end

`ifdef FORMAL
`include "vta_store.formal.svh"
`endif

endmodule
