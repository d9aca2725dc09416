// SPDX-License-Identifier: Apache-2.0
// The VTA core without its registers: fetch, dispatch, the three stages, their tokens and scratchpads, the memory port.
//
// A run starts with start_i and ends when FINISH and everything before it has retired, or with an error: then no further
// instruction is issued, what is under way ends, and the queues are emptied. A run that is aborted, or takes too long, only
// waits for memory: its nests are dropped.

`include "vta_assert.svh"

module vta_core #(
  localparam int IndexW = vta_pkg::InsnCountW
) (
  input  logic                                    clk_i,
  input  logic                                    rst_ni,
  input  logic                                    port_rst_ni,   // of the memory port and what is behind it

  // Control
  input  logic                                    start_i,   // ignored unless idle_o
  input  logic [vta_pkg::AddressW-1:0]            insn_addr_i,
  input  logic [IndexW-1:0]                       insn_count_i,
  input  logic [vta_pkg::AddressW-1:0]            memory_last_i,
  input  logic                                    abort_i,
  input  logic [31:0]                             watchdog_i,   // cycles of a run at most; 0: any
  output logic                                    idle_o,
  output logic                                    end_o,   // a run's last cycle; the outcome stands
  output logic [vta_pkg::ErrorCauseW-1:0]         error_cause_o,
  output logic [IndexW-1:0]                       error_insn_o,
  input  logic [$clog2(vta_pkg::NumCounters)-1:0] counter_select_i,
  output logic [63:0]                             counter_o,

  // AXI4 read
  output logic                                    ar_valid_o,
  input  logic                                    ar_ready_i,
  output logic [vta_pkg::AddressW-1:0]            ar_addr_o,
  output logic [7:0]                              ar_len_o,
  input  logic                                    r_valid_i,
  output logic                                    r_ready_o,
  input  logic [vta_pkg::BusW-1:0]                r_data_i,
  input  logic [1:0]                              r_resp_i,
  input  logic                                    r_last_i,

  // AXI4 write
  output logic                                    aw_valid_o,
  input  logic                                    aw_ready_i,
  output logic [vta_pkg::AddressW-1:0]            aw_addr_o,
  output logic [7:0]                              aw_len_o,
  output logic                                    w_valid_o,
  input  logic                                    w_ready_i,
  output logic [vta_pkg::BusW-1:0]                w_data_o,
  output logic [vta_pkg::BusW/8-1:0]              w_strb_o,
  output logic                                    w_last_o,
  input  logic                                    b_valid_i,
  output logic                                    b_ready_o,
  input  logic [1:0]                              b_resp_i,

  // Lives of instructions, for whoever watches: {retire, issue, dispatch}, each load, compute, store from bit 0
  output logic [8:0]                              trace_o
);

  localparam int BusW   = vta_pkg::BusW;
  localparam int BusLog = vta_pkg::BusLog;
  localparam int InsnW  = vta_pkg::InsnW;
  localparam int LenW   = vta_pkg::BurstLenW;
  localparam int AddressW = vta_pkg::AddressW;

  // Stages are numbered 0 load, 1 compute, 2 store

  // Run control ------------------------------------------------------------------------------------------------------

  logic              running, start, flush, halt, complete, drop, transfers_in_flight;
  logic [2:0]        dispatch, issue, retire, queue_valid, queue_ready, occupied, in_flight, token_wait, busy, illegal;
  logic              finish_dispatch, finish_retire, dispatch_illegal, dispatch_stuck, exhausted, fetch_idle;
  logic              read_error, write_error;
  logic [IndexW-1:0] fetch_index, load_insn_index, compute_insn_index, store_insn_index;

  vta_run_control u_run_control (
    .clk_i,
    .rst_ni,
    .start_i,
    .abort_i,
    .watchdog_i,
    .queue_valid_i     (queue_valid),
    .occupied_i        (occupied),
    .in_flight_i       (in_flight),
    .transfers_in_flight_i({in_flight[2], transfers_in_flight, in_flight[0]}),
    .token_wait_i      (token_wait),
    .finish_dispatch_i (finish_dispatch),
    .finish_retire_i   (finish_retire),
    .exhausted_i       (exhausted),
    .dispatch_stuck_i  (dispatch_stuck),
    .fetch_idle_i      (fetch_idle),
    .read_error_i      (read_error),
    .write_error_i     (write_error),
    .illegal_i         (illegal),
    .load_index_i      (load_insn_index),
    .compute_index_i   (compute_insn_index),
    .store_index_i     (store_insn_index),
    .dispatch_illegal_i(dispatch_illegal),
    .dispatch_index_i  (fetch_index),
    .idle_o,
    .start_o           (start),
    .halt_o            (halt),
    .complete_o        (complete),
    .flush_o           (flush),
    .drop_o            (drop),
    .error_cause_o,
    .error_insn_o
  );

  assign end_o   = flush;
  assign running = !idle_o;
  assign trace_o = {retire, issue, dispatch};

  // A run keeps the limit that it began with
  logic [vta_pkg::AddressW-1:0] memory_last_q;

  always_ff @(posedge clk_i) begin
    if (start) memory_last_q <= memory_last_i;
  end

  // Memory port ------------------------------------------------------------------------------------------------------

  // Requesters: 0 fetch, 1 load, 2 compute
  logic [2:0]      burst_valid, burst_ready, beat_valid;
  logic [3*AddressW-1:0] burst_addr;
  logic [3*LenW-1:0] burst_len;
  logic [BusW-1:0] beat_data;
  logic            read_idle, write_idle, beat_error, fetch_error;

  vta_axi_read #(
    .N(3)
  ) u_axi_read (
    .clk_i,
    .rst_ni,
    .port_rst_ni,
    .burst_valid_i(burst_valid),
    .burst_ready_o(burst_ready),
    .burst_addr_i (burst_addr),
    .burst_len_i  (burst_len),
    .beat_valid_o (beat_valid),
    .beat_data_o  (beat_data),
    .ar_valid_o,
    .ar_ready_i,
    .ar_addr_o,
    .ar_len_o,
    .r_valid_i,
    .r_ready_o,
    .r_data_i,
    .r_resp_i,
    .r_last_i,
    .beat_error_o (beat_error),
    .idle_o       (read_idle)
  );

  // A beat of instructions that are never reached does no harm
  assign read_error = ((beat_valid[2:1] != '0) && beat_error) || fetch_error;

  // Fetch and dispatch -----------------------------------------------------------------------------------------------

  logic                insn_valid, insn_ready, fetch_beat, fetch_stop;
  logic [InsnW-1:0]    insn;
  logic [3*IndexW-1:0] queue_index;
  logic [3*InsnW-1:0]  queue_insn;

  assign fetch_stop = finish_dispatch || halt;

  vta_fetch u_fetch (
    .clk_i,
    .rst_ni,
    .start_i      (start),
    .stop_i       (fetch_stop),
    .addr_i       (insn_addr_i),
    .count_i      (insn_count_i),
    .valid_o      (insn_valid),
    .ready_i      (insn_ready),
    .insn_o       (insn),
    .index_o      (fetch_index),
    .error_o      (fetch_error),
    .exhausted_o  (exhausted),
    .idle_o       (fetch_idle),
    .beat_o       (fetch_beat),
    .burst_valid_o(burst_valid[0]),
    .burst_ready_i(burst_ready[0]),
    .burst_addr_o (burst_addr[0 +: AddressW]),
    .burst_len_o  (burst_len[0 +: LenW]),
    .beat_valid_i (beat_valid[0]),
    .beat_error_i (beat_error),
    .beat_data_i  (beat_data)
  );

  vta_dispatch u_dispatch (
    .clk_i,
    .rst_ni,
    .flush_i      (flush),
    .halt_i       (halt),
    .insn_valid_i (insn_valid),
    .insn_ready_o (insn_ready),
    .insn_i       (insn),
    .index_i      (fetch_index),
    .queue_valid_o(queue_valid),
    .queue_ready_i(queue_ready),
    .queue_index_o(queue_index),
    .queue_insn_o (queue_insn),
    .issue_i      (issue),
    .dispatch_o   (dispatch),
    .finish_o     (finish_dispatch),
    .illegal_o    (dispatch_illegal),
    .stuck_o      (dispatch_stuck)
  );

  // Tokens -----------------------------------------------------------------------------------------------------------

  // 0 load to compute, 1 compute to load, 2 compute to store, 3 store to compute
  logic [3:0] token_push, token_pop, token_available;

  vta_token_queue #(
    .Width  (IndexW + 1),
    .Latency(vta_pkg::TokenLatency)
  ) u_token [3:0] (
    .clk_i,
    .rst_ni,
    .flush_i    (flush),
    .push_i     (token_push),
    .pop_i      (token_pop),
    .available_o(token_available)
  );

  // Stages -----------------------------------------------------------------------------------------------------------

  localparam int InpElemW = 8 << vta_pkg::InpElemLog;
  localparam int WgtElemW = 8 << vta_pkg::WgtElemLog;
  localparam int OutElemW = 8 << vta_pkg::OutElemLog;

  logic [vta_pkg::InpLoadLanes-1:0]          inp_wr_lanes;
  logic [vta_pkg::InpIndexW-1:0]             inp_wr_index, inp_rd_index;
  logic [vta_pkg::InpLoadLanes*InpElemW-1:0] inp_wr_data;
  logic [InpElemW-1:0]                       inp_rd_data;
  logic [vta_pkg::WgtLoadLanes-1:0]          wgt_wr_lanes;
  logic [vta_pkg::WgtIndexW-1:0]             wgt_wr_index, wgt_rd_index;
  logic [vta_pkg::WgtLoadLanes*WgtElemW-1:0] wgt_wr_data;
  logic [WgtElemW-1:0]                       wgt_rd_data;
  logic                                      operands_rd_en, out_rd_en, gemm_step, alu_step;
  logic [vta_pkg::AccIndexW-1:0]             out_rd_index;
  logic [vta_pkg::OutLanes*OutElemW-1:0]     out_rd_data;
  logic [BusLog:0]                           inp_bytes, wgt_bytes, uop_bytes, acc_bytes, out_bytes;

  vta_load u_load (
    .clk_i,
    .rst_ni,
    .flush_i          (flush),
    .halt_i           (halt),
    .memory_last_i    (memory_last_q),
    .queue_valid_i    (queue_valid[0]),
    .queue_ready_o    (queue_ready[0]),
    .queue_index_i    (queue_index[0 +: IndexW]),
    .queue_insn_i     (queue_insn[0 +: InsnW]),
    .token_available_i(token_available[1]),
    .token_pop_o      (token_pop[1]),
    .token_push_o     (token_push[0]),
    .burst_valid_o    (burst_valid[1]),
    .burst_ready_i    (burst_ready[1]),
    .burst_addr_o     (burst_addr[AddressW +: AddressW]),
    .burst_len_o      (burst_len[LenW +: LenW]),
    .beat_valid_i     (beat_valid[1]),
    .beat_data_i      (beat_data),
    .inp_wr_lanes_o   (inp_wr_lanes),
    .inp_wr_index_o   (inp_wr_index),
    .inp_wr_data_o    (inp_wr_data),
    .wgt_wr_lanes_o   (wgt_wr_lanes),
    .wgt_wr_index_o   (wgt_wr_index),
    .wgt_wr_data_o    (wgt_wr_data),
    .issue_o          (issue[0]),
    .retire_o         (retire[0]),
    .occupied_o       (occupied[0]),
    .in_flight_o      (in_flight[0]),
    .token_wait_o     (token_wait[0]),
    .busy_o           (busy[0]),
    .inp_bytes_o      (inp_bytes),
    .wgt_bytes_o      (wgt_bytes),
    .illegal_o        (illegal[0]),
    .insn_index_o     (load_insn_index)
  );

  vta_scratchpad #(
    .ElemW     (InpElemW),
    .IndexW    (vta_pkg::InpIndexW),
    .WriteLanes(vta_pkg::InpLoadLanes),
    .ReadLanes (1)
  ) u_inp (
    .clk_i,
    .wr_lanes_i       (inp_wr_lanes),
    .wr_index_i       (inp_wr_index),
    .wr_data_i        (inp_wr_data),
    .wr_port_rd_en_i  (1'b0),
    .wr_port_rd_data_o(),
    .rd_en_i          (operands_rd_en),
    .rd_index_i       (inp_rd_index),
    .rd_data_o        (inp_rd_data)
  );

  vta_scratchpad #(
    .ElemW     (WgtElemW),
    .IndexW    (vta_pkg::WgtIndexW),
    .WriteLanes(vta_pkg::WgtLoadLanes),
    .ReadLanes (1)
  ) u_wgt (
    .clk_i,
    .wr_lanes_i       (wgt_wr_lanes),
    .wr_index_i       (wgt_wr_index),
    .wr_data_i        (wgt_wr_data),
    .wr_port_rd_en_i  (1'b0),
    .wr_port_rd_data_o(),
    .rd_en_i          (operands_rd_en),
    .rd_index_i       (wgt_rd_index),
    .rd_data_o        (wgt_rd_data)
  );

  vta_compute u_compute (
    .clk_i,
    .rst_ni,
    .flush_i         (flush),
    .drop_i          (drop),
    .halt_i          (halt),
    .memory_last_i    (memory_last_q),
    .queue_valid_i   (queue_valid[1]),
    .queue_ready_o   (queue_ready[1]),
    .queue_index_i   (queue_index[IndexW +: IndexW]),
    .queue_insn_i    (queue_insn[InsnW +: InsnW]),
    .prev_available_i(token_available[0]),
    .prev_pop_o      (token_pop[0]),
    .prev_push_o     (token_push[1]),
    .next_available_i(token_available[3]),
    .next_pop_o      (token_pop[3]),
    .next_push_o     (token_push[2]),
    .burst_valid_o   (burst_valid[2]),
    .burst_ready_i   (burst_ready[2]),
    .burst_addr_o    (burst_addr[2*AddressW +: AddressW]),
    .burst_len_o     (burst_len[2*LenW +: LenW]),
    .beat_valid_i    (beat_valid[2]),
    .beat_data_i     (beat_data),
    .operands_rd_en_o(operands_rd_en),
    .inp_rd_index_o  (inp_rd_index),
    .inp_rd_data_i   (inp_rd_data),
    .wgt_rd_index_o  (wgt_rd_index),
    .wgt_rd_data_i   (wgt_rd_data),
    .out_rd_en_i     (out_rd_en),
    .out_rd_index_i  (out_rd_index),
    .out_rd_data_o   (out_rd_data),
    .issue_o         (issue[1]),
    .retire_o        (retire[1]),
    .finish_o        (finish_retire),
    .occupied_o      (occupied[1]),
    .in_flight_o     (in_flight[1]),
    .transfers_in_flight_o(transfers_in_flight),
    .token_wait_o    (token_wait[1]),
    .busy_o          (busy[1]),
    .uop_bytes_o     (uop_bytes),
    .acc_bytes_o     (acc_bytes),
    .gemm_step_o     (gemm_step),
    .alu_step_o      (alu_step),
    .illegal_o       (illegal[1]),
    .insn_index_o    (compute_insn_index)
  );

  vta_store u_store (
    .clk_i,
    .rst_ni,
    .port_rst_ni,
    .flush_i          (flush),
    .halt_i           (halt),
    .memory_last_i    (memory_last_q),
    .queue_valid_i    (queue_valid[2]),
    .queue_ready_o    (queue_ready[2]),
    .queue_index_i    (queue_index[2*IndexW +: IndexW]),
    .queue_insn_i     (queue_insn[2*InsnW +: InsnW]),
    .token_available_i(token_available[2]),
    .token_pop_o      (token_pop[2]),
    .token_push_o     (token_push[3]),
    .out_rd_en_o      (out_rd_en),
    .out_rd_index_o   (out_rd_index),
    .out_rd_data_i    (out_rd_data),
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
    .issue_o          (issue[2]),
    .retire_o         (retire[2]),
    .occupied_o       (occupied[2]),
    .in_flight_o      (in_flight[2]),
    .port_idle_o      (write_idle),
    .token_wait_o     (token_wait[2]),
    .busy_o           (busy[2]),
    .out_bytes_o      (out_bytes),
    .error_o          (write_error),
    .illegal_o        (illegal[2]),
    .insn_index_o     (store_insn_index)
  );

  // Counters ---------------------------------------------------------------------------------------------------------

  // Work that ends after a failure counts as well; the cycles after a run do not
  logic counting;
  assign counting = running && !complete;

  vta_counters u_counters (
    .clk_i,
    .rst_ni,
    .clear_i     (start),
    .count_i     (counting),
    .busy_i      (busy),
    .in_flight_i (in_flight),
    .token_wait_i(token_wait),
    .inp_bytes_i (inp_bytes),
    .wgt_bytes_i (wgt_bytes),
    .acc_bytes_i (acc_bytes),
    .uop_bytes_i (uop_bytes),
    .out_bytes_i (out_bytes),
    .gemm_step_i (gemm_step),
    .alu_step_i  (alu_step),
    .fetch_beat_i(fetch_beat),
    .select_i    (counter_select_i),
    .value_o     (counter_o)
  );

  `VTA_ASSERT(IdleMeansNothingUnderWay, running || (read_idle && write_idle && in_flight == '0))

endmodule
