// SPDX-License-Identifier: Apache-2.0
// Beats at any time, in the place of vta_store_pack: their bursts end where those of abstract/vta_burst.sv do. Two beats
// at most are read and not given.

module vta_store_pack #(
  parameter int BufferBeats = vta_pkg::StoreBeats,

  localparam int OutElemW   = 8 << vta_pkg::OutElemLog,
  localparam int StoreLanes = vta_pkg::OutLanes,
  localparam int BusW       = vta_pkg::BusW
) (
  input  logic                           clk_i,
  input  logic                           rst_ni,
  input  logic                           start_i,
  output logic                           ready_o,
  input  logic [vta_pkg::DmaW-1:0]       dma_i,
  output logic                           out_rd_en_o,
  output logic [vta_pkg::AccIndexW-1:0]  out_rd_index_o,
  input  logic [StoreLanes*OutElemW-1:0] out_rd_data_i,
  output logic                           beat_valid_o,
  input  logic                           beat_ready_i,
  output logic [BusW-1:0]                beat_data_o,
  output logic [BusW/8-1:0]              beat_strb_o
);

  localparam int Beats   = 4;
  localparam int NumberW = $clog2(Beats);

  (* anyseq *) logic                         f_reads;
  (* anyseq *) logic [BusW-1:0]              f_data;
  (* anyseq *) logic [BusW/8-1:0]            f_strb;
  (* anyseq *) logic [vta_pkg::AccIndexW-1:0] f_index;
  logic               active_q, read, give;
  logic [Beats-1:0]   ends_q;
  logic [NumberW-1:0] number_q, final_q;
  logic [1:0]         held_q;

  assign ready_o        = !active_q;
  assign read           = active_q && f_reads && (held_q != 2'd2);
  assign give           = beat_valid_o && beat_ready_i;
  assign out_rd_en_o    = read;
  assign out_rd_index_o = f_index;
  assign beat_valid_o   = held_q != '0;
  assign beat_data_o    = f_data;
  assign beat_strb_o    = f_strb;

  always @(posedge clk_i) begin
    if (!rst_ni) begin
      active_q <= 1'b0;
      held_q   <= '0;
    end else begin
      if (!active_q) begin
        active_q          <= start_i;
        {ends_q, final_q} <= dma_i[Beats+NumberW-1:0];
        number_q          <= '0;
      end else if (read) begin
        if (number_q == final_q) active_q <= 1'b0;
        number_q <= number_q + 1'b1;
      end
      held_q <= held_q + 2'(read) - 2'(give);
    end
  end

endmodule
