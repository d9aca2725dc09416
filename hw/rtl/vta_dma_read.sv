// SPDX-License-Identifier: Apache-2.0
// The read DMA of one stage: asks for the bursts of a transfer, keeps the beats that come in a buffer, and walks them into
// scratchpads. Several transfers may be under way: the next one's bursts are asked for while this one's data come.
//
// A burst is asked for only when the buffer has room for the longest, so beats are always taken at once.

`include "vta_assert.svh"

module vta_dma_read #(
  parameter int TagW = 1,
  parameter int BufferBeats = vta_pkg::DmaBeats,
  parameter int Transfers = vta_pkg::WaitingLoads   // that wait behind the one whose turn it is
) (
  input  logic                           clk_i,
  input  logic                           rst_ni,

  // A transfer, as vta_transfer_check describes it
  input  logic                           start_valid_i,
  output logic                           start_ready_o,
  input  logic                           empty_i,
  input  logic [vta_pkg::DmaW-1:0]       dma_i,
  input  logic [TagW-1:0]                tag_i,

  // Bursts to ask for
  output logic                           burst_valid_o,
  input  logic                           burst_ready_i,
  output logic [vta_pkg::AddressW-1:0]   burst_addr_o,
  output logic [vta_pkg::BurstLenW-1:0]  burst_len_o,

  // Beats that come
  input  logic                           beat_valid_i,
  input  logic [vta_pkg::BusW-1:0]       beat_data_i,

  // Writes to scratchpads (vta_dma_walk)
  output logic                           op_valid_o,
  output logic                           op_zero_o,
  output logic [vta_pkg::DmaMemoryW-1:0] op_memory_o,
  output logic [vta_pkg::DmaIndexW-1:0]  op_index_o,
  output logic [vta_pkg::GranuleW-1:0]   op_granule_o,
  output logic [vta_pkg::ElementsW-1:0]  op_elements_o,
  output logic [vta_pkg::BusLog:0]       op_bytes_o,
  output logic [vta_pkg::BusW-1:0]       op_data_o,

  output logic                           done_o,
  output logic [TagW-1:0]                tag_o
);

  localparam int BusLog = vta_pkg::BusLog;
  localparam int CreditW = $clog2(BufferBeats + 1);

  logic start, burst_start_ready, turn_ready;
  assign start_ready_o = burst_start_ready && turn_ready;
  assign start         = start_valid_i && start_ready_o;

  // Bursts, each when the buffer has room for the longest
  logic              burst_valid, has_room;
  logic [CreditW-1:0] promised_q;  // beats in the buffer or on their way
  logic               taken, pop;

  vta_burst u_burst (
    .clk_i,
    .rst_ni,
    .start_valid_i(start && !empty_i),
    .start_ready_o(burst_start_ready),
    .dma_i,
    .burst_valid_o(burst_valid),
    .burst_ready_i(taken),
    .burst_addr_o,
    .burst_len_o,
    .burst_last_o ()
  );

  assign has_room      = 32'(promised_q) <= BufferBeats - vta_pkg::BurstBeats;
  assign burst_valid_o = burst_valid && has_room;
  assign taken         = burst_valid_o && burst_ready_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) promised_q <= '0;
    else promised_q <= promised_q + (taken ? CreditW'(burst_len_o) + 1'b1 : '0) - CreditW'(pop);
  end

  // Beats
  logic                     beat_valid, beat_ready, buffer_ready;
  logic [vta_pkg::BusW-1:0] beat_data;

  vta_fifo #(
    .Width  (vta_pkg::BusW),
    .Depth  (BufferBeats),
    .Latency(vta_pkg::BeatToBuffer - 1)   // behind the register of vta_axi_read
  ) u_buffer (
    .clk_i,
    .rst_ni,
    .flush_i(1'b0),
    .valid_i(beat_valid_i),
    .ready_o(buffer_ready),
    .data_i (beat_data_i),
    .valid_o(beat_valid),
    .ready_i(beat_ready),
    .data_o (beat_data),
    .count_o()
  );

  assign pop = beat_valid && beat_ready;

  // Transfers whose data are to come, in order. Of addresses they keep what lies inside a beat; those of nothing have neither
  // rows nor zeros.
  localparam int DmaW       = vta_pkg::DmaW;
  localparam int OutsideW   = vta_pkg::AddressW - BusLog;
  localparam int LastIndexW = vta_pkg::DmaLastIndexW;
  logic [DmaW-1:0] kept, moved, turn;
  logic [TagW-1:0] turn_tag;
  logic            turn_valid, walk_ready;

  assign kept = ~((DmaW'({OutsideW{1'b1}}) << (vta_pkg::DmaAddrLsb + BusLog)) |
                  (DmaW'({OutsideW{1'b1}}) << (vta_pkg::DmaStrideLsb + BusLog)) |
                  (DmaW'({LastIndexW{1'b1}}) << vta_pkg::DmaLastIndexLsb));
  assign moved = ~((DmaW'({vta_pkg::DmaRowsW{1'b1}}) << vta_pkg::DmaRowsLsb) |
                   (DmaW'({vta_pkg::DmaZerosFirstW{1'b1}}) << vta_pkg::DmaZerosFirstLsb) |
                   (DmaW'({vta_pkg::DmaZerosBetweenW{1'b1}}) << vta_pkg::DmaZerosBetweenLsb) |
                   (DmaW'({vta_pkg::DmaZerosLastW{1'b1}}) << vta_pkg::DmaZerosLastLsb));

  vta_fifo #(
    .Width  (DmaW + TagW),
    .Depth  (Transfers),
    .Latency(vta_pkg::Turn)
  ) u_turns (
    .clk_i,
    .rst_ni,
    .flush_i(1'b0),
    .valid_i(start),
    .ready_o(turn_ready),
    .data_i ({tag_i, dma_i & kept & (empty_i ? moved : '1)}),
    .valid_o(turn_valid),
    .ready_i(walk_ready),
    .data_o ({turn_tag, turn}),
    .count_o()
  );

  vta_dma_walk #(
    .TagW(TagW)
  ) u_walk (
    .clk_i,
    .rst_ni,
    .start_valid_i  (turn_valid),
    .start_ready_o  (walk_ready),
    .dma_i          (turn),
    .tag_i          (turn_tag),
    .beat_valid_i   (beat_valid),
    .beat_ready_o   (beat_ready),
    .beat_data_i    (beat_data),
    .op_valid_o,
    .op_zero_o,
    .op_memory_o,
    .op_index_o,
    .op_granule_o,
    .op_elements_o,
    .op_bytes_o,
    .op_data_o,
    .done_o,
    .tag_o
  );

  `VTA_ASSERT(BeatsAreTakenAtOnce, !beat_valid_i || buffer_ready)

`ifdef FORMAL
`include "vta_dma_read.formal.svh"
`endif

endmodule
