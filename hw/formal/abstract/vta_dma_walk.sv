// SPDX-License-Identifier: Apache-2.0
// A walk that takes beats whenever it likes and ends a transfer any time after it began, in the place of vta_dma_walk.

module vta_dma_walk #(
  parameter int TagW = 1
) (
  input  logic                           clk_i,
  input  logic                           rst_ni,
  input  logic                           start_valid_i,
  output logic                           start_ready_o,
  input  logic [vta_pkg::DmaW-1:0]       dma_i,
  input  logic [TagW-1:0]                tag_i,
  input  logic                           beat_valid_i,
  output logic                           beat_ready_o,
  input  logic [vta_pkg::BusW-1:0]       beat_data_i,
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

  (* anyseq *) logic f_beat_ready, f_ends;
  logic              active_q, done;
  logic [TagW-1:0]   tag_q;

  assign done          = active_q && f_ends;
  assign start_ready_o = !active_q || done;
  assign beat_ready_o  = active_q && f_beat_ready;

  always @(posedge clk_i) begin
    if (!rst_ni)            active_q <= 1'b0;
    else if (start_ready_o) active_q <= start_valid_i;
    if (start_ready_o) tag_q <= tag_i;
    done_o <= rst_ni && done;
    tag_o  <= tag_q;
  end

  assign op_valid_o    = 1'b0;
  assign op_zero_o     = 1'b0;
  assign op_memory_o   = '0;
  assign op_index_o    = '0;
  assign op_granule_o  = '0;
  assign op_elements_o = '0;
  assign op_bytes_o    = '0;
  assign op_data_o     = '0;

endmodule
