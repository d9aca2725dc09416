// SPDX-License-Identifier: Apache-2.0
// The load stage: INP and WGT from memory into their scratchpads.

module vta_load #(
  localparam int InpElemW = 8 << vta_pkg::InpElemLog,
  localparam int WgtElemW = 8 << vta_pkg::WgtElemLog,
  localparam int InpLanes = vta_pkg::InpLoadLanes,
  localparam int WgtLanes = vta_pkg::WgtLoadLanes
) (
  input  logic                           clk_i,
  input  logic                           rst_ni,
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

  // Memory
  output logic                           burst_valid_o,
  input  logic                           burst_ready_i,
  output logic [vta_pkg::AddressW-1:0]   burst_addr_o,
  output logic [vta_pkg::BurstLenW-1:0]  burst_len_o,
  input  logic                           beat_valid_i,
  input  logic [vta_pkg::BusW-1:0]       beat_data_i,

  // Scratchpads
  output logic [InpLanes-1:0]            inp_wr_lanes_o,
  output logic [vta_pkg::InpIndexW-1:0]  inp_wr_index_o,
  output logic [InpLanes*InpElemW-1:0]   inp_wr_data_o,
  output logic [WgtLanes-1:0]            wgt_wr_lanes_o,
  output logic [vta_pkg::WgtIndexW-1:0]  wgt_wr_index_o,
  output logic [WgtLanes*WgtElemW-1:0]   wgt_wr_data_o,

  // What it does in this cycle
  output logic                           issue_o,
  output logic                           retire_o,
  output logic                           occupied_o,   // an instruction waits to be issued
  output logic                           in_flight_o,
  output logic                           token_wait_o,   // that instruction lacks nothing but its token
  output logic                           busy_o,
  output logic [vta_pkg::BusLog:0]       inp_bytes_o,
  output logic [vta_pkg::BusLog:0]       wgt_bytes_o,
  output logic                           illegal_o,
  output logic [vta_pkg::InsnCountW-1:0] insn_index_o
);

  logic        valid, pop_next, push_next, legal, empty;
  logic [vta_pkg::DmaW-1:0] dma;
  logic        dma_ready, may_issue, done, done_push;

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
    .pop_prev_o     (),
    .pop_next_o     (pop_next),
    .push_prev_o    (),
    .push_next_o    (push_next),
    .legal_o        (legal),
    .empty_o        (empty),
    .dma_o          (dma)
  );

  assign illegal_o    = valid && !legal;
  assign may_issue    = valid && legal && !halt_i && (!pop_next || token_available_i);
  assign issue_o      = may_issue && dma_ready;
  assign token_pop_o  = issue_o && pop_next;
  assign token_wait_o = valid && legal && pop_next && !token_available_i;

  logic                     op_valid, op_zero;
  logic [vta_pkg::DmaMemoryW-1:0] op_memory;
  logic [vta_pkg::DmaIndexW-1:0]  op_index;
  logic [vta_pkg::GranuleW-1:0]   op_granule;
  logic [vta_pkg::ElementsW-1:0]  op_elements;
  logic [vta_pkg::BusLog:0] op_bytes;
  logic [vta_pkg::BusW-1:0] op_data;
  logic                     op_inp, op_wgt;

  vta_dma_read #(
    .TagW(1)
  ) u_dma (
    .clk_i,
    .rst_ni,
    .start_valid_i  (may_issue),
    .start_ready_o  (dma_ready),
    .empty_i        (empty),
    .dma_i          (dma),
    .tag_i          (push_next),
    .burst_valid_o,
    .burst_ready_i,
    .burst_addr_o,
    .burst_len_o,
    .beat_valid_i,
    .beat_data_i,
    .op_valid_o     (op_valid),
    .op_zero_o      (op_zero),
    .op_memory_o    (op_memory),
    .op_index_o     (op_index),
    .op_granule_o   (op_granule),
    .op_elements_o  (op_elements),
    .op_bytes_o     (op_bytes),
    .op_data_o      (op_data),
    .done_o         (done),
    .tag_o          (done_push)
  );

  assign op_inp = op_valid && (op_memory == vta_pkg::MemInp);
  assign op_wgt = op_valid && (op_memory == vta_pkg::MemWgt);

  vta_assemble #(
    .ElemW(InpElemW),
    .BeatW(vta_pkg::BusW)
  ) u_inp (
    .clk_i,
    .rst_ni,
    .valid_i   (op_inp),
    .zero_i    (op_zero),
    .granule_i (op_granule),
    .elements_i(op_elements),
    .data_i    (op_data),
    .wr_lanes_o(inp_wr_lanes_o),
    .wr_data_o (inp_wr_data_o)
  );

  vta_assemble #(
    .ElemW(WgtElemW),
    .BeatW(vta_pkg::BusW)
  ) u_wgt (
    .clk_i,
    .rst_ni,
    .valid_i   (op_wgt),
    .zero_i    (op_zero),
    .granule_i (op_granule),
    .elements_i(op_elements),
    .data_i    (op_data),
    .wr_lanes_o(wgt_wr_lanes_o),
    .wr_data_o (wgt_wr_data_o)
  );

  assign inp_wr_index_o = vta_pkg::InpIndexW'(op_index);
  assign wgt_wr_index_o = vta_pkg::WgtIndexW'(op_index);

  assign retire_o     = done;
  assign token_push_o = done && done_push;
  assign busy_o       = op_valid;
  assign inp_bytes_o  = op_inp ? op_bytes : '0;
  assign wgt_bytes_o  = op_wgt ? op_bytes : '0;

  // Issued and not retired
  localparam int CountW = $clog2(vta_pkg::WaitingLoads + 3);
  logic [CountW-1:0] in_flight_q;
  assign in_flight_o = in_flight_q != '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) in_flight_q <= '0;
    else         in_flight_q <= in_flight_q + CountW'(issue_o) - CountW'(retire_o);
  end

endmodule
